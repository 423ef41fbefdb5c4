public import Foundation
public import Messaging

/// A mail, an SMS or a push message was given up.
public struct DeliveryFailed: Message {
    public enum Channel: String, Codable, Sendable { case mail, sms, push }

    public enum Reason: String, Codable, Sendable {
        /// It was not taken until it was of no use any more.
        case expired
        /// The gateway will never take it.
        case refused
    }

    public static let name: MessageName = "notifications.delivery.failed.v1"
    public static let needsReader = false

    public var delivery: UUID
    public var account: UUID
    public var channel: Channel
    /// The name of its text, or the topic of the inbox item.
    public var text: String
    public var reason: Reason
    public var at: Date
    public var aggregate: String { delivery.text }

    public init(delivery: UUID, account: UUID, channel: Channel, text: String, reason: Reason, at: Date) {
        self.delivery = delivery
        self.account = account
        self.channel = channel
        self.text = text
        self.reason = reason
        self.at = at
    }
}
