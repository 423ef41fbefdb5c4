import Foundation
import Matching
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

/// One party has said that the work is done.
private struct SayDone: Statement {
    static let sql: SQL = "UPDATE orders SET confirmed_by = ARRAY[$2::text] WHERE id = $1"
    let order: UUID
    let party: String
    func bind(_ bindings: inout Bindings) { bindings.append(order, party) }
}

extension OrderWorld {
    /// Keeps so many places of an order's provider, a minute apart, as positions do.
    func leaveTrail(_ order: Order, places count: Int) async throws {
        let start = Date(timeIntervalSince1970: 1_767_225_600)
        let trail = Trail(order: order.id, version: try await details(order.id).order.version, last: nil)
        let places = (0..<count).map { number in
            let fix = Fix(place: ProvidersGround.north(Double(number) * 500), at: start + Double(number) * 60)
            return (report: PositionReport(provider: order.assignee, fix: fix), trail: trail)
        }
        #expect(try await pool.execute(StoreTrails(places: places)) == count)
    }
}

@Suite("O2, O3: the trails of running orders", .timeLimit(.minutes(15)))
struct TrailTests {
    @Test("O2: of a way a place is kept every fifteen seconds at most, of somebody at rest every five minutes")
    func sampled() {
        func keeps(_ metres: Double, _ seconds: Double) -> Bool {
            Trail(order: UUID(), version: 1, last: MovementTests.fix(0, 0)).keeps(MovementTests.fix(metres, seconds))
        }
        #expect(Trail(order: UUID(), version: 1, last: nil).keeps(MovementTests.fix(0, 0)))
        #expect(!keeps(500, -20) && !keeps(0, 0) && !keeps(400, 14) && keeps(400, 15))
        #expect(!keeps(10, 20) && !keeps(10, 299) && keeps(10, 300))
    }

    private static func kept(_ order: UUID, since start: Date, _ ground: ProvidersGround) async throws -> [Double] {
        try await ground.pool.query(ListTrail(order: order, limit: 100)).map { $0.fix.at.timeIntervalSince(start) }
    }

    private static func drive(_ ground: ProvidersGround) async throws {
        let nurse = try await ground.free()
        let record = PositionTests.record(ground)
        let start = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        func go(_ metres: Double, _ seconds: Double) async throws {
            let fix = Fix(place: ProvidersGround.north(metres), at: start + seconds)
            let outcome = try await record([PositionReport(provider: nurse, fix: fix)])
            #expect(outcome.droppedCount == 0)
        }
        let order = try await ground.order(state: "requested", provider: nurse, isHeld: false)
        try await go(200, 20)
        #expect(try await kept(order, since: start, ground) == [])
        _ = try await ground.order(order, state: "accepted", provider: nurse)
        for (metres, seconds) in [(400.0, 40.0), (500, 50), (600, 55)] { try await go(metres, seconds) }
        _ = try await ground.order(order, state: "arrived", provider: nurse)
        for (metres, seconds) in [(601.0, 100.0), (602, 355)] { try await go(metres, seconds) }
        #expect(try await kept(order, since: start, ground) == [40, 55, 355])
        // What the customer says is not the provider's leaving.
        try await ground.pool.execute(SayDone(order: order, party: "customer"))
        try await go(650, 400)
        try await ground.pool.execute(SayDone(order: order, party: "provider"))
        try await go(900, 450)
        #expect(try await kept(order, since: start, ground) == [40, 55, 355, 400])
        _ = try await ground.order(order, state: "completed", provider: nurse, isHeld: false)
        try await go(1_200, 500)
        #expect(try await kept(order, since: start, ground).count == 4)
    }

    @Test("O2, P8: places are kept from the acceptance until the provider says that it is done")
    func kept() async throws {
        try await ProvidersGround.run { ground in try await Self.drive(ground) }
    }

    @Test("O2, P8: where the provider was before the yes is not kept, however late that is reported")
    func beforeTheYes() async throws {
        try await ProvidersGround.run { ground in
            let nurse = try await ground.free()
            let order = try await ground.order(state: "accepted", provider: nurse)
            let record = PositionTests.record(ground)
            let start = Date()
            for seconds in [-30.0, 30] {
                let fix = Fix(place: ProvidersGround.north(seconds * 10), at: start + seconds)
                #expect(try await record([PositionReport(provider: nurse, fix: fix)]).droppedCount == 0)
            }
            let kept = try await ground.pool.query(ListTrail(order: order, limit: 10))
            #expect(kept.count == 1 && kept.allSatisfy { $0.fix.at > start })
            // Nor is it counted: it would make a late cancellation dearer.
            #expect(try await ground.pool.first(ReadOdometerMetres(order: order)) ?? 0 == 0)
        }
    }

