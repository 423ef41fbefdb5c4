public import Contracts
public import Foundation

/// What drivers who wait look for by themselves, and what they have earned.
extension RideTown {
    /// What somebody may take.
    public struct Waiting: Decodable, Sendable {
        public let order: UUID
        public let kind: String
        /// What whoever takes it is paid of.
        public let total: Money
        public let metresAway: Int
    }

    /// With one kind of order.
    public struct Earnings: Decodable, Sendable {
        public let kind: String
        public let orders: Int
        public let amount: Money
    }

    /// The nearest first.
    public func waiting(for driver: Newcomer) async throws -> [Waiting] {
        try await driver.phone.send(.get("/dispatch/v1/markets/\(Self.market)/requests"))
            .decode(Items<Waiting>.self).items
    }

    public func earnings(of driver: Newcomer) async throws -> [Earnings] {
        try await driver.phone.send(.get("/dispatch/v1/markets/\(Self.market)/earnings"))
            .decode(Items<Earnings>.self).items
    }
}
