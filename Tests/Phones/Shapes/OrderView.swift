public import Contracts
public import Foundation

/// An order as its party's phone is shown it.
public struct OrderView: Decodable, Sendable {
    public struct Place: Decodable, Sendable {
        public let latitude: Double
        public let longitude: Double
        public let description: String?
    }

    public struct Rating: Decodable, Sendable {
        public let stars: Int?
        public let comment: String?
    }

    public struct Ride: Decodable, Sendable {
        public let size: String
        public let startCode: String?
        public let needsStartCode: Bool
    }

    public struct Food: Decodable, Sendable {
        public let isReady: Bool
        public let handOverCode: String?
    }

    /// A visit of a care partner.
    public struct Care: Decodable, Sendable {
        public struct Relative: Decodable, Sendable {
            public let account: UUID
            public let name: String
        }

        /// For whom, when that is not the customer.
        public let relative: Relative?
        /// The partner whom the customer would like; not shown to the one who was sent.
        public let preferred: UUID?
        /// Whether an admin ordered it for a caller.
        public let isByPhone: Bool
    }

    public let snapshot: OrderSnapshot
    /// The state in the market's words, in the account's language.
    public let label: String?
    /// Whose view it is.
    public let role: String?
    public let place: Place?
    public let companion: String?
    public let ride: Ride?
    public let food: Food?
    public let care: Care?
    /// Another time that the provider asks for.
    public let proposedAt: Date?
    /// On the stream: the wire name of what happened.
    public let event: String?

    public var id: UUID { snapshot.order }
    public var state: OrderSnapshot.State { snapshot.state }
    public var version: Int { snapshot.version }

    private enum CodingKeys: CodingKey { case label, role, place, companion, ride, food, care, proposedAt, event }

    public init(from decoder: any Decoder) throws {
        snapshot = try OrderSnapshot(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        label = try container.decodeIfPresent(String.self, forKey: .label)
        role = try container.decodeIfPresent(String.self, forKey: .role)
        place = try container.decodeIfPresent(Place.self, forKey: .place)
        companion = try container.decodeIfPresent(String.self, forKey: .companion)
        ride = try container.decodeIfPresent(Ride.self, forKey: .ride)
        food = try container.decodeIfPresent(Food.self, forKey: .food)
        care = try container.decodeIfPresent(Care.self, forKey: .care)
        proposedAt = try container.decodeIfPresent(Date.self, forKey: .proposedAt)
        event = try container.decodeIfPresent(String.self, forKey: .event)
    }
}

/// A page of a list.
public struct Items<Item: Decodable & Sendable>: Decodable, Sendable {
    public let items: [Item]
    /// The cursor of the next page.
    public let next: String?
}
