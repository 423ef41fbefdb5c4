import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

extension OrderWorld {
    /// As wallet's event does.
    func tellMethod(_ account: UUID, _ hasMethod: Bool, version: Int) async throws {
        try await pool.execute(StoreMethod(account: account, hasMethod: hasMethod, version: version, cards: nil))
    }
}

@Suite("W3: who has no card", .timeLimit(.minutes(15)))
struct MethodTests {
    @Test(
        "W3: without a card nobody orders anything where the market asks for one, and nothing of the try stays",
        arguments: WayToOrder.allCases)
    func ways(_ way: WayToOrder) async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: way.market)
            let call = try await way.call(server, for: customer)
            try await server.world.tellMethod(customer.account, false, version: 2)
            let answer = try await server.post(call.path, as: call.person, call.body)
            guard Market.named(way.market)?.requiresPaymentMethod == true else {
                #expect(answer.status == 201, "\(answer.json)")
                return
            }
            #expect(answer.status == 409 && answer.problem == "payment-method-required", "\(answer.json)")
            #expect(try await server.get(OrderServer.orders, as: customer).items.isEmpty)
            try await server.world.tellMethod(customer.account, true, version: 3)
            // The quote was not used up, nor a bike reserved.
            let made = try await server.post(call.path, as: call.person, call.body)
            #expect(made.status == 201, "\(made.json)")
        }
    }

    @Test("W3: nor is a provider asked for a visit, in a market that would ask for a card")
    func visits() async throws {
        try await OrderWorld.with { world in
            let (customer, provider) = (try await world.addCustomer(), try await world.addProvider())
            let usual = world.input(customer, provider)
            var market = usual.market
            market.requiresPaymentMethod = true
            let input = RequestOrder.Input(
                market: market, customer: customer, provider: provider, services: usual.services, place: usual.place)
            func request() async throws -> OrderState {
                try await world.pool.withTransaction { transaction in
                    try await world.operations.request(input, at: .thisMillisecond, in: transaction).order.state
                }
            }
            try await world.tellMethod(customer, false, version: 2)
            await #expect(throws: CustomerRefusal.methodMissing) { _ = try await request() }
            #expect(try await world.held(provider) == nil)
            try await world.tellMethod(customer, true, version: 3)
            #expect(try await request() == .requested)
        }
    }

    @Test("W3, P10: who is told nothing of has no card; the problem says what to do, in both languages")
    func words() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "btnc")
            try await server.world.pool.execute(DeleteMethod(account: customer.account))
            let call = try await WayToOrder.ride.call(server, for: customer)
            var details: Set<String> = []
            for language in ["en", "ar"] {
                let answer = try await server.post(call.path, as: call.person, call.body, language: language)
                #expect(answer.status == 409 && answer.problem == "payment-method-required", "\(answer.json)")
                details.insert(answer["detail"]?.text ?? "")
            }
            #expect(details.count == 2 && !details.contains(""))
            #expect(Market.all.filter(\.requiresPaymentMethod).map(\.id) == ["btnc"])
        }
    }

    @Test("W3: of words about a card the newest counts, repeated, late or early; the quote says that one is missing")
    func news() async throws {
        try await PlacesGround.run { ground in
            let world = OrderWorld(database: ground.database, pool: ground.pool)
            let (rider, other) = (UUID.timeOrdered(), UUID.timeOrdered())
            func isMissing(_ account: UUID) async throws -> Bool {
                let answer = try await ground.ask(.post, "quotes", QuoteTests.body(), as: account)
                #expect(answer.status == 201, "\(answer.json)")
                return answer.json["needsPaymentMethod"] == true
            }
            #expect(try await isMissing(rider))
            for _ in 0..<2 { try await world.tellMethod(rider, true, version: 1) }
            #expect(try await !isMissing(rider))
            #expect(try await isMissing(other))
            try await world.tellMethod(rider, true, version: 3)
            try await world.tellMethod(rider, false, version: 2)
            #expect(try await !isMissing(rider))
            try await world.tellMethod(rider, false, version: 4)
            #expect(try await isMissing(rider))
        }
    }
}
