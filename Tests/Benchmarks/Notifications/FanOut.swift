import Foundation
import Messaging
import Postgres
import TestKit

/// A general notice to a crowd that nobody has heard of: its people are written into the service's projection, and the notice
/// as its route would write it.
struct FanOut: Sendable {
    private let service: NotificationsProcess
    private let crowd: Int
    /// A market's name for each round, so that its people are this crowd alone.
    private let market = "bench-\(UUID().uuidString)"
    private let notice = UUID.timeOrdered()

    init(service: NotificationsProcess, crowd: Int) {
        self.service = service
        self.crowd = crowd
    }

    /// Writes the crowd.
    func prepare() async throws {
        try await service.database.withPool { pool in
            try await pool.withTransaction { transaction in
                for _ in 0..<(crowd / 1_000) {
                    let accounts = (0..<1_000).map { _ in UUID.timeOrdered() }
                    _ = try await transaction.execute(InsertPeople(market: market, accounts: accounts))
                }
            }
        }
    }

    /// Writes the notice, waits until it is gone, and answers how many got it a second.
    func perSecond() async throws -> Double {
        try await service.database.withPool { pool in
            _ = try await pool.execute(InsertNotice(id: notice, market: market))
            let start = ContinuousClock.now
            while try await pool.first(FindState(id: notice)) != "gone" { try await Task.sleep(for: .milliseconds(50)) }
            return Double(crowd / 1_000 * 1_000) / ((ContinuousClock.now - start) / .seconds(1))
        }
    }

    /// Whether it has still to be sent to some.
    func isGoing() async throws -> Bool {
        try await service.database.withPool { pool in try await pool.first(FindState(id: notice)) != "gone" }
    }

    private struct InsertPeople: Statement {
        static let sql: SQL = """
            WITH crowd AS (
                INSERT INTO notifications.people (account, language, version)
                SELECT account, 'en', 1 FROM unnest($2::uuid[]) AS account
            )
            INSERT INTO notifications.market_people (market, account, is_customer, is_provider)
            SELECT $1, account, true, false FROM unnest($2::uuid[]) AS account
            """
        let market: String
        let accounts: [UUID]
        func bind(_ bindings: inout Bindings) { bindings.append(market, accounts) }
    }

    private struct InsertNotice: Statement {
        static let sql: SQL = """
            INSERT INTO notifications.general_notices
                (id, market, arguments, audience, due_at, created_at, created_by)
            VALUES ($1, $2, $3, 'all', now(), now(), $1)
            """
        let id: UUID
        let market: String
        func bind(_ bindings: inout Bindings) {
            let words = #"{"subject": {"words": [{"en": "A"}]}, "content": {"words": [{"en": "B"}]}}"#
            bindings.append(id, market, words)
        }
    }

    private struct FindState: Statement {
        static let sql: SQL = "SELECT state FROM notifications.general_notices WHERE id = $1"
        let id: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(id) }
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }
}
