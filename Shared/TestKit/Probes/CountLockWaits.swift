public import Postgres

/// How many sessions of this database wait for another one's lock.
public struct CountLockWaits: Statement {
    public static let sql: SQL = """
        SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        """
    public init() {}
    public static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
