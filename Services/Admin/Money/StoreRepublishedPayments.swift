import Contracts
import Foundation
import Postgres

/// Stores the wallet's republished payments, and deletes those that the wallet does not have.
enum StoreRepublishedPayments {
    static func told(_ message: PaymentsTold, in transaction: PostgresTransaction) async throws {
        let heard = message.payments.compactMap { ForgottenOrders.Heard($0.payment.order, in: $0.payment.market) }
        let gone = try await ForgottenOrders.among(heard, in: transaction)
        transaction.send(
            UpsertRepublishedPayments(payments: message.payments.filter { !gone.contains($0.payment.order) }))
        transaction.send(DeleteStalePayments(message: message))
    }
}
