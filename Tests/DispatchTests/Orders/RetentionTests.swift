import Contracts
import Foundation
import Matching
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

private struct CountOdometers: Statement {
    static let sql: SQL = "SELECT count(*) FROM order_odometers"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct CountTrailPlaces: Statement {
    static let sql: SQL = "SELECT count(*) FROM order_trails"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct ExplainOld: Statement {
    static let sql: SQL = """
        EXPLAIN SELECT id FROM orders WHERE market = 'assef' AND is_final AND requested_at < '2020-01-01'
        ORDER BY requested_at LIMIT 500 FOR UPDATE SKIP LOCKED
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// A quote, a code, a bike and a visit of a series that name an order.
private struct InsertNamesakes: Statement {
    static let sql: SQL = """
        WITH rack AS (
            INSERT INTO racks (id, market, name, latitude, longitude, is_active, key_hash, changed_at)
            VALUES (gen_random_uuid(), 'assef', 'City', 0, 0, true, '', now()) RETURNING id
        ), code AS (
            INSERT INTO unlock_codes (order_id, rack, hash, expires_at) SELECT $1, id, '', now() FROM rack
        ), bike AS (
            INSERT INTO bikes (id, market, type, order_id) VALUES (gen_random_uuid(), 'assef', 'city', $1)
        ), quote AS (
            INSERT INTO quotes (
                id, market, account, kind, tariff, from_latitude, from_longitude, to_latitude, to_longitude, terms,
                total, currency, made_at, expires_at, order_id)
            VALUES (gen_random_uuid(), 'assef', $1, 'ride', 'regular', 0, 0, 0, 0, '{}', 0, 'SAR', now(), now(), $1)
        ), run AS (
            INSERT INTO series (
                id, market, customer, services, latitude, longitude, rule, first_day, minute, exceptions, state,
                created_at)
            VALUES (gen_random_uuid(), 'assef', $1, '{}', 0, 0, 'FREQ=DAILY', '2099-01-01', 0, '{}', 'active', now())
            RETURNING id
        )
        INSERT INTO series_occurrences (series, day, starts_at, state, order_id)
        SELECT id, '2099-01-01', '2099-01-01', 'requested', $1 FROM run
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}

/// Quotes, codes, and bikes and visits without an order.
private struct CountNamesakes: Statement {
    static let sql: SQL = """
        SELECT ARRAY[
            (SELECT count(*) FROM quotes), (SELECT count(*) FROM unlock_codes),
            (SELECT count(*) FROM bikes WHERE order_id IS NULL),
            (SELECT count(*) FROM series_occurrences WHERE order_id IS NULL)]
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> [Int] { try row.next() }
}

@Suite("Q9: old orders", .timeLimit(.minutes(15)))
struct RetentionTests {
    @Test("Q9, C6, C7, O7: an old order takes its quote and code with it; a bike and a visit stay without it")
    func namesakes() async throws {
        try await OrderWorld.with { world in
            let now = Date.thisMillisecond
            let order = try await world.order(in: .completed)
            try await world.pool.execute(InsertNamesakes(order: order.id))
            #expect(try await world.pool.first(CountNamesakes()) == [1, 1, 0, 0])
            try await world.pool.execute(AgeOrder(order: order.id, at: now - 19 * 31 * 86_400))
            let pass = RetentionPass(
                pool: world.pool, markets: world.markets, clock: { .thisMillisecond }, logger: TestThreads.logger)
            try await pass.pass(at: now)
            #expect(try await world.state(order.id) == nil)
            #expect(try await world.pool.first(CountNamesakes()) == [0, 0, 1, 1])
        }
    }

    @Test("Q9: ended orders go with all that hangs on them when the market's time is over; sums and what goes on stay")
    func old() async throws {
        try await OrderWorld.with { world in
            let now = Date.thisMillisecond
            let months = 86_400.0 * 31
            let (gone, kept, running) = (
                try await world.order(in: .completed), try await world.order(in: .completed),
                try await world.order(in: .enRoute)
            )
            for order in [gone, kept, running] {
                try await world.drive(order.id, metres: 5_000)
                try await world.leaveTrail(order, places: 2)
            }
            try await world.report(gone, by: gone.customer.account, cancels: false)
            try await world.pool.withTransaction { transaction in
                _ = try await world.operations.rate(
                    gone.id, by: gone.customer.account,
                    RateOrder.Input(stars: 5, serviceStars: nil, comment: "By name"), at: now, in: transaction)
                transaction.send(
                    AddEarnings(earned: [
                        .init(market: "assef", account: gone.assignee, kind: "visit", currency: "SAR", amount: 10_200)
                    ]))
            }
            try await world.pool.execute(AgeOrder(order: gone.id, at: now - 19 * months))
            try await world.pool.execute(AgeOrder(order: running.id, at: now - 19 * months))
            try await world.pool.execute(AgeOrder(order: kept.id, at: now - 16 * months))
            let pass = RetentionPass(
                pool: world.pool, markets: world.markets, clock: { .thisMillisecond }, logger: TestThreads.logger)
            try await pass.pass(at: now)
            #expect(try await world.state(gone.id) == nil)
            #expect(try await world.state(kept.id) == .completed)
            #expect(try await world.state(running.id) == .enRoute)
            // It was ordered as long ago for a late time, and has ended just now.
            let late = try await world.order(in: .requested)
            try await world.pool.execute(AgeOrder(order: late.id, at: now - 19 * months))
            _ = try await world.cancel(late)
            try await pass.pass(at: now)
            #expect(try await world.state(late.id) == .cancelled)
            #expect(try await world.pool.first(CountOdometers()) == 2)
            #expect(try await world.pool.first(CountTrailPlaces()) == 4)
            #expect(try await world.pool.query(ListReports(order: gone.id)).isEmpty)
            let earned = try await world.pool.first(ListEarnings(market: "assef", account: gone.assignee))
            #expect(earned?.amount == 10_200)
            let stars = FindStanding(market: "assef", account: gone.assignee, role: .provider)
            #expect(try await world.pool.first(stars) == .init(stars: 5, count: 1))
            // An admin keeps less.
            try await world.set(.retentionMonths, to: "12")
            try await pass.pass(at: now)
            #expect(try await world.state(kept.id) == nil)
        }
    }

    @Test("Q9: what is old is found by an index, and no order is read for it")
    func index() async throws {
        try await OrderWorld.with { world in
            _ = try await world.order(in: .completed)
            let plan = try await world.pool.query(ExplainOld()).joined()
            #expect(plan.contains("orders_ended"), "\(plan)")
        }
    }

    @Test("Q9, P8: where a provider was last is forgotten after a day")
    func positions() async throws {
        try await OrderWorld.with { world in
            let now = Date.thisMillisecond
            let (silent, fresh) = (UUID.timeOrdered(), UUID.timeOrdered())
            let reports = [(silent, 86_401.0), (fresh, 86_000)].map { provider, age in
                PositionReport(provider: provider, fix: Fix(place: RideWorld.perth, at: now - age))
            }
            try await world.pool.execute(StorePositions(reports: reports))
            try await RetentionPass(
                pool: world.pool, markets: world.markets, clock: { .thisMillisecond }, logger: TestThreads.logger
            ).pass(at: now)
            #expect(try await world.pool.first(FindLastPosition(provider: silent)) == nil)
            #expect(try await world.pool.first(FindLastPosition(provider: fresh)) != nil)
        }
    }

    @Test("Q9, O7: a visit that was moved far ahead is kept until its day is old, so that it is not ordered once more")
    func moved() async throws {
        try await SeriesWorld.with { world in
            let series = try await world.begin(world.input("FREQ=MONTHLY;BYMONTHDAY=20"))
            let (far, tomorrow) = (try SeriesWorld.day("2028-06-20"), try SeriesWorld.day("2026-11-24"))
            _ = try await world.pool.withTransaction { transaction in
                try await world.change.move(
                    far, of: series.id, to: (tomorrow, 600), by: series.customer, at: SeriesWorld.now, in: transaction)
            }
            try await world.fire(series.id, at: SeriesWorld.now)
            #expect(try await world.visits(series.id).map(\.state) == [.requested])
            let markets = OrderWorld(database: world.database, pool: world.pool).markets
            let pass = RetentionPass(
                pool: world.pool, markets: markets, clock: { .thisMillisecond }, logger: TestThreads.logger)
            // Eighteen months after the visit, and before its day.
            try await pass.pass(at: SeriesWorld.now + 86_400 * 555)
            #expect(try await world.visits(series.id).map(\.day) == [far])
            try await pass.pass(at: SeriesWorld.now + 86_400 * 1_200)
            #expect(try await world.visits(series.id).isEmpty)
        }
    }

    @Test("Q9, O7: a series whose rule names no further visit ends a day after its last one, and goes as others do")
    func over() async throws {
        try await SeriesWorld.with { world in
            let series = try await world.begin(world.input("FREQ=DAILY;COUNT=3"))
            let last = try #require(try await world.visits(series.id).last?.startsAt)
            var now = SeriesWorld.now
            while let due = try await world.due(series.id), due > now {
                #expect(try await world.pool.first(FindSeries(series: series.id))?.series().state == .active)
                now = due
                try await world.fire(series.id, at: now)
            }
            #expect(now == last.addingTimeInterval(AdvanceSeries.endSeconds))
            let ended = try #require(try await world.pool.first(FindSeries(series: series.id))?.series())
            #expect(ended.state == .ended && ended.endedReason == "over" && ended.endedAt == now)
            #expect(try await world.pool.first(HasActiveSeries(customer: series.customer)) == false)
            let markets = OrderWorld(database: world.database, pool: world.pool).markets
            let pass = RetentionPass(
                pool: world.pool, markets: markets, clock: { .thisMillisecond }, logger: TestThreads.logger)
            try await pass.pass(at: now + 86_400 * 31 * 19)
            #expect(try await world.pool.first(FindSeries(series: series.id)) == nil)
        }
    }

    @Test("Q9: of series, the visits that were long ago go, and those that ended long ago")
    func series() async throws {
        try await SeriesWorld.with { world in
            let (running, ended) = (
                try await world.begin(world.input("FREQ=DAILY")), try await world.begin(world.input("FREQ=DAILY"))
            )
            _ = try await world.pool.withTransaction { transaction in
                try await world.change.end(ended.id, by: ended.customer, at: SeriesWorld.now, in: transaction)
            }
            let markets = OrderWorld(database: world.database, pool: world.pool).markets
            let pass = RetentionPass(
                pool: world.pool, markets: markets, clock: { .thisMillisecond }, logger: TestThreads.logger)
            try await pass.pass(at: SeriesWorld.now + 86_400 * 31 * 19)
            #expect(try await world.pool.first(FindSeries(series: ended.id)) == nil)
            // What was not looked at for so long is missed first, by its own deadline.
            #expect(try await world.visits(running.id).allSatisfy { $0.state == .planned })
            #expect(try await world.pool.first(FindSeries(series: running.id)) != nil)
        }
    }
}
