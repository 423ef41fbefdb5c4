import Contracts
import Foundation
import Matching
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O9, P4: several meals by one courier", .timeLimit(.minutes(15)))
struct BundleTests {
    /// Two meals of the restaurant that one courier is asked for.
    private func offered(_ world: MealWorld) async throws -> (courier: UUID, orders: [Order]) {
        let courier = try await world.rides.driver(north: 100)
        let orders = [try await world.preparing(), try await world.preparing()]
        #expect(try await world.rides.round() == RunRound.Outcome(orders: 2, offered: 2))
        for order in orders {
            let now = try await world.details(order.id)
            #expect(now.state == .offered && now.provider?.account == courier)
        }
        return (courier, orders)
    }

    @Test(
        "O9: two meals at about the same time go to the one courier near, who fetches and brings both, and is free then"
    )
    func whole() async throws {
        try await MealWorld.with { world in
            let (courier, orders) = try await offered(world)
            let reasoning = try #require(try await world.rides.reasonings(orders[0].id).last)
            #expect(Set(reasoning.bundle ?? []) == Set(orders.map(\.id)) && reasoning.outcome == .offered)
            #expect(reasoning.weighed.map(\.provider) == [courier] && reasoning.weighed.first?.added != nil)
            var fetching: [Order] = []
            for order in orders { fetching.append(try await world.accept(order, by: courier)) }
            #expect(try await world.trip(courier) == Set(orders.map(\.id)))
            for order in fetching { _ = try await world.handOver(order, order.food?.handOverCode) }
            try await world.expectConsistency()
            // Each customer follows the courier, and is told of the own meal.
            let record = RecordPositions(pool: world.pool, markets: world.orders.markets, freshness: 120)
            let fix = Fix(place: RideWorld.north(200), at: Date() + 10)
            let told = try await record([PositionReport(provider: courier, fix: fix)])
            #expect(Set(told.positions.compactMap { $0.tracking?.order }) == Set(orders.map(\.id)))
            _ = try await world.orders.confirm(orders[1], by: courier, at: .thisMillisecond + 11)
            #expect(try await world.orders.held(courier) == orders[0].id)
            _ = try await world.orders.confirm(orders[0], by: courier, at: .thisMillisecond + 12)
            #expect(try await world.orders.held(courier) == nil)
            for order in orders {
                #expect(try await world.orders.confirm(order, by: order.customer.account).state == .completed)
            }
            try await world.expectConsistency()
        }
    }

