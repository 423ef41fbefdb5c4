import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import Synchronization
import TestKit
import Testing

@testable import SeraiDispatch

/// A database with series in it. The engine that orders are asked of is written down here.
struct SeriesWorld: Sendable {
    /// What was asked of the engine, and what it answers.
    final class Engine: Sendable {
        struct Failure: Error {}

        let asked = Mutex<[LocalDay]>([])
        let answer = Mutex<VisitRequestOutcome?>(nil)
        let fails = Mutex(false)
        /// What a visit costs at this moment.
        let price = Mutex<Money?>(nil)

        func request(_ visit: SeriesVisit) throws -> VisitRequestOutcome {
            if fails.withLock({ $0 }) { throw Failure() }
            asked.withLock { $0.append(visit.day) }
            return answer.withLock { $0 } ?? .requested(order: .timeOrdered())
        }
    }

    /// A Monday, 9:00 in Riyadh.
    static let now = Date(timeIntervalSince1970: 1_795_413_600)
    static let today = LocalDay("2026-11-23")

    let database: TestDatabase
    let pool: PostgresPool
    let engine = Engine()
    let zone = Zone()

    /// The market's zone, which its admin may change.
    final class Zone: Sendable {
        private let name = Mutex("Asia/Riyadh")

        func change(to zone: String) { name.withLock { $0 = zone } }

        var clock: MarketClock { { _ in ZonedClock(self.name.withLock { $0 }) } }
    }

    var change: ChangeSeries {
        ChangeSeries(
            check: { _, _, _, _ in }, clock: zone.clock, price: { [engine] _ in engine.price.withLock { $0 } })
    }

    static func with(_ body: (SeriesWorld) async throws -> Void) async throws {
        try await TestDatabase.withDatabase(DispatchService.migrations) { database in
            try await database.withPool(maximum: 8) { pool in
                try await body(SeriesWorld(database: database, pool: pool))
            }
        }
    }

    var advance: AdvanceSeries {
        let engine = engine
        let request: RequestVisit = { _, visit, _, transaction in
            let outcome = try engine.request(visit)
            if case .requested(let order) = outcome { transaction.send(InsertBareOrder(order: order)) }
            return outcome
        }
        return AdvanceSeries(request: request, clock: zone.clock)
    }

    func input(
        _ rule: String, customer: UUID = .timeOrdered(), from day: String = "2026-11-23", minute: Int = 600,
        except: [String] = [], recipient: UUID? = nil
    ) throws -> BeginSeries.Input {
        BeginSeries.Input(
            market: .assef, customer: customer,
            wish: Series.Wish(
                services: ["wound-care"], place: Order.Place(latitude: 24.7, longitude: 46.7, description: "Door 3"),
                preferred: nil, recipient: recipient),
            rule: try RecurrenceRule(rule), firstDay: try #require(LocalDay(day)), minute: minute,
            exceptions: Set(except.compactMap { LocalDay($0) }), method: .wallet)
    }

    func begin(_ input: BeginSeries.Input, at now: Date = SeriesWorld.now) async throws -> Series {
        try await pool.withTransaction { transaction in
            let begin = BeginSeries(
                advance: advance, check: { _, _, _, _ in }, currency: { _ in "SAR" },
                price: { [engine] _ in engine.price.withLock { $0 } })
            return try await begin(input, at: now, in: transaction)
        }
    }

    /// As its deadline does.
    func fire(_ series: UUID, at now: Date) async throws {
        try await pool.withTransaction { transaction in try await advance(series, at: now, in: transaction) }
    }

    func visits(_ series: UUID) async throws -> [SeriesVisit] {
        let first = try #require(LocalDay("2026-01-01"))
        return try await pool.query(
            ListSeriesVisits(series: series, first: first, last: first.advanced(by: 2_000), limit: 1_000)
        ).compactMap(\.visit)
    }

    /// What was told to come to nothing.
    func dropped(_ series: UUID) async throws -> [SeriesVisitDropped] {
        try await pool.query(ReadEvents(order: series.text))
            .filter { $0.name == SeriesVisitDropped.name.text }
            .map { try JSON.wire.decode(SeriesVisitDropped.self, $0.payload.utf8) }
    }

    func told<M: Message>(_ series: UUID, _ type: M.Type) async throws -> [M] {
        try await pool.query(ReadEvents(order: series.text))
            .filter { $0.name == M.name.text }
            .map { try JSON.wire.decode(M.self, $0.payload.utf8) }
    }

    func due(_ series: UUID) async throws -> Date? {
        let deadlines = try await pool.query(ReadDeadlines(order: series.text))
        #expect(deadlines.count <= 1)
        return deadlines.first?.dueAt
    }

    static func day(_ text: String) throws -> LocalDay { try #require(LocalDay(text)) }
}
