import Contracts
import Foundation
import Matching
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("X12: what is kept of a round's reasons", .timeLimit(.minutes(15)))
struct ReasoningTests {
    private static func explanation(weighed: Int, leftOut: [(RoundProvider.Facts, Int)]) throws -> RoundReasoning {
        let order = RoundOrder(
            id: .timeOrdered(), customer: .timeOrdered(), place: RideWorld.perth, kind: "ride", requestedAt: 0)
        var providers: [RoundProvider] = []
        func add(_ facts: RoundProvider.Facts, _ count: Int) {
            for _ in 0..<count {
                providers.append(
                    RoundProvider(
                        id: .timeOrdered(), place: RideWorld.perth, placeAt: 0, facts: facts, kinds: ["ride"],
                        waitingSince: 0))
            }
        }
        add([], weighed)
        for (facts, count) in leftOut { add(facts, count) }
        let round = Round(now: 10, orders: [order], providers: providers, settings: RoundSettings())
        let decisions = round.decide(round.questions.map { $0.origins.map { _ in 60 } })
        return RoundReasoning(try #require(decisions.explanation(of: order.id)), stage: 0, RoundSettings())
    }

    @Test("X12: all whom a round weighs are kept; of those left out all are counted, the fewest named first")
    func bounds() throws {
        #expect(RoundSettings().candidatesPerOrder <= RoundReasoning.weighedProviders)
        #expect(FoodSettings().couriersPerOrder <= RoundReasoning.weighedProviders)
        let few = try Self.explanation(weighed: 100, leftOut: [(.busy, 40), (.banned, 30)])
        #expect(few.weighedCount == 100 && few.weighed.count == 100)
        #expect(few.leftOut.map(\.count) == [30, 40] && few.leftOut.map(\.providers.count) == [30, 40])
        let many = try Self.explanation(weighed: 130, leftOut: [(.busy, 700), (.banned, 60), (.onOffer, 40)])
        // The rule of the last thirty is that others are nearer.
        #expect(many.leftOut.map(\.rule) == [.banned, .busy, .notAmongNearest, .onOffer])
        #expect(many.leftOut.map(\.count) == [60, 700, 30, 40])
        #expect(many.leftOut.map(\.providers.count) == [60, 170, 30, 40])
        #expect(many.leftOut.map(\.providers.count).reduce(0, +) == RoundReasoning.namedProviders)
        #expect(try many.json().utf8.count < 30_000)
    }

    private struct CountExplanations: Statement {
        static let sql: SQL = "SELECT count(*) FROM round_explanations"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
    }

    /// As many drivers as are asked for, a metre from each other.
    private static func drivers(
        _ count: Int, north metres: Double, isAvailable: Bool, in world: RideWorld
    ) async throws -> Set<String> {
        let accounts = (0..<count).map { _ in UUID.timeOrdered() }
        try await world.drivers(accounts, isAvailable: isAvailable)
        for (number, account) in accounts.enumerated() {
            try await world.put(account, at: RideWorld.north(metres + Double(number)))
        }
        return Set(accounts.map(\.text))
    }

    @Test("X12: sixty weighed and 45 left out are all told, each once, and written by one statement of the round")
    func complete() async throws {
        try await OrderServer.with { server in
            let world = RideWorld(server.world)
            // The nearest are no use, so that the round looks at more.
            let resting = try await Self.drivers(45, north: 0, isAvailable: false, in: world)
            let weighed = try await Self.drivers(60, north: 1_900, isAvailable: true, in: world)
            let order = try await world.ride()
            try await world.round()
            #expect(try await world.pool.first(CountExplanations()) == 1)
            let admin = try await server.person(roles: ["admin"], in: "btnc")
            let told = try await server.get("\(OrderServer.orders)/\(order.id.text)/matching", as: admin)
            let round = try #require(Self.list(told["rounds"]).first)
            #expect(round["weighedCount"]?.int == 60)
            #expect(Set(Self.list(round["weighed"]).compactMap { $0["provider"]?.text }) == weighed)
            let left = try #require(Self.list(round["leftOut"]).first)
            #expect(left["rule"]?.text == "unavailable" && left["count"]?.int == 45)
            #expect(Set(left["providers"]?.texts ?? []) == resting && left["providers"]?.texts.count == 45)
            #expect(told["next"] == nil)
        }
    }

    private static func list(_ value: JSONValue?) -> [JSONValue] {
        if case .array(let items)? = value { items } else { [] }
    }

    @Test("X12: the rounds come in pages, the oldest first, none twice; a page of another order is none")
    func pages() async throws {
        try await OrderServer.with { server in
            let world = RideWorld(server.world)
            let (order, other) = (try await world.ride(), try await world.ride(from: RideWorld.north(30_000)))
            for _ in 0..<3 { try await world.round() }
            let admin = try await server.person(roles: ["admin"], in: "btnc")
            let path = "\(OrderServer.orders)/\(order.id.text)/matching"
            let all = try await server.get(path, as: admin)
            #expect(Self.list(all["rounds"]).compactMap { $0["outcome"]?.text } == ["widened", "widened", "waits"])
            let first = try await server.get("\(path)?limit=2", as: admin)
            #expect(Self.list(first["rounds"]) == Array(Self.list(all["rounds"]).prefix(2)))
            let next = try #require(first["next"]?.text)
            let second = try await server.get("\(path)?limit=2&cursor=\(next)", as: admin)
            #expect(Self.list(second["rounds"]) == Array(Self.list(all["rounds"]).suffix(1)) && second["next"] == nil)
            let elsewhere = "\(OrderServer.orders)/\(other.id.text)/matching?cursor=\(next)"
            #expect(try await server.get(elsewhere, as: admin).status == 400)
            #expect(try await server.get("\(path)?limit=101", as: admin).status == 400)
            // Each look at it is in the audit log, and no other: nobody else may look.
            let elsewhereAdmin = try await server.person(roles: ["admin"], in: "assef")
            #expect(try await server.get(path, as: elsewhereAdmin).status == 404)
            let viewed = try await world.pool.query(ReadEvents(order: admin.account.text))
                .filter { $0.name == DispatchListViewed.name.text }
                .map { try JSON.wire.decode(DispatchListViewed.self, $0.payload.utf8) }
            #expect(viewed.count == 3 && viewed.allSatisfy { $0.market == "btnc" && $0.list == "matching" })
            #expect(viewed.map { $0.filter["page"] } == [nil, nil, "later"])
            #expect(viewed.allSatisfy { $0.filter["id"] == order.id.text && $0.by == admin.account && !$0.isFile })
        }
    }
}
