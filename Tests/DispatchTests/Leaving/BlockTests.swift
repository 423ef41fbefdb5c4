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
    func block(_ account: UUID, in market: String = "assef", version: Int) async throws {
        try await pool.execute(StoreBlock(account: account, market: market, isBlocked: true, version: version))
    }

    func unblock(_ account: UUID, in market: String = "assef", version: Int) async throws {
        try await pool.execute(StoreBlock(account: account, market: market, isBlocked: false, version: version))
    }
}

/// A way to begin an order: a customer's, or the desk's for one who calls.
enum WayToOrder: String, CaseIterable, Sendable {
    case visit, ride, meal, parcel, dropOff, hire, care, careForCaller

    struct Call: Sendable {
        let path: String
        let body: String
        let person: OrderServer.Person
    }

    var market: String {
        switch self {
        case .visit: "assef"
        case .ride, .meal, .dropOff, .hire: "btnc"
        case .parcel: "carrepsa"
        case .care, .careForCaller: "edencare"
        }
    }

    var otherMarket: String { self == .visit ? "btnc" : "assef" }

    /// What makes an order, with all that it needs there.
    func call(_ server: OrderServer, for customer: OrderServer.Person) async throws -> Call {
        let account = customer.account
        switch self {
        case .visit:
            let provider = try await server.world.addProvider()
            return Call(path: OrderServer.orders, body: OrderServer.body(provider), person: customer)
        case .ride:
            let quote = try await RideWorld(server.world).quote(account)
            return Call(path: "/dispatch/v1/markets/btnc/rides", body: Self.body(quote), person: customer)
        case .meal:
            let meals = try await MealWorld(server.world)
            let quote = try await meals.quote(account)
            let body = """
                {"restaurant": "\(meals.restaurant.text)", "quote": "\(quote.text)",
                 "items": [{"item": "\(meals.soup.id.text)", "count": 2, "price": 1200}]}
                """
            return Call(path: "/dispatch/v1/markets/btnc/meals", body: body, person: customer)
        case .parcel: return Call(path: OrderServer.parcels, body: OrderServer.parcel(), person: customer)
        case .dropOff:
            let quote = DropOffScene.quote(account, try await HireTests.rack(server).id, at: .thisMillisecond)
            try await server.world.pool.execute(try InsertQuote(quote))
            return Call(path: DropOffScene.orders, body: Self.body(quote.id), person: customer)
        case .hire:
            let rack = try await HireTests.rack(server).id
            return Call(
                path: HireTests.hires, body: #"{"rack": "\#(rack.text)", "type": "city"}"#, person: customer)
        case .care:
            return Call(path: CareTests.visits, body: CareTests.body(try CareTests.noon()), person: customer)
        case .careForCaller:
            let more = #", "customer": "\#(account.text)""#
            return Call(
                path: CareTests.visits, body: CareTests.body(try CareTests.noon(), more: more),
                person: try await server.person(roles: ["admin"], in: market))
        }
    }

    private static func body(_ quote: UUID) -> String { #"{"quote": "\#(quote.text)"}"# }
}

@Suite("O2: who is blocked for a fine", .timeLimit(.minutes(15)))
struct BlockTests {
    @Test(
        "O2: who has not paid a fine in time begins no order in any way, and nothing of the try stays; once paid, one does",
        arguments: WayToOrder.allCases)
    func ways(_ way: WayToOrder) async throws {
        try await OrderServer.with { server in
            let world = server.world
            let customer = try await server.owner("Ada", in: way.market)
            let call = try await way.call(server, for: customer)
            try await world.block(customer.account, in: way.market, version: 1)
            let refused = try await server.post(call.path, as: call.person, call.body)
            #expect(refused.status == 403 && refused.problem == "account-blocked", "\(refused.json)")
            #expect(try await server.get(OrderServer.orders, as: customer).items.isEmpty)
            try await world.unblock(customer.account, in: way.market, version: 2)
            // Neither a block elsewhere nor another's is in the way.
            try await world.block(customer.account, in: way.otherMarket, version: 1)
            try await world.block(.timeOrdered(), in: way.market, version: 1)
            // The quote, where there is one, was not used up.
            let made = try await server.post(call.path, as: call.person, call.body)
            #expect(made.status == 201, "\(made.json)")
            #expect(try await server.get(OrderServer.orders, as: customer).items.count == 1)
        }
    }

    @Test("O2, O7: a blocked customer begins no series; a visit of one that goes on says why, and the next are ordered")
    func series() async throws {
        try await PlacesGround.run { ground in
            let world = OrderWorld(database: ground.database, pool: ground.pool)
            let customer = try await world.addCustomer()
            let body = SeriesRouteTests.body(
                rule: "FREQ=DAILY", first: SeriesRouteTests.firstDay.advanced(by: -20))
            try await world.block(customer, in: "edencare", version: 1)
            let refused = try await SeriesRouteTests.ask(ground, "POST", "series", body, as: customer)
            #expect(refused.status == 403 && refused.slug == "account-blocked", "\(refused.json)")
            #expect(try await SeriesRouteTests.ask(ground, "GET", "series", as: customer).items.isEmpty)

            try await world.unblock(customer, in: "edencare", version: 2)
            let made = try await SeriesRouteTests.ask(ground, "POST", "series", body, as: customer)
            #expect(made.status == 201, "\(made.json)")
            let series = try #require(made.json["series"]?.asText.flatMap(UUID.init(uuidString:)))
            func visits(_ state: JSONValue) async throws -> [JSONValue] {
                try await SeriesRouteTests.ask(ground, "GET", "series/\(series.text)/visits?limit=60", as: customer)
                    .items.filter { $0["state"] == state }
            }
            let before = try await visits("requested").count
            try await world.block(customer, in: "edencare", version: 3)
            try await world.pool.withTransaction {
                try await ground.parts.advanceSeries(series, at: .thisMillisecond + 86_400, in: $0)
            }
            let dropped = try await visits("refused")
            #expect(dropped.count == 1 && dropped.first?["reason"] == "account-blocked")
            try await world.unblock(customer, in: "edencare", version: 4)
            try await world.pool.withTransaction {
                try await ground.parts.advanceSeries(series, at: .thisMillisecond + 2 * 86_400, in: $0)
            }
            #expect(try await visits("requested").count == before + 1)
        }
    }

    @Test("O2: of words about a block the newest counts, repeated, late or early, for its account and market alone")
    func news() async throws {
        try await OrderWorld.with { world in
            let (account, other) = (UUID.timeOrdered(), UUID.timeOrdered())
            func isBlocked(_ account: UUID, in market: String = "assef") async throws -> Bool {
                let orderer = try await world.pool.first(FindOrderingCustomer(account: account, market: market))
                return try #require(orderer).isBlocked
            }
            #expect(try await !isBlocked(account))
            for _ in 0..<2 {
                try await world.block(account, version: 1)
                #expect(try await isBlocked(account))
            }
            for _ in 0..<2 {
                try await world.unblock(account, version: 2)
                #expect(try await !isBlocked(account))
                try await world.block(account, version: 1)
                #expect(try await !isBlocked(account))
            }
            // Its end is heard before the block.
            try await world.unblock(account, version: 4)
            try await world.block(account, version: 3)
            #expect(try await !isBlocked(account))
            // And a block before the end of the last one.
            try await world.block(account, version: 5)
            try await world.unblock(account, version: 4)
            #expect(try await isBlocked(account))
            // The first word of all is an end.
            try await world.unblock(other, version: 2)
            try await world.block(other, version: 1)
            #expect(try await !isBlocked(other))

            #expect(try await !isBlocked(account, in: "btnc"))
            try await world.block(account, in: "btnc", version: 1)
            try await world.unblock(account, version: 6)
            #expect(try await isBlocked(account, in: "btnc"))
            #expect(try await !isBlocked(account))
            // With the account goes what is known of it.
            try await world.pool.withTransaction {
                try await AccountDeletionHandlers.forget(
                    AccountDeleted(account: account, version: 9, at: .thisMillisecond), by: { .thisMillisecond }, $0)
            }
            #expect(try await !isBlocked(account, in: "btnc"))
        }
    }

    @Test("O2: what was ordered before a block goes on, and who is blocked works on; a ban is told before a block")
    func others() async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: .requested)
            let customer = order.customer.account
            try await world.block(customer, version: 1)
            let accepted = try await world.accept(order)
            try await world.pay(order.id)
            _ = try await world.arrive(accepted)
            #expect(try await world.state(order.id) == .arrived)
            let provider = try await world.addProvider()
            await #expect(throws: CustomerRefusal.blocked) {
                _ = try await world.request(customer, provider)
            }
            try await world.block(provider, version: 1)
            _ = try await world.accept(try await world.request(try await world.addCustomer(), provider))
            try await world.expectConsistency()
            let second = try await world.addProvider()
            try await world.ban(customer)
            await #expect(throws: CustomerRefusal.banned) {
                _ = try await world.request(customer, second)
            }
        }
    }

    @Test("O2, P7: the words are those by which wallet refuses the payment")
    func words() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        #expect(DispatchService.catalogues.count == 2)
        for (language, json) in DispatchService.catalogues {
            let own = try JSONDecoder().decode([String: String].self, from: Data(json))
            let file = root.appending(path: "Services/Wallet/Catalogues/\(language.rawValue).json")
            let wallet = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
            for key in ["problem.account-blocked.title", "problem.account-blocked.detail"] {
                #expect(own[key] != nil && own[key] == wallet[key], "\(key) in \(language)")
            }
        }
    }
}
