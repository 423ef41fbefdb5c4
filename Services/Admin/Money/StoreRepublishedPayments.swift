import Contracts
import Foundation
import Postgres

/// Stores the wallet's republished payments, and deletes those that the wallet does not have.
enum StoreRepublishedPayments {
    static func told(_ message: PaymentsTold, in transaction: PostgresTransaction) {
        transaction.send(StoreToldPayments(payments: message.payments))
        transaction.send(DropUntoldPayments(message: message))
    }
}
