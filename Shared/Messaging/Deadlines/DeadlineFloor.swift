import Foundation
import Postgres

/// The time from which on deadlines are searched.
///
/// Index entries of fired deadlines stay while any snapshot, such as a dump's, may see them, and a search from the
/// beginning of the index would pass them all. So the beginning is searched only now and then, as often as takes a
/// fiftieth of the time, and other searches begin at its result. A deadline that commits with a time before this is
/// found by the next such search, at most ten seconds later: on a busy machine a search may wait long for its turn.
struct DeadlineFloor {
    /// Nil for the beginning.
    private(set) var dueAt: Date?
    private(set) var nextLook = ContinuousClock.now
    private static let shortestInterval: Duration = .seconds(1)
    private static let longestInterval: Duration = .seconds(10)

    mutating func looked(_ earliest: Date?, from began: ContinuousClock.Instant, to now: ContinuousClock.Instant) {
        dueAt = earliest
        nextLook = now + min(max(Self.shortestInterval, (now - began) * 50), Self.longestInterval)
    }
}

/// The earliest deadline of these kinds, or ten seconds ago if that is earlier: deadlines that commit within these
/// seconds are not below it.
struct EarliestDeadline: Statement {
    static let sql: SQL = """
        SELECT least(min(due_at), statement_timestamp() - interval '10 seconds') FROM deadlines WHERE kind = ANY ($1)
        """
    let kinds: [String]
    func bind(_ bindings: inout Bindings) { bindings.append(kinds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Date { try row.next() }
}
