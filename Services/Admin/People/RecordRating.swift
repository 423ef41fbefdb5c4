import Contracts
import Foundation
import Messaging
import Postgres

/// Stores the ratings of orders' parties.
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
