public import Foundation

/// A provider whom the index found near some order, with what is known of him or her.
public struct RoundProvider: Hashable, Sendable {
    /// What keeps somebody from any offer. Who has none of them is free.
    public struct Facts: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let banned = Facts(rawValue: 1 << 0)
        public static let unverified = Facts(rawValue: 1 << 1)
        /// Where the market asks for a subscription (C8).
        public static let unsubscribed = Facts(rawValue: 1 << 2)
        /// Not waiting for work.
        public static let unavailable = Facts(rawValue: 1 << 3)
        /// An order runs.
        public static let busy = Facts(rawValue: 1 << 4)
        /// Thinks about an offer.
        public static let onOffer = Facts(rawValue: 1 << 5)
        public static let outOfHours = Facts(rawValue: 1 << 6)
    }

    public let id: UUID
    public let place: GeoPoint
    /// When the place was told.
    public let placeAt: Int
    public let facts: Facts
    /// What he or she does.
    public let kinds: Set<String>
    /// Since when without work.
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
