import Contracts
import Foundation
import Messaging
import Postgres

/// Keeps what each party of an order said about the other.
enum RecordRating {
    static func given(_ event: RatingGiven, message: UUID, in transaction: PostgresTransaction) {
        transaction.send(
            InsertRating(
                order: event.order, market: event.market,
                rating: RatingRow(
                    actor: event.by.rawValue, from: event.from, to: event.to, stars: event.stars,
                    serviceStars: event.serviceStars, comment: event.comment, at: event.at)))
        transaction.send(
            ForgetLateComment(order: event.order, from: event.from, name: AccountSnapshot.goneName))
        transaction.send(
            InsertOrderEvent(
                order: event.order,
                event: OrderEventRow(
                    message: message, at: event.at, name: RatingGiven.name.text, state: nil, version: nil,
                    actor: event.by.rawValue, reason: nil)))
    }
}
