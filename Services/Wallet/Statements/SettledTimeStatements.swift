import Foundation
import Postgres

/// Finds a time before which no new row can appear. A row's time is taken by the program at most 250 ms before its
/// transaction begins. A transaction that has written nothing for 30 seconds counts as a reader.
struct FindSettledTime: Statement {
    static let sql: SQL = """
        SELECT least(min(xact_start), statement_timestamp()) - interval '250 milliseconds' FROM pg_stat_activity
        WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
            AND backend_type = 'client backend'
            AND (backend_xid IS NOT NULL OR xact_start > statement_timestamp() - interval '30 seconds')
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Date { try row.next() }
}
