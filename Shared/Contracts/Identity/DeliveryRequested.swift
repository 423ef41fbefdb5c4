public import Foundation
public import Messaging

/// A mail or an SMS is to be sent to a person. Address and contents are encrypted on the way.
public struct DeliveryRequested: Message {
    public enum Channel: String, Codable, Sendable, CaseIterable { case mail, sms }

    public static let name: MessageName = "identity.delivery.requested.v1"
    /// The delivery's id; the same for repeats.
    public var delivery: UUID
    public var account: UUID
    public var channel: Channel
    /// The name of the sending service's text.
    public var text: String
    /// The language of the text.
    public var language: String
    /// Address and arguments of the text, sealed for the service that sends.
    public var sealed: String
    /// After this time it is not sent any more.
    public var expiresAt: Date
    public var at: Date
    /// One aggregate for each delivery, so that one that no reader takes delays no other message of the account.
    public var aggregate: String { delivery.text }

    public init(
        delivery: UUID, account: UUID, channel: Channel, text: String, language: String, sealed: String,
        expiresAt: Date, at: Date
    ) {
        self.delivery = delivery
        self.account = account
        self.channel = channel
        self.text = text
        self.language = language
        self.sealed = sealed
        self.expiresAt = expiresAt
        self.at = at
    }
}
