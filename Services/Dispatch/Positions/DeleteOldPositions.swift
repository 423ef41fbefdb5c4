import Foundation
import Postgres

/// Deletes last positions that are older than a moment. Rows that are being written are skipped.
///
/// Scans the table, which has no index on the time on purpose: it has one row per provider, and with an indexed time
/// each report would write a new version of the row into every index.
struct DeleteOldPositions: Statement {
    static let sql: SQL = """
        WITH old AS (
            SELECT provider FROM provider_positions WHERE at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED
        )
        DELETE FROM provider_positions USING old WHERE provider_positions.provider = old.provider
        """
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}
