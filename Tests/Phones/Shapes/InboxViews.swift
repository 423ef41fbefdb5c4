public import Foundation
import Messaging

public struct InboxItem: Decodable, Sendable {
    public let id: String
    /// What it is about, such as `order.accepted`.
    public let topic: String
    public let subject: String
    public let content: String
    public let order: UUID?
    public let read: Bool?
}

extension InboxItem: FastDecodable {
    static func read(_ json: inout FastJSON) throws(FastJSON.UnsupportedJSON) -> InboxItem? {
        var (id, topic, subject, content): (String?, String?, String?, String?)
        var order: UUID?
        var read: Bool?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "id" where id == nil: id = try json.text()
            case "topic" where topic == nil: topic = try json.text()
            case "subject" where subject == nil: subject = try json.text()
            case "content" where content == nil: content = try json.text()
            case "order" where order == nil: order = try json.id()
            case "read" where read == nil: read = try json.flag()
            default: try json.skip()
            }
        }
        guard let id, let topic, let subject, let content else { return nil }
        return InboxItem(id: id, topic: topic, subject: subject, content: content, order: order, read: read)
    }
}

public struct UnreadView: Decodable, Sendable {
    public let count: Int
}

/// What the stream says of a payment.
public struct PaymentOutcome: Decodable, Sendable {
    /// Nil for a top-up.
    public let order: UUID?
    public let state: String?
    public let method: String?
    public let reason: String?
    public let event: String?
}

extension PaymentOutcome: FastDecodable {
    static func read(_ json: inout FastJSON) throws(FastJSON.UnsupportedJSON) -> PaymentOutcome? {
        var order: UUID?
        var (state, method, reason, event): (String?, String?, String?, String?)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "order" where order == nil: order = try json.id()
            case "state" where state == nil: state = try json.text()
            case "method" where method == nil: method = try json.text()
            case "reason" where reason == nil: reason = try json.text()
            case "event" where event == nil: event = try json.text()
            default: try json.skip()
            }
        }
        return PaymentOutcome(order: order, state: state, method: method, reason: reason, event: event)
    }
}

/// Where the provider of a running order is.
public struct ProviderOnTheWay: Decodable, Sendable {
    public let order: UUID
    public let latitude: Double
    public let longitude: Double
    public let metresLeft: Int?
    public let secondsLeft: Int?
}
