import Foundation
import Postgres

/// The time below which no deadline is looked for.
///
/// Fired ones stay in the index for as long as any snapshot may see them, a dump's for instance, and a read that began at the
/// index's beginning would pass all of them. So the beginning is looked for now and then, as often as costs a fiftieth of the
/// time, and other reads begin there. A deadline that is set for a time below it, long over when it commits, is found by the
/// next such look.
struct DeadlineFloor {
    /// Nil is the beginning.
    private(set) var dueAt: Date?
    private(set) var nextLook = ContinuousClock.now
    private static let shortestInterval: Duration = .seconds(1)

    mutating func looked(_ earliest: Date?, from began: ContinuousClock.Instant, to now: ContinuousClock.Instant) {
        dueAt = earliest
        nextLook = now + max(Self.shortestInterval, (now - began) * 50)
    }
}

/// The earliest deadline of these kinds, or some seconds ago, if that is earlier: what commits within these is above it.
struct EarliestDeadline: Statement {
    static let sql: SQL = """
        SELECT least(min(due_at), statement_timestamp() - interval '10 seconds') FROM deadlines WHERE kind = ANY ($1)
        """
    let kinds: [String]
    func bind(_ bindings: inout Bindings) { bindings.append(kinds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Date { try row.next() }
}