    @Test("O9: where two couriers are near each brings one, for nobody has to wait then")
    func two() async throws {
        try await MealWorld.with { world in
            let couriers = [try await world.rides.driver(north: 100), try await world.rides.driver(north: 120)]
            let orders = [try await world.preparing(), try await world.preparing()]
            #expect(try await world.rides.round().offered == 2)
            var asked: Set<UUID> = []
            for order in orders { try await asked.insert(#require(world.details(order.id).provider).account) }
            #expect(asked == Set(couriers))
            try await world.expectConsistency()
        }
    }

    @Test(
        "O9: declined one and kept the other; what was declined is somebody else's, and never in a bundle of his again")
    func declines() async throws {
        try await MealWorld.with { world in
            let (courier, orders) = try await offered(world)
            try await world.decline(orders[0], by: courier)
            #expect(try await world.trip(courier) == [orders[1].id])
            _ = try await world.accept(orders[1], by: courier)
            #expect(try await world.rides.round() == RunRound.Outcome(orders: 1))
            let reasoning = try #require(try await world.rides.reasonings(orders[0].id).last)
            #expect(reasoning.outcome == .waits)
            #expect(reasoning.leftOut.contains { $0.rule == .declined && $0.providers == [courier] })
            let other = try await world.rides.driver(north: 500)
            #expect(try await world.rides.round().offered == 1)
            #expect(try await world.details(orders[0].id).provider?.account == other)
            try await world.expectConsistency()
            // The last one frees him.
            try await world.giveUp(orders[1], by: courier)
            #expect(try await world.orders.held(courier) == nil)
            try await world.expectConsistency()
        }
    }

    @Test("O9: who is heading for the restaurant gets one more of it, not of another, and nothing once one has left it")
    func adds() async throws {
        try await MealWorld.with { world in
            let nonna = try await MealWorld(world.rides)
            let courier = try await world.rides.driver(north: 60)
            let first = try await world.preparing()
            #expect(try await world.rides.round().offered == 1)
            let fetching = try await world.accept(first, by: courier)
            let second = try await world.preparing()
            #expect(try await world.rides.round().offered == 1)
            #expect(try await world.details(second.id).provider?.account == courier)
            let bundle = try await world.rides.reasonings(second.id).last?.bundle
            #expect(bundle == [first.id, second.id])
            let elsewhere = try await nonna.preparing()
            #expect(try await world.rides.round() == RunRound.Outcome(orders: 1))
            #expect(try await world.rides.reasonings(elsewhere.id).last?.outcome == .waits)
            #expect(try await !world.rides.offer(elsewhere, to: courier))
            _ = try await world.handOver(fetching, fetching.food?.handOverCode)
            let third = try await world.preparing()
            #expect(try await world.rides.round() == RunRound.Outcome(orders: 2))
            #expect(try await !world.rides.offer(third, to: courier))
            // What he was asked for before is his to answer.
            let added = try await world.accept(second, by: courier)
            _ = try await world.handOver(added, added.food?.handOverCode)
            try await world.expectConsistency()
        }
    }

    @Test("O9: not more than the limit; a ride not at all, nor a meal for who drives somebody")
    func limits() async throws {
        try await MealWorld.with { world in
            let courier = try await world.rides.driver(north: 60)
            var orders: [Order] = []
            for _ in 0...ClaimCouriers.limit { orders.append(try await world.preparing()) }
            let pairs = orders.map { OfferOrders.Pair(order: $0.id, provider: courier) }
            let made = try await world.pool.withTransaction { transaction in
                try await world.operations.offer(
                    pairs, in: .btnc, needsSubscription: false, at: { .thisMillisecond }, in: transaction)
            }
            #expect(made == Set(pairs.dropLast()))
            let ride = try await world.rides.ride()
            #expect(try await !world.rides.offer(ride, to: courier))
            await #expect(throws: OrderRefusal.providerBusy(.requested)) {
                try await world.rides.take(ride, by: courier)
            }
            let driver = try await world.rides.driver(north: 60)
            _ = try await world.rides.take(ride, by: driver)
            #expect(try await !world.rides.offer(orders[ClaimCouriers.limit], to: driver))
            try await world.expectConsistency()
        }
    }

    @Test("O9, O3: one of two refused by the restaurant, reported or cancelled by an admin: the other goes on")
    func endsOne() async throws {
        try await MealWorld.with { world in
            var (courier, orders) = try await offered(world)
            try await world.decline(orders[0])
            #expect(try await world.trip(courier) == [orders[1].id])
            _ = try await world.accept(orders[1], by: courier)
            try await world.orders.report(orders[1], by: orders[1].customer.account)
            #expect(try await world.orders.held(courier) == nil)
            try await world.expectConsistency()

            try await world.pool.execute(SetAvailability(market: "btnc", account: courier, isAvailable: false))
            (courier, orders) = try await offered(world)
            _ = try await world.pool.query(
                StoreBan(account: courier, market: "btnc", until: nil, at: .thisMillisecond, version: nil))
            for (order, left) in zip(orders, [[orders[1].id], []]) {
                try await world.pool.withTransaction { transaction in
                    try await world.operations.endBanned(order.id, at: .thisMillisecond, in: transaction)
                }
                #expect(try await world.details(order.id).state == .preparing)
                #expect(try await world.trip(courier) == Set(left))
            }
            #expect(try await world.orders.held(courier) == nil)
            try await world.expectConsistency()
        }
    }

    private struct CopyTrips: Statement {
        static let sql: SQL = """
            WITH copies AS (
                INSERT INTO orders (id, market, kind, version, state, customer, customer_name, services, total, currency,
                    payment_state, payment_version, confirmed_by, changed_by, is_near, latitude, longitude, requested_at,
                    changed_at)
                SELECT gen_random_uuid(), market, kind, version, state, customer, customer_name, services, total, currency,
                    payment_state, payment_version, confirmed_by, changed_by, is_near, latitude, longitude, requested_at,
                    changed_at
                FROM orders, generate_series(1, 20000) WHERE id = $1 RETURNING id
            ), couriers AS (INSERT INTO providers (account) SELECT id FROM copies)
            INSERT INTO courier_trips (order_id, provider, restaurant) SELECT id, id, gen_random_uuid() FROM copies
            """
        let order: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(order) }
    }

