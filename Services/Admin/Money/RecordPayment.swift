import Contracts
import Foundation
import Messaging
import Postgres

/// Stores the newest snapshot of each order's payment, the times of hold, capture and release, and the shares.
enum RecordPayment {
    static func held(_ event: PaymentHeld, message: UUID, in transaction: PostgresTransaction) {
        OrderWriter.of(transaction).add(PaymentChange(event))
        note(PaymentHeld.name, event.payment, at: event.at, message: message, in: transaction)
    }

    static func refused(_ event: PaymentRefused, message: UUID, in transaction: PostgresTransaction) {
        OrderWriter.of(transaction).add(PaymentChange(event))
        note(
            PaymentRefused.name, event.payment, at: event.at, reason: event.reason, message: message, in: transaction)
    }

    static func captured(_ event: PaymentCaptured, message: UUID, in transaction: PostgresTransaction) {
        OrderWriter.of(transaction).add(PaymentChange(event))
        note(PaymentCaptured.name, event.payment, at: event.at, message: message, in: transaction)
    }

    static func released(_ event: PaymentReleased, message: UUID, in transaction: PostgresTransaction) {
        OrderWriter.of(transaction).add(PaymentChange(event))
        note(PaymentReleased.name, event.payment, at: event.at, message: message, in: transaction)
    }

    private static func note(
        _ name: MessageName, _ payment: PaymentSnapshot, at: Date, reason: String? = nil, message: UUID,
        in transaction: PostgresTransaction
    ) {
        OrderWriter.of(transaction).add(
            OrderEventRow(
                message: message, at: at, name: name.text, state: payment.state.rawValue, version: payment.version,
                actor: nil, reason: reason),
            of: payment.order)
    }
}