    @Test("O2, O13: a backlog of places from before the yes counts nothing, also after the payment")
    func backlog() async throws {
        try await OrderServer.with { server in
            let (customer, provider) = (try await server.customer(), try await server.provider())
            let record = RecordPositions(
                pool: server.world.pool, markets: server.world.markets, freshness: 60)
            // The provider's place is known before the order.
            let known = Fix(place: ProvidersGround.north(0), at: Date() - 600)
            _ = try await record([PositionReport(provider: provider.account, fix: known)])
            let path = try await server.order(customer, provider)
            let order = try #require(UUID(uuidString: String(path.split(separator: "/").last ?? "")))
            #expect(try await server.post("\(path)/accept", as: provider, "{}").status == 200)
            try await server.world.pay(order)
            let yes = Date()
            func report(_ seconds: Double, _ metres: Double) async throws {
                let fix = Fix(place: ProvidersGround.north(metres), at: yes + seconds)
                _ = try await record([PositionReport(provider: provider.account, fix: fix)])
            }
            for minute in stride(from: -9.0, through: -1, by: 1) { try await report(minute * 60, minute * 1_000) }
            #expect(try await server.world.pool.first(ReadOdometerMetres(order: order)) == nil)
            try await report(30, 100)
            try await report(90, 600)
            let metres = try #require(try await server.world.pool.first(ReadOdometerMetres(order: order)))
            #expect((490...510).contains(metres))
        }
    }

    private static func race(_ ground: ProvidersGround) async throws {
        let order = try await ground.order(state: "enRoute", provider: try await ground.tell())
        let other = try await ground.order(state: "enRoute", provider: try await ground.tell())
        func store(_ order: UUID, version: Int, _ seconds: Double) async throws -> Int {
            let fix = Fix(place: ProvidersGround.riyadh, at: MovementTests.start + seconds)
            let trail = Trail(order: order, version: version, last: nil)
            return try await ground.pool.execute(
                StoreTrails(places: [(PositionReport(provider: order, fix: fix), trail)]))
        }
        #expect(try await store(order, version: 1, 0) == 1)
        // Two processes write the same.
        #expect(try await store(order, version: 1, 0) == 0)
        #expect(try await store(order, version: 2, 60) == 0)
        try await ground.pool.withTransaction { transaction in
            _ = try await transaction.query(LockOrder(order: order))
            #expect(try await store(order, version: 1, 60) == 0)
            #expect(try await store(other, version: 1, 60) == 1)
        }
        #expect(try await store(order, version: 1, 60) == 1)
    }

    @Test("O13: a place of an order that somebody has in hand, or that is another's by now, is left out, at once")
    func waitsForNobody() async throws {
        try await ProvidersGround.run { ground in try await Self.race(ground) }
    }

    private static func look(_ server: OrderServer) async throws {
        let (customer, provider) = (try await server.customer(), try await server.provider())
        let order = try await server.world.order(in: .enRoute, customer.account, provider.account)
        try await server.world.leaveTrail(order, places: 3)
        let path = "\(OrderServer.orders)/\(order.id.text)/trail"
        let admin = try await server.person(roles: ["admin"])
        let others = [
            customer, provider, try await server.customer(), try await server.provider(),
            try await server.person(roles: ["admin"], in: "btnc"),
        ]
        #expect(try await server.get(path, as: admin).problem == "trail-not-shown")
        #expect(try await server.world.events(order.id).contains("viewed") == false)
        try await server.world.report(order, by: customer.account)
        // The parties see none, should they be admins.
        for party in [customer, provider] {
            let both = try await server.person(party.account, roles: ["admin"])
            #expect(try await server.get(path, as: both).status == 404)
        }
        for person in others { #expect(try await server.get(path, as: person).status == 404) }
        #expect(try await server.get(path, as: nil).status == 401)
        let nowhere = "\(OrderServer.orders)/\(UUID.timeOrdered().text)/trail"
        #expect(try await server.get(nowhere, as: admin).status == 404)

        let all = try await server.get(path, as: admin)
        let minutes = all.items.compactMap { $0["at"]?.text }.map { String($0.prefix(16)) }
        #expect(minutes == ["2026-01-01T00:00", "2026-01-01T00:01", "2026-01-01T00:02"])
        #expect(all.items.allSatisfy { $0["provider"]?.text == provider.account.text && $0["name"] == nil })
        let first = try await server.get("\(path)?limit=2", as: admin)
        let next = try #require(first["next"]?.text)
        let second = try await server.get("\(path)?limit=2&cursor=\(next)", as: admin)
        #expect(first.items + second.items == all.items && second["next"] == nil)
        // Each look is told once, not each of its pages.
        #expect(try await server.world.events(order.id).count { $0 == "viewed" } == 2)
    }

    @Test("O3, Q7, P9: the market's admins see a trail once there is something to decide, which is told; nobody else")
    func seen() async throws {
        try await OrderServer.with { server in try await Self.look(server) }
    }
}
