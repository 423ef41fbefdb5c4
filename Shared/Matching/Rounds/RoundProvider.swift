public import Foundation

/// A provider that the index found near an order, with the known facts.
public struct RoundProvider: Hashable, Sendable {
    /// Reasons why a provider gets no offer at all. A provider without any is free.
    public struct Facts: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let banned = Facts(rawValue: 1 << 0)
        public static let unverified = Facts(rawValue: 1 << 1)
        /// In a market that requires a subscription (C8).
        public static let unsubscribed = Facts(rawValue: 1 << 2)
        /// Does not wait for work.
        public static let unavailable = Facts(rawValue: 1 << 3)
        /// Has a running order.
        public static let busy = Facts(rawValue: 1 << 4)
        /// Has a pending offer.
        public static let onOffer = Facts(rawValue: 1 << 5)
        public static let outOfHours = Facts(rawValue: 1 << 6)
    }

    public let id: UUID
    public let place: GeoPoint
    /// When the position was reported.
    public let placeAt: Int
    public let facts: Facts
    /// The kinds of work.
    public let kinds: Set<String>
    /// Since when the provider has been without work.
    public let waitingSince: Int
    /// Hundredths of a star, 100...500; nil before the first rating.
    public let rating: Int?

    public init(
        id: UUID, place: GeoPoint, placeAt: Int, facts: Facts = [], kinds: Set<String>, waitingSince: Int,
        rating: Int? = nil
    ) {
        self.id = id
        self.place = place
        self.placeAt = placeAt
        self.facts = facts
        self.kinds = kinds
        self.waitingSince = waitingSince
        self.rating = rating
    }
}
