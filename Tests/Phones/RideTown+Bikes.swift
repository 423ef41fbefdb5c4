public import Contracts
public import Foundation

/// Racks in Perth, and bikes that are brought from them.
extension RideTown {
    /// A rack with its key.
    public struct Rack: Decodable, Sendable {
        public let rack: UUID
        public let key: String
    }

    /// One that has free bikes.
    public struct NearRack: Decodable, Sendable {
        public let rack: UUID
        public let metres: Int?
        /// By type.
        public let bikes: [String: Int]
    }

    public struct UnlockCode: Codable, Sendable { public let code: String }
    public struct Bike: Codable, Sendable { public let bike: UUID }

    /// What people of the market see of somebody.
    public struct PublicPage: Decodable, Sendable {
        public let email: String?
        public let mobile: String?
    }

    private struct Card: Encodable {
        var name = "City"
        let latitude, longitude: Double
    }

    private struct Question: Encodable {
        var market = RideTown.market
        var kind = "bikeDropOff"
        var bike = "city"
        let to: Coordinate
    }

    /// A rack with free city bikes.
    public func rack(at place: Coordinate, bikes: Int) async throws -> Rack {
        let path = "/dispatch/v1/markets/\(Self.market)/racks"
        let rack: Rack = try await desk.phone.send(
            try .post(path, Card(latitude: place.latitude, longitude: place.longitude))
        ).decode()
        try await desk.phone.send(try .put("\(path)/\(rack.rack.path)/bikes/city", ["count": bikes]))
        return rack
    }

    /// Those around a place that have a free bike, the nearest first.
    public func racks(near place: Coordinate, for rider: Newcomer) async throws -> [NearRack] {
        let query: [(String, String?)] = [("latitude", "\(place.latitude)"), ("longitude", "\(place.longitude)")]
        return try await rider.phone.send(.get("/dispatch/v1/markets/\(Self.market)/racks/nearest", query: query))
            .decode(Items<NearRack>.self).items
    }

    /// A bike that is brought, at the price of a quote; it waits for its payment.
    public func dropOff(_ customer: Newcomer, to place: Coordinate) async throws -> OrderView {
        let quote: Quote = try await customer.phone.send(try .post("/dispatch/v1/quotes", Question(to: place))).decode()
        return try await customer.phone.send(
            try .post("/dispatch/v1/markets/\(Self.market)/drop-offs", ["quote": quote.quote.path])
        ).decode()
    }

    public struct NoPlace: Error {
        public let order: UUID
    }

    /// The driver is at the rack as the phone says, types the code, and the rack lets a bike go.
    public func fetch(_ order: UUID, _ driver: Newcomer, at rack: Rack) async throws -> Bike {
        let place = try await driver.phone.order(order).place
        guard let place else { throw NoPlace(order: order) }
        try await driver.phone.arrive(order, at: Coordinate(latitude: place.latitude, longitude: place.longitude))
        let code: UnlockCode = try await driver.phone.send(
            try .post("/dispatch/v1/drop-offs/\(order.path)/code", [String: String]())
        ).decode()
        // The rack has a key, and no account.
        return try await driver.phone.send(
            try .post("/dispatch/v1/racks/\(rack.rack.path)/pick-ups", code).byRack(rack.key)
        ).decode()
    }

    public func bringBack(_ bike: Bike, to rack: Rack) async throws {
        try await desk.phone.send(
            try .post("/dispatch/v1/racks/\(rack.rack.path)/returns", bike).byRack(rack.key))
    }

    public func page(of other: Newcomer, to reader: Newcomer) async throws -> PublicPage {
        try await reader.phone.send(.get("/identity/v1/markets/\(Self.market)/people/\(other.account.path)")).decode()
    }
}
