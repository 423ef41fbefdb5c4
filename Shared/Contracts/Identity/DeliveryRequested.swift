public import Foundation
public import Messaging

/// A mail or an SMS is to go to somebody. Neither the address nor what it says can be read on the way.
public struct DeliveryRequested: Message {
    public enum Channel: String, Codable, Sendable, CaseIterable { case mail, sms }

    public static let name: MessageName = "identity.delivery.requested.v1"
    /// Of this delivery; the same for repeats.
    public var delivery: UUID
    public var account: UUID
    public var channel: Channel
    /// Which of the sender's texts.
    public var text: String
    /// The language that it is written in.
    public var language: String
    /// Address and arguments of the text, sealed for the sender.
    public var sealed: String
    /// After this it is of no use and is not sent any more.
    public var expiresAt: Date
    public var at: Date
    /// Its own: one that nobody takes holds nothing else of the account back.
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
