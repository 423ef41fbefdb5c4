import Contracts
import Foundation

import Messaging
import Postgres
import ServiceKit
import Synchronization
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O7: series of visits", .timeLimit(.minutes(15)))
struct SeriesTests {
    static let hour = 3_600.0
    static let dayLength = 86_400.0

    @Test("O7: the visits of the next days are ordered at once, each once, and the others when their time comes")
    func ahead() async throws {
        try await SeriesWorld.with { world in
            let series = try await world.begin(world.input("FREQ=DAILY;COUNT=10"))
            // Ten o'clock of six days from now on is not six days away yet.
            #expect(
                try await world.visits(series.id).map(\.state) == Array(repeating: .requested, count: 6) + [.planned])
            let due = try #require(try await world.due(series.id))
            #expect(due == SeriesWorld.now + Self.hour)

            var now = due
            for _ in 0..<20 {
                try await world.fire(series.id, at: now)
                guard let next = try await world.due(series.id), next > now else { break }
                now = next
            }
            let visits = try await world.visits(series.id)
            #expect(visits.count == 10 && visits.allSatisfy { $0.state == .requested && $0.order != nil })
            #expect(Set(visits.compactMap(\.order)).count == 10)
            #expect(world.engine.asked.withLock { $0 } == visits.map(\.day))
        }
    }

    @Test("P2, O7: with another zone what is planned keeps its instant, and what comes then goes by the new zone")
    func otherZone() async throws {
        try await SeriesWorld.with { world in
            let series = try await world.begin(world.input("FREQ=DAILY;COUNT=12"))
            let planned = try await world.visits(series.id)
            #expect(!planned.isEmpty && planned.count < 12)
            world.zone.change(to: "Asia/Tokyo")
            try await world.fire(series.id, at: SeriesWorld.now + 8 * Self.dayLength)
            let visits = try await world.visits(series.id)
            #expect(visits.count == 12 && Set(visits.map(\.day)).count == 12)
            #expect(visits.prefix(planned.count).map(\.startsAt) == planned.map(\.startsAt))
            let tokyo = try #require(ZonedClock("Asia/Tokyo"))
            for visit in visits.dropFirst(planned.count) {
                #expect(visit.startsAt == tokyo.moment(visit.day, minute: 600))
            }
        }
    }

    @Test("O7: what is asked for again at the same time, by any number of workers, makes no visit twice")
    func racing() async throws {
        try await SeriesWorld.with { world in
            let series = try await world.begin(world.input("FREQ=DAILY;COUNT=40"))
            for step in 1...10 {
                let now = SeriesWorld.now + Double(step * 2) * Self.dayLength
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<6 { group.addTask { try await world.fire(series.id, at: now) } }
                    try await group.waitForAll()
                }
                // Who found the row taken has left a deadline behind.
                try await world.fire(series.id, at: now)
            }
            let visits = try await world.visits(series.id)
            #expect(Set(visits.map(\.day)).count == visits.count)
            let asked = world.engine.asked.withLock { $0 }
            #expect(asked.count == Set(asked).count, "\(asked)")
            #expect(asked.count == visits.count { $0.state == .requested } && asked.count == 26)
        }
    }

    @Test("O7: a worker that dies in the middle has done nothing, and the deadline stays")
    func dying() async throws {
        try await SeriesWorld.with { world in
            let series = try await world.begin(world.input("FREQ=WEEKLY;COUNT=4"))
            let due = try #require(try await world.due(series.id))
            let before = try await world.visits(series.id)
            world.engine.fails.withLock { $0 = true }
            await #expect(throws: SeriesWorld.Engine.Failure.self) { try await world.fire(series.id, at: due) }
            #expect(try await world.visits(series.id) == before)
            #expect(try await world.due(series.id) == due)
            world.engine.fails.withLock { $0 = false }
            try await world.fire(series.id, at: due)
            #expect(try await world.visits(series.id).map(\.state) == [.requested, .requested])
        }
    }

    @Test("O7: the runner fires a series' deadline, and after an outage what is past is missed, and said to be")
    func outage() async throws {
        try await SeriesWorld.with { world in
            // It was made long ago, and nothing ran since.
            let past = Date.thisMillisecond - 30 * Self.dayLength
            let clock = try #require(ZonedClock("Asia/Riyadh"))
            let input = try world.input("FREQ=DAILY", from: clock.wall(at: past).day.text, minute: 1)
            world.engine.answer.withLock { $0 = .later }
            let series = try await world.begin(input, at: past)
            world.engine.answer.withLock { $0 = nil }
            let advance = world.advance
            let runner = DeadlineRunner(
                pool: world.pool,
                handlers: [
                    AdvanceSeries.deadlineKind: { deadline, transaction in
                        let id = try #require(UUID(uuidString: deadline.subject))
                        try await advance(id, at: .thisMillisecond, in: transaction)
                    }
                ], logger: TestThreads.logger)
            let running = Task { try await runner.run() }
            try await eventually("nothing is due any more") {
                guard let due = try await world.due(series.id) else { return false }
                return due > Date()
            }
            running.cancel()
            _ = await running.result
            let visits = try await world.visits(series.id)
            let now = Date()
            #expect(
                visits.allSatisfy {
                    $0.state == ($0.startsAt > now ? .requested : .missed) || $0.startsAt > now + Series.ahead
                })
            #expect(visits.contains { $0.state == .missed } && visits.contains { $0.state == .requested })
            #expect(visits.map(\.day) == (0..<visits.count).map { visits[0].day.advanced(by: $0) })
            try await expectMissedTold(of: series, since: past, world)
        }
    }

    /// Each that was missed is told, but for the first day's, whose time was over before the series began.
    private func expectMissedTold(of series: Series, since past: Date, _ world: SeriesWorld) async throws {
        let visits = try await world.visits(series.id)
        let missed = visits.filter { $0.state == .missed && $0.startsAt > past }.map(\.day.text)
        let told = try await world.dropped(series.id)
        #expect(missed.count >= 28)
        #expect(told.map(\.day).sorted() == missed)
        #expect(told.allSatisfy { $0.reason == "missed" && $0.customer == series.customer })
    }

    @Test("O7: a visit that was skipped or moved stays so, before it is planned and after")
    func single() async throws {
        try await SeriesWorld.with { world in
            let series = try await world.begin(world.input("FREQ=WEEKLY;BYDAY=MO,TH"))
            let (skipped, moved) = (try SeriesWorld.day("2026-12-07"), try SeriesWorld.day("2026-12-10"))
            let customer = series.customer
            let other = try SeriesWorld.day("2026-12-11")
            try await world.pool.withTransaction { transaction in
                _ = try await world.change.skip(
                    skipped, of: series.id, by: customer, at: SeriesWorld.now, in: transaction)
            }
            let visit = try await world.pool.withTransaction { transaction in
                try await world.change.move(
                    moved, of: series.id, to: (other, 870), by: customer, at: SeriesWorld.now, in: transaction)
            }
            #expect(UTCTime.text(visit.startsAt) == "20261211T113000Z" && visit.isMoved && visit.day == moved)
            for day in 0..<30 { try await world.fire(series.id, at: SeriesWorld.now + Double(day) * Self.dayLength) }
            let visits = try await world.visits(series.id)
            #expect(visits.first { $0.day == skipped }?.state == .skipped)
            let kept = try #require(visits.first { $0.day == moved })
            #expect(kept.state == .requested && kept.startsAt == visit.startsAt && kept.isMoved)
            #expect(!world.engine.asked.withLock { $0 }.contains(skipped))
            #expect(!visits.contains { $0.day == other })

            // Skipping again changes nothing; a visit that has its order, or is over, is not changed here.
            let late = SeriesWorld.now
            try await world.pool.withTransaction { transaction in
                #expect(
                    try await world.change.skip(skipped, of: series.id, by: customer, at: late, in: transaction).state
                        == .skipped)
                await #expect(throws: SeriesRefusal.over(.skipped)) {
                    try await world.change.move(
                        skipped, of: series.id, to: (other, 870), by: customer, at: late, in: transaction)
                }
                await #expect(throws: SeriesRefusal.requested(order: try #require(kept.order))) {
                    try await world.change.skip(moved, of: series.id, by: customer, at: late, in: transaction)
                }
                await #expect(throws: SeriesRefusal.noVisit) {
                    try await world.change.skip(other, of: series.id, by: customer, at: late, in: transaction)
                }
                let coming = try SeriesWorld.day("2027-06-07")
                await #expect(throws: SeriesRefusal.past) {
                    try await world.change.move(
                        coming, of: series.id, to: (try SeriesWorld.day("2026-11-01"), 0), by: customer, at: late,
                        in: transaction)
                }
                await #expect(throws: SeriesRefusal.tooFarAhead) {
                    try await world.change.move(
                        coming, of: series.id, to: (try SeriesWorld.day("2029-11-01"), 0), by: customer, at: late,
                        in: transaction)
                }
            }
        }
    }

    @Test("O7: a visit that is moved nearer is ordered in time")
    func movedNearer() async throws {
        try await SeriesWorld.with { world in
            let series = try await world.begin(world.input("FREQ=MONTHLY;BYMONTHDAY=20"))
            #expect(try await world.visits(series.id).isEmpty)
            let day = try SeriesWorld.day("2026-12-20")
            let tomorrow = try SeriesWorld.day("2026-11-24")
            _ = try await world.pool.withTransaction { transaction in
                try await world.change.move(
                    day, of: series.id, to: (tomorrow, 600), by: series.customer, at: SeriesWorld.now, in: transaction)
            }
            #expect(try await world.due(series.id) == SeriesWorld.now)
            try await world.fire(series.id, at: SeriesWorld.now)
            #expect(try await world.visits(series.id).map(\.state) == [.requested])
            // And the next one of the rule is due six days before.
            let next = try #require(ZonedClock("Asia/Riyadh")).moment(try SeriesWorld.day("2026-12-20"), minute: 600)
            _ = next
            try await world.fire(series.id, at: SeriesWorld.now + 30 * Self.dayLength)
            #expect(try await world.visits(series.id).map(\.day) == [day])
        }
    }

    @Test("O7: what the engine refuses is kept with its reason; what has to wait is asked again")
    func refusals() async throws {
        try await SeriesWorld.with { world in
            world.engine.answer.withLock { $0 = .refused(reason: "market-closed") }
            let refused = try await world.begin(world.input("FREQ=DAILY;COUNT=1"))
            #expect(try await world.visits(refused.id).map(\.reason) == ["market-closed"])
            // It ends then.
            let visit = try #require(try await world.visits(refused.id).first)
            #expect(try await world.due(refused.id) == visit.startsAt + AdvanceSeries.endSeconds)

            world.engine.answer.withLock { $0 = .later }
            let waiting = try await world.begin(world.input("FREQ=DAILY;COUNT=2"))
            #expect(try await world.visits(waiting.id).map(\.state) == [.planned, .planned])
            #expect(try await world.due(waiting.id) == SeriesWorld.now + AdvanceSeries.laterPause)
            world.engine.answer.withLock { $0 = nil }
            try await world.fire(waiting.id, at: SeriesWorld.now + AdvanceSeries.laterPause)
            #expect(try await world.visits(waiting.id).map(\.state) == [.requested, .requested])
        }
    }

    @Test("O7: a series that was ended plans no more; its orders stay")
    func end() async throws {
        try await SeriesWorld.with { world in
            let series = try await world.begin(world.input("FREQ=DAILY"))
            let ended = try await world.pool.withTransaction { transaction in
                try await world.change.end(
                    series.id, by: series.customer, at: SeriesWorld.now, in: transaction)
            }
            #expect(ended.state == .ended && ended.endedAt == SeriesWorld.now)
            #expect(try await world.due(series.id) == nil)
            try await world.fire(series.id, at: SeriesWorld.now + 5 * Self.dayLength)
            let visits = try await world.visits(series.id)
            #expect(visits.count == 6 && visits.allSatisfy { $0.state == .requested })
            try await world.pool.withTransaction { transaction in
                await #expect(throws: SeriesRefusal.ended) {
                    try await world.change.skip(
                        try SeriesWorld.day("2026-12-24"), of: series.id, by: series.customer, at: SeriesWorld.now,
                        in: transaction)
                }
                let again = try await world.change.end(
                    series.id, by: series.customer, at: SeriesWorld.now + 1, in: transaction)
                #expect(again.endedAt == SeriesWorld.now)
            }
        }
    }

    @Test("O7: a customer has at most twenty, whoever asks at once, and none begins for an account that leaves")
    func bounds() async throws {
        try await SeriesWorld.with { world in
            let input = try world.input("FREQ=MONTHLY;COUNT=2", from: "2027-01-01")
            let results = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<30 { group.addTask { (try? await world.begin(input)) != nil } }
                return await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(results.count { $0 } == Series.maximum)
            await #expect(throws: SeriesRefusal.tooMany) { try await world.begin(input) }
            await #expect(throws: SeriesRefusal.past) {
                try await world.begin(world.input("FREQ=DAILY", from: "2026-11-22"))
            }
            await #expect(throws: SeriesRefusal.tooFarAhead) {
                try await world.begin(world.input("FREQ=DAILY", from: "2028-11-22"))
            }

            let leaving = UUID.timeOrdered()
            _ = try await world.pool.withTransaction { transaction in
                try await AccountDeletionGuard.begin(leaving, version: 1, in: transaction)
            }
            await #expect(throws: CustomerRefusal.leaving) {
                try await world.begin(world.input("FREQ=DAILY", customer: leaving))
            }
        }
    }

    @Test(
        "I12: while customer or relative leaves, the deadline waits for neither and has no row that they need, but looks again",
        arguments: [true, false])
    func leaving(_ isRelative: Bool) async throws {
        try await SeriesWorld.with { world in
            let (customer, relative) = (UUID.timeOrdered(), UUID.timeOrdered())
            let series = try await world.begin(
                world.input("FREQ=DAILY;COUNT=10", customer: customer, recipient: relative))
            let due = try #require(try await world.due(series.id))
            let asked = world.engine.asked.withLock { $0 }
            try await world.pool.withTransaction { transaction in
                try await AccountDeletionGuard.lock(isRelative ? relative : customer, in: transaction)
                try await world.fire(series.id, at: due)
                let again = try #require(try await world.due(series.id))
                #expect(abs(again.timeIntervalSince(due + AdvanceSeries.pause)) < 0.001)
                transaction.send(EndSeriesForRelative(account: relative, market: "*", at: due, reason: "relative-left"))
            }
            #expect(world.engine.asked.withLock { $0 } == asked)
            try await world.fire(series.id, at: due)
            #expect(world.engine.asked.withLock { $0 } == asked)
            #expect(try await world.visits(series.id).allSatisfy { $0.state == .requested })
        }
    }

    @Test("I12: with the account its series go")
    func forgotten() async throws {
        try await SeriesWorld.with { world in
            let series = try await world.begin(world.input("FREQ=DAILY"))
            try await world.pool.withTransaction { transaction in
                try await AccountDeletionHandlers.forget(
                    AccountDeleted(account: series.customer, version: 9, at: .thisMillisecond),
                    by: { .thisMillisecond },
                    transaction)
            }
            #expect(try await world.pool.first(FindSeries(series: series.id)) == nil)
            #expect(try await world.visits(series.id).isEmpty)
            // Its deadline finds nothing.
            try await world.fire(series.id, at: SeriesWorld.now + Self.dayLength)
        }
    }
}
