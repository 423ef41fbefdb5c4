import Foundation
import Messaging
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

/// Two of each, and who is nobody here.
struct RideScene {
    static let rides = "/dispatch/v1/markets/btnc/rides"
    let server: OrderServer
    let world: RideWorld
    let rider: OrderServer.Person
    let driver: OrderServer.Person
    let admin: OrderServer.Person

    init(_ server: OrderServer) async throws {
        self.server = server
        world = RideWorld(server.world)
        rider = try await server.owner("Ruby", in: "btnc")
        driver = try await server.person(try await world.driver(north: 400), roles: ["provider"], in: "btnc")
        admin = try await server.person(roles: ["admin"], in: "btnc")
    }

    func request(_ quote: UUID, as person: OrderServer.Person?) async throws -> Answer {
        try await server.post(Self.rides, as: person, #"{"quote": "\#(quote.text)"}"#)
    }

    /// A paid ride's id.
    func ride() async throws -> UUID {
        let answer = try await request(try await world.quote(rider.account), as: rider)
        #expect(answer.status == 201, "\(answer.json)")
        let order = try #require(answer["order"]?.text.flatMap(UUID.init(uuidString:)))
        try await server.world.pay(order)
        return order
    }

    func get(_ order: UUID, as person: OrderServer.Person) async throws -> Answer {
        try await server.get(server.path(order), as: person)
    }
}
