import Foundation
import Postgres

/// Places that were the last ones before a moment, of whoever has reported nothing since. Those that are just being written
/// are left.
///
/// The table is read, and has no index by time on purpose: it has a row for each provider, and a time that is in an index
/// would make a new version in every index of the row with each report.
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