    private struct Analyze: Statement { static let sql: SQL = "ANALYZE courier_trips, orders, providers" }

    private struct ExplainTrips: Statement {
        static let sql: SQL = """
            EXPLAIN SELECT orders.id FROM courier_trips AS trip JOIN orders ON orders.id = trip.order_id
            WHERE trip.provider = ANY (ARRAY['00000000-0000-0000-0000-000000000001'::uuid])
            """
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }

    private struct ExplainLeave: Statement {
        static let sql: SQL = """
            EXPLAIN SELECT order_id FROM courier_trips WHERE provider = '00000000-0000-0000-0000-000000000001'
            ORDER BY joined_at, order_id LIMIT 1
            """
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }

    @Test("Q5: what a courier holds is read by index among twenty thousand")
    func plans() async throws {
        try await MealWorld.with { world in
            try await world.pool.execute(CopyTrips(order: try await world.requested().id))
            try await world.pool.execute(Analyze())
            for plan in [
                try await world.pool.query(ExplainTrips()), try await world.pool.query(ExplainLeave()),
            ].map({ $0.joined(separator: "\n") }) {
                #expect(plan.contains("courier_trips_of_provider") && !plan.contains("Seq Scan"), "\(plan)")
            }
        }
    }
}

extension MealWorld {
    /// What a courier holds.
    func trip(_ courier: UUID) async throws -> Set<UUID> {
        Set(try await pool.query(ListTrips(providers: [courier])).map(\.meal.id))
    }

    /// What never may be, at any moment: see ``FindTripInconsistencies``.
    func expectConsistency(at place: SourceLocation = #_sourceLocation) async throws {
        let found = try await pool.query(FindTripInconsistencies(limit: ClaimCouriers.limit))
        #expect(found == [], sourceLocation: place)
        try await rides.expectConsistency(at: place)
    }
}

/// Meals that are held against their state, and couriers who hold too much, of two restaurants, or are free or not against
/// what they hold.
struct FindTripInconsistencies: Statement {
    static let sql: SQL = """
        SELECT o.id::text || ' ' || o.state || ': held ' || (trip.order_id IS NOT NULL) FROM orders AS o
        LEFT JOIN courier_trips AS trip ON trip.order_id = o.id
        WHERE o.kind = 'food' AND (
            (trip.order_id IS NOT NULL) <> (o.state IN ('offered', 'accepted', 'arrived')
                OR o.state = 'inProgress' AND cardinality(o.confirmed_by) = 0)
            OR trip.provider <> o.provider
            OR trip.handed_over <> (o.state = 'inProgress')
            OR (o.state = 'offered') <> EXISTS (
                SELECT FROM offers WHERE offers.order_id = o.id AND offers.provider = o.provider AND outcome IS NULL)
            OR EXISTS (SELECT FROM searches WHERE searches.order_id = o.id AND round_at IS NOT NULL)
                <> (o.state = 'preparing'))
        UNION ALL
        SELECT provider.account::text || ': ' || count(trip.order_id) || ' of ' || count(DISTINCT trip.restaurant)
        FROM providers AS provider LEFT JOIN courier_trips AS trip ON trip.provider = provider.account
        GROUP BY provider.account, provider.current_order
        HAVING count(trip.order_id) > $1 OR count(DISTINCT trip.restaurant) > 1
            OR count(trip.order_id) > 0 AND coalesce(NOT bool_or(trip.order_id = provider.current_order), true)
            OR count(trip.order_id) = 0 AND EXISTS (
                SELECT FROM orders WHERE orders.id = provider.current_order AND orders.kind = 'food')
        """
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
