import Foundation
import Hummingbird
import Messaging
import SeraiJSON
import ServiceKit

/// An endpoint as shown to its owner.
struct WebhookView: ResponseEncodable, Encodable, Sendable {
    let webhook: String
    let market: String
    let url: String
    /// Empty for all.
    let events: [String]
    let createdAt: Date
    let enabled: Bool
    /// Since when nothing was taken; nil after a success.
    let failingSince: Date?
    let disabledAt: Date?
    /// `owner`, `failing` or `gone`.
    let disabledBecause: String?
    /// Only in the answers that give a new one.
    let secret: String?

    init(_ endpoint: WebhookEndpoint, secret: String? = nil) {
        webhook = endpoint.id.text
        market = endpoint.market
        url = endpoint.url
        events = endpoint.events
        createdAt = endpoint.createdAt
        enabled = endpoint.disabledAt == nil
        failingSince = endpoint.failingSince
        disabledAt = endpoint.disabledAt
        disabledBecause = endpoint.disabledBecause
        self.secret = secret
    }
}

struct WebhookListView: ResponseEncodable, Encodable, Sendable {
    let items: [WebhookView]
}

/// A delivery in the log.
struct WebhookDeliveryView: ResponseEncodable, Encodable, Sendable {
    let message: String
    let event: String
    let order: String?
    /// As it is sent.
    let body: String
    let state: String
    let tries: Int
    /// Nil once it is over.
    let nextAt: Date?
    let createdAt: Date
    let lastAt: Date?
    let lastStatus: Int?
    /// The beginning of the last answer, or why there was none.
    let lastAnswer: String?

    init(_ delivery: WebhookDelivery) {
        message = delivery.message.text
        event = delivery.event
        order = delivery.order?.text
        body = delivery.body
        state = delivery.state
        tries = delivery.tries
        nextAt = delivery.state == "waiting" ? delivery.nextAt : nil
        createdAt = delivery.createdAt
        lastAt = delivery.lastAt
        lastStatus = delivery.lastStatus
        lastAnswer = delivery.lastAnswer
    }
}
