import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import Synchronization
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O7: visits of series that come to nothing", .timeLimit(.minutes(15)))
struct DroppedVisitTests {
    @Test("O7, N1: a visit that is refused, or was missed, is told with its reason, once; what is ordered is not")
    func told() async throws {
        try await SeriesWorld.with { world in
            world.engine.answer.withLock { $0 = .refused(reason: "outside-opening-hours") }
            let refused = try await world.begin(world.input("FREQ=DAILY;COUNT=1"))
            let visit = try #require(try await world.visits(refused.id).first)
            let event = try #require(try await world.dropped(refused.id).first)
            #expect(event.series == refused.id && event.customer == refused.customer && event.market == "assef")
            #expect(event.day == visit.day.text && event.reason == "outside-opening-hours")
            #expect(event.startsAt == visit.startsAt && event.at == SeriesWorld.now)
            try await world.fire(refused.id, at: SeriesWorld.now + SeriesTests.hour)
            #expect(try await world.dropped(refused.id).count == 1)

            world.engine.answer.withLock { $0 = .later }
            let missed = try await world.begin(world.input("FREQ=DAILY;COUNT=2"))
            #expect(try await world.dropped(missed.id).isEmpty)
            world.engine.answer.withLock { $0 = nil }
            try await world.fire(missed.id, at: SeriesWorld.now + SeriesTests.dayLength)
            #expect(try await world.visits(missed.id).map(\.state) == [.missed, .requested])
            #expect(try await world.dropped(missed.id).map(\.reason) == ["missed"])
        }
    }

    @Test("O7, N1: after an outage each visit that was missed is told once; what was left out, or over before, is not")
    func outage() async throws {
        try await SeriesWorld.with { world in
            let series = try await world.begin(world.input("FREQ=DAILY"))
            let skipped = try SeriesWorld.day("2026-12-03")
            _ = try await world.pool.withTransaction { transaction in
                try await world.change.skip(
                    skipped, of: series.id, by: series.customer, at: SeriesWorld.now, in: transaction)
            }
            for _ in 0..<2 {
                try await world.fire(series.id, at: SeriesWorld.now + 20 * SeriesTests.dayLength)
                let missed = try await world.visits(series.id).filter { $0.state == .missed }
                #expect(missed.count == 13 && !missed.contains { $0.day == skipped })
                #expect(try await world.dropped(series.id).map(\.day).sorted() == missed.map(\.day.text))
            }

            // It is nine o'clock.
            let late = try await world.begin(world.input("FREQ=DAILY;COUNT=2", minute: 60))
            #expect(try await world.visits(late.id).map(\.state) == [.missed, .requested])
            #expect(try await world.dropped(late.id).isEmpty)
        }
    }

    @Test("O7: a visit that was refused can be moved, and is asked for again; one that was missed stays so")
    func moved() async throws {
        try await SeriesWorld.with { world in
            world.engine.answer.withLock { $0 = .refused(reason: "outside-opening-hours") }
            let series = try await world.begin(world.input("FREQ=DAILY;COUNT=1"))
            let day = try SeriesWorld.day("2026-11-23")
            world.engine.answer.withLock { $0 = nil }
            let moved = try await world.pool.withTransaction { transaction in
                try await world.change.move(
                    day, of: series.id, to: (day.advanced(by: 1), 600), by: series.customer, at: SeriesWorld.now,
                    in: transaction)
            }
            #expect(moved.state == .planned && moved.reason == nil && moved.isMoved)
            try await world.fire(series.id, at: SeriesWorld.now)
            let visits = try await world.visits(series.id)
            #expect(visits.map(\.state) == [.requested] && visits.first?.startsAt == moved.startsAt)
            let missed = SeriesVisit(day: day, startsAt: SeriesWorld.now + 60, state: .missed)
            #expect(throws: SeriesRefusal.over(.missed)) {
                try missed.moved(to: SeriesWorld.now + 120, at: SeriesWorld.now)
            }
            let refused = SeriesVisit(
                day: day, startsAt: SeriesWorld.now + 60, state: .refused, reason: "unknown-service")
            #expect(throws: SeriesRefusal.over(.refused)) { try refused.skipped(at: SeriesWorld.now) }
        }
    }

    @Test("O7: more visits than one run orders wait for a yes to their price: all are looked at, and the run ends")
    func manyWait() async throws {
        try await SeriesWorld.with { world in
            world.engine.price.withLock { $0 = Money(amount: 12_000, currency: "SAR") }
            world.engine.answer.withLock { $0 = .priceRose(to: 15_000, currency: "SAR") }
            let series = try await world.begin(world.input("FREQ=MONTHLY;COUNT=2"))
            // The customer has moved them all to one day.
            try await world.pool.execute(
                MoveMany(series: series.id, count: 30, at: SeriesWorld.now + 3 * SeriesTests.dayLength))
            world.engine.asked.withLock { $0 = [] }
            try await world.fire(series.id, at: SeriesWorld.now)
            #expect(world.engine.asked.withLock { $0 }.count >= 30)
            let next = try #require(try await world.due(series.id))
            #expect(next > SeriesWorld.now)
        }
    }

    private struct MoveMany: Statement {
        static let sql: SQL = """
            INSERT INTO series_occurrences (series, day, starts_at, state, is_moved)
            SELECT $1, '2027-06-01'::date + n, $3 + make_interval(mins => n), 'planned', true FROM generate_series(1, $2) AS n
            """
        let series: UUID
        let count: Int32
        let at: Date
        func bind(_ bindings: inout Bindings) { bindings.append(series, count, at) }
    }
}
