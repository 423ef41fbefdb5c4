import Contracts
import Foundation
import Messaging
import Postgres

/// Keeps what each party of an order said about the other.
enum RecordRating {
    static func given(_ event: RatingGiven, message: UUID, in transaction: PostgresTransaction) {
        let writer = OrderWriter.of(transaction)
        writer.add(event)
        writer.add(
            OrderEventRow(
                message: message, at: event.at, name: RatingGiven.name.text, state: nil, version: nil,
                actor: event.by.rawValue, reason: nil),
            of: event.order)
    }
}
