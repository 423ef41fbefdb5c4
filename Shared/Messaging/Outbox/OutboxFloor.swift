import Postgres

/// The number below which nothing waits in the outbox and nothing can come. Pure.
///
/// Removed rows stay in the index for as long as any snapshot may see them, a dump's for instance. A read that began at the
/// index's beginning would pass all of them each time.
///
/// A number is drawn before its row can be seen, so what was seen last is no floor. But whoever has drawn one has locked the
/// table for writing until his transaction ends. So the lowest number that waits is remembered together with the
/// transactions that write then; once all of these have ended, what they left can be seen, and the lower of the two numbers
/// is the floor.
struct OutboxFloor {
    /// Rows with smaller numbers need not be looked at.
    private(set) var number = 0
    private var candidate: (number: Int, writers: Set<String>)?

    /// - Parameters:
    ///   - highest: the highest number that this relay had read, before it asked for what follows.
    ///   - writers: the transactions that may have written into the outbox.
    ///   - lowest: the lowest number that waits, seen after these were; nil is none.
    mutating func look(highest: Int, writers: [String], lowest: Int?) {
        let writers = Set(writers)
        if let candidate, candidate.writers.isDisjoint(with: writers) {
            number = max(number, min(candidate.number, lowest ?? candidate.number))
            self.candidate = nil
        }
        guard candidate == nil else { return }
        let next = min(highest + 1, lowest ?? highest + 1)
        if writers.isEmpty { number = max(number, next) } else { candidate = (next, writers) }
    }
}

/// The transactions of others that write into the outbox now.
struct OutboxWriters: Statement {
    static let sql: SQL = """
        SELECT DISTINCT virtualtransaction FROM pg_locks
        WHERE locktype = 'relation' AND relation = 'outbox'::regclass AND mode = 'RowExclusiveLock' AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND pid IS DISTINCT FROM pg_backend_pid()
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

struct LowestWaiting: Statement {
    static let sql: SQL =
        "SELECT seq FROM outbox WHERE published_at IS NULL AND seq >= $1 ORDER BY seq LIMIT 1"
    let floor: Int
    func bind(_ bindings: inout Bindings) { bindings.append(floor) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
