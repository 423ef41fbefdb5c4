public import Foundation

/// Positions of providers, as a dispatch process has just received them from their phones.
///
/// Not a business event: it is published without the outbox to the transient fanout ``exchange`` and may be lost; the
/// newest position counts. The body is JSON, like that of messages.
public struct ProviderPositions: Codable, Sendable {
    public static let exchange = "dispatch.positions"

    public struct Position: Codable, Sendable {
        public var provider: UUID
        public var market: String
        public var place: Coordinate
        /// When the phone measured it.
        public var at: Date
        /// Set while the provider has an order whose customer may follow the way.
        public var tracking: Tracking?

        public init(provider: UUID, market: String, place: Coordinate, at: Date, tracking: Tracking?) {
            self.provider = provider
            self.market = market
            self.place = place
            self.at = at
            self.tracking = tracking
        }
    }

    public struct Tracking: Codable, Sendable {
        public var order: UUID
        public var customer: UUID
        /// The remaining way to the customer's place.
        public var metresLeft: Int
        public var secondsLeft: Int

        public init(order: UUID, customer: UUID, metresLeft: Int, secondsLeft: Int) {
            self.order = order
            self.customer = customer
            self.metresLeft = metresLeft
            self.secondsLeft = secondsLeft
        }
    }

    public var positions: [Position]

    public init(positions: [Position]) { self.positions = positions }
}
