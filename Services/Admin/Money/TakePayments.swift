import Contracts
import Foundation
import Postgres

/// Takes over what the wallet tells again of payments, and drops those that it does not know.
enum TakePayments {
    static func told(_ message: PaymentsTold, in transaction: PostgresTransaction) {
        transaction.send(StoreToldPayments(payments: message.payments))
        transaction.send(DropUntoldPayments(message: message))
    }
}
