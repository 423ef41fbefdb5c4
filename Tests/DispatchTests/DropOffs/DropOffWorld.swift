import Contracts
import Foundation
import HTTPTypes
import Matching
import Messaging
import NIOCore
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

/// A customer, drivers, a rack, and who is nobody here, over HTTP.
struct DropOffScene: Sendable {
    static let orders = "/dispatch/v1/markets/btnc/drop-offs"

    let server: OrderServer
    let world: RideWorld
    let customer: OrderServer.Person
    let driver: OrderServer.Person
    let admin: OrderServer.Person
    let rack: (id: UUID, key: String)

    static func with(bikes: Int = 2, _ body: @escaping @Sendable (DropOffScene) async throws -> Void) async throws {
        try await OrderServer.with { server in
            let world = RideWorld(server.world)
            let driver = try await server.person(try await world.driver(north: 400), roles: ["provider"], in: "btnc")
            try await body(
                DropOffScene(
                    server: server, world: world, customer: try await server.owner("Ruby", in: "btnc"), driver: driver,
                    admin: try await server.person(roles: ["admin"], in: "btnc"),
                    rack: try await HireTests.rack(server, bikes: bikes)))
        }
    }

    func quote(
        _ customer: UUID, kind: String = "bikeDropOff", age: Double = 0, total: Int = 2_500, roughPrice: Int? = nil,
        shiftedBy degrees: Double = 0
    ) async throws -> UUID {
        let quote = Self.quote(
            customer, rack.id, kind: kind, total: total, roughPrice: roughPrice, shiftedBy: degrees,
            at: .thisMillisecond - age)
        try await world.pool.execute(try InsertQuote(quote))
        return quote.id
    }

    /// Of three kilometres, which binds for five minutes.
    static func quote(
        _ customer: UUID, _ rack: UUID, kind: String = "bikeDropOff", total: Int = 2_500, roughPrice: Int? = nil,
        shiftedBy degrees: Double = 0, at now: Date
    ) -> Quote {
        let fare = Tariff(base: total, perKilometre: 0, perMinute: 0, minimum: 0).fare(metres: 3_000, seconds: 300)
        var terms = Quote.Terms(
            metres: 3_000, seconds: 300, waitSeconds: nil, fare: fare,
            surge: Quote.SurgeTerms(percent: 100, waiting: 0, free: 0, isCapped: false, radiusMetres: 3_000))
        let place = RideWorld.perth
        (terms.rack, terms.bike, terms.useSeconds) = (rack, .city, 14_400)
        terms.roughPrice = roughPrice
        return Quote(
            id: .timeOrdered(), market: "btnc", account: customer, kind: kind, tariff: OrderDropOff.tariff,
            from: Order.Place(latitude: place.latitude, longitude: place.longitude, description: "City"),
            to: Order.Place(latitude: place.latitude + 0.02 + degrees, longitude: place.longitude, description: "Home"),
            terms: terms, total: total, currency: "AUD", promo: nil, madeAt: now, expiresAt: now + 300, order: nil)
    }

    func order(_ quote: UUID, as person: OrderServer.Person?) async throws -> Answer {
        try await server.post(Self.orders, as: person, #"{"quote": "\#(quote.text)"}"#)
    }

    /// A paid one's id.
    func paid() async throws -> UUID {
        let answer = try await order(try await quote(customer.account), as: customer)
        #expect(answer.status == 201, "\(answer.json)")
        let id = try #require(answer["order"]?.text.flatMap(UUID.init(uuidString:)))
        try await server.world.pay(id)
        return id
    }

    /// One whose driver has done all this.
    func driven(_ actions: String..., by driver: OrderServer.Person? = nil) async throws -> UUID {
        let id = try await paid()
        try await world.round()
        for action in actions {
            #expect(try await server.act(action, id, as: driver ?? self.driver).status == 200, "\(action)")
        }
        return id
    }

    func code(_ order: UUID, as person: OrderServer.Person?) async throws -> Answer {
        try await server.post("/dispatch/v1/drop-offs/\(order.text)/code", as: person)
    }

    func pickUp(_ code: String?) async throws -> Answer {
        try await HireTests.report(server, "pick-ups", rack.id, key: rack.key, #"{"code": "\#(code ?? "")"}"#)
    }

    /// One whose bike is out.
    func out() async throws -> (order: UUID, bike: UUID) {
        let order = try await driven("accept", "arrive")
        let answer = try await pickUp(try await code(order, as: driver)["code"]?.text)
        return (order, try #require(answer["bike"]?.text.flatMap(UUID.init(uuidString:)), "\(answer.json)"))
    }

    func get(_ order: UUID, as person: OrderServer.Person) async throws -> Answer {
        try await server.get(server.path(order), as: person)
    }

    func state(_ order: UUID) async throws -> OrderState? { try await server.world.state(order) }

    /// Free bikes of the rack.
    func free() async throws -> Int {
        try await world.pool.first(CountBikes(rack: rack.id, type: "city"))?.free ?? 0
    }

    func end(_ window: OrderWindow, of order: UUID) async throws {
        try await world.pool.withTransaction { transaction in
            let due = try #require(try await transaction.first(FindOrder(order: order))?.details().order.deadline)
            try await server.world.operations.endWindow(window, of: order, due: due, at: due, in: transaction)
        }
    }
}
