public import Contracts
public import Foundation

/// What a market says of itself to everybody.
public struct MarketView: Decodable, Sendable {
    public let id: String
    public let name: String
    public let currency: String
    public let languages: [String]
    public let timeZone: String
}

/// A provider among those that a customer may choose.
public struct ProviderListing: Decodable, Sendable {
    public struct Price: Decodable, Sendable {
        public let service: String
        public let price: Int
    }

    public let provider: UUID
    public let name: String
    public let title: String?
    public let gender: String?
    public let rating: Double?
    public let ratingCount: Int?
    public let prices: [Price]
    public let total: Money
    public let metresAway: Int?
    public let secondsAway: Int?
}

/// Whether a provider is at work, and seen.
public struct AvailabilityView: Decodable, Sendable {
    public struct Subscription: Decodable, Sendable {
        public let endsAt: Date?
    }

    public let available: Bool
    public let subscription: Subscription?
}

/// How far the provider is.
public struct TrackingView: Decodable, Sendable {
    public struct Position: Decodable, Sendable {
        public let latitude: Double
        public let longitude: Double
        public let at: Date
    }

    public let position: Position?
    public let metresLeft: Int?
    public let secondsLeft: Int?
}

/// A service with a provider's price, as the provider sets it.
public struct Offering: Codable, Sendable {
    public let service: String
    /// Minor units.
    public let price: Int

    public init(service: String, price: Int) {
        self.service = service
        self.price = price
    }
}
