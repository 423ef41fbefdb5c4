import Contracts
import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// An order with everything that admins may see: no card, no place, no contact.
struct OrderDetailsView: ResponseEncodable, Sendable {
    /// The wallet's data; the order's own `payment` is what dispatch knows of it.
    struct PaymentDetails: Encodable, Sendable {
        let payment: String
        let state: String
        /// In the reader's language, like the method's text.
        let stateText: String
        let method: String?
        let methodText: String?
        let amount: Money
        let providerShare: Money?
        let platformShare: Money?
        let heldAt: Date?
        let capturedAt: Date?
        let releasedAt: Date?

        init(_ row: PaymentRow, in language: String) {
            payment = row.payment.text
            state = row.state
            stateText = PaymentSnapshot.State(rawValue: row.state)?.name.text(in: language) ?? row.state
            method = row.method
            methodText = row.method.flatMap { Market.words(forMethod: $0)?.text(in: language) }
            amount = Money(amount: row.amount, currency: row.currency)
            providerShare = row.providerShare.map { Money(amount: $0, currency: row.currency) }
            platformShare = row.platformShare.map { Money(amount: $0, currency: row.currency) }
            heldAt = row.heldAt
            capturedAt = row.capturedAt
            releasedAt = row.releasedAt
        }
    }

    struct Rating: Encodable, Sendable {
        let by: String
        let stars: Int
        let serviceStars: Int?
        let comment: String?
        let at: Date
    }

    /// An event of the order from any service.
    struct Event: Encodable, Sendable {
        let at: Date
        let name: String
        /// The event in the reader's language.
        let text: String
        let service: String
        let state: String?
        let stateText: String?
        let version: Int?
        let by: String?
        let reason: String?
        /// Nil for a reason in a person's own words.
        let reasonText: String?
    }

    let order: OrderView
    let money: PaymentDetails?
    let ratings: [Rating]
    let timeline: [Event]

    init(
        _ order: OrderView, payment: PaymentRow?, ratings: [RatingRow], events: [OrderEventRow], words: TimelineWords
    ) {
        self.order = order
        money = payment.map { PaymentDetails($0, in: words.language.rawValue) }
        self.ratings = ratings.sorted { $0.at < $1.at }.map {
            Rating(by: $0.actor, stars: $0.stars, serviceStars: $0.serviceStars, comment: $0.comment, at: $0.at)
        }
        timeline = events.map {
            Event(
                at: $0.at, name: $0.name, text: words.event($0.name), service: TimelineWords.service(of: $0.name),
                state: $0.state, stateText: words.state($0.state, of: $0.name), version: $0.version, by: $0.actor,
                reason: $0.reason, reasonText: words.reason($0.reason))
        }
    }

    private enum Keys: String, CodingKey { case money, ratings, timeline }

    /// Encodes the order's fields and these in one object.
    func encode(to encoder: any Encoder) throws {
        try order.encode(to: encoder)
        var container = encoder.container(keyedBy: Keys.self)
        try container.encodeIfPresent(money, forKey: .money)
        try container.encode(ratings, forKey: .ratings)
        try container.encode(timeline, forKey: .timeline)
    }
}
