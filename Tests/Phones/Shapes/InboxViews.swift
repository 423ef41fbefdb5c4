public import Foundation

public struct InboxItem: Decodable, Sendable {
    public let id: String
    /// What it is about, such as `order.accepted`.
    public let topic: String
    public let subject: String
    public let content: String
    public let order: UUID?
    public let read: Bool?
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

/// Where the provider of a running order is.
public struct ProviderOnTheWay: Decodable, Sendable {
    public let order: UUID
    public let latitude: Double
    public let longitude: Double
    public let metresLeft: Int?
    public let secondsLeft: Int?
}

/// A friend who shares where he or she is; without coordinates when that is over.
public struct FriendOnTheWay: Decodable, Sendable {
    public let account: UUID
    public let latitude: Double?
    public let longitude: Double?
}
