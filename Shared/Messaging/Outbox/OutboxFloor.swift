import Postgres

/// The number below which no message waits in the outbox and none can appear. Pure.
///
/// Index entries of removed rows stay while any snapshot, such as a dump's, may see them. A read from the beginning of
/// the index would pass them all each time.
///
/// A number is drawn before its row is visible, so the last visible number is no floor. But a transaction that has
/// drawn a number has locked the table for writing until it ends. So the lowest waiting number is remembered together
/// with the transactions that are writing then. Once all of these have ended, their rows are visible, and the lower of
/// the two numbers is the floor.
struct OutboxFloor {
    /// Rows with smaller numbers need not be read.
    private(set) var number = 0
    private var candidate: (number: Int, writers: Set<String>)?

    /// - Parameters:
    ///   - highest: the highest number that this relay had read before the other two were read.
    ///   - writers: the transactions that may have written into the outbox.
    ///   - lowest: the lowest waiting number, read after the writers; nil for none.
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

/// The transactions of other sessions that write into the outbox now.
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
