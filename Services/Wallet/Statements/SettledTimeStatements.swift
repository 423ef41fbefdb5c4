import Foundation
import Postgres

/// Before which no row comes to be any more. A row's time is the program's, taken up to a quarter of a second before its
/// transaction has begun, or later. A transaction of half a minute that has written nothing is a reader.
struct FindSettledTime: Statement {
    static let sql: SQL = """
        SELECT least(min(xact_start), statement_timestamp()) - interval '250 milliseconds' FROM pg_stat_activity
        WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
            AND backend_type = 'client backend'
            AND (backend_xid IS NOT NULL OR xact_start > statement_timestamp() - interval '30 seconds')
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Date { try row.next() }
}
