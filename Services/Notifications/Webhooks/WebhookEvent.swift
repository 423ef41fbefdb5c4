import Contracts
import Foundation
import Messaging
import SeraiJSON

/// The content of a webhook about an order: the event, and the order's present state. Places and contacts are read from the order
/// itself, by who may.
struct WebhookEvent: Sendable {
    struct Body: Encodable {
        struct Order: Encodable {
            let order: String
            let market: String
            let kind: String
            let version: Int
            let state: String
            let total: Money
            let payment: OrderSnapshot.Payment
            let reason: String?
            /// The market's words for the reason, by language; nil for a person's own words.
            let reasonTexts: [String: String]?
            let requestedAt: Date
            let changedAt: Date
        }

        let type: String
        let timestamp: Date
        let data: Order
    }

    static let prefix = "dispatch."
    static let test = "webhook.test"

    /// The names that an endpoint may choose: `order.accepted`.
    static let names = AllMessages.orderEvents.map { name(of: $0.name) }.sorted()

    let message: UUID
    let account: UUID
    let market: String
    let event: String
    let order: UUID
    let body: String
    let at: Date

    /// The event for the order's customer.
    ///
    /// - Parameter market: the order's, for the words of its reason.
    init(_ order: OrderSnapshot, in market: Market?, name: MessageName, message: UUID) throws {
        let part = order.part(of: .customer)
        self.message = message
        account = order.customer.account
        self.market = order.market
        event = Self.name(of: name)
        self.order = order.order
        at = order.changedAt
        let body = Body(
            type: event, timestamp: order.changedAt,
            data: Body.Order(
                order: order.order.text, market: order.market, kind: order.kind, version: order.version,
                state: part.state.rawValue, total: part.total, payment: part.payment, reason: part.reason,
                reasonTexts: part.reason.flatMap { market?.words(for: $0)?.texts },
                requestedAt: order.requestedAt, changedAt: order.changedAt))
        self.body = try JSON.wire.text(body)
    }

    /// `dispatch.order.accepted.v1` is `order.accepted`.
    static func name(of message: MessageName) -> String {
        let words = message.text.split(separator: ".").dropFirst().dropLast()
        return words.joined(separator: ".")
    }
}
