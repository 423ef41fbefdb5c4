import Contracts
import Foundation
import Postgres

extension RebuildRun {
    fileprivate init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        let names: [String] = try row.next()
        parts = names.compactMap(RebuildReadModels.Part.init)
        startedBy = try row.next()
        startedAt = try row.next()
        done = try row.next()
        after = try row.next()
        askedAt = try row.next()
        rows = try row.next()
        left = try row.next()
        countedAt = try row.next()
        movedAt = try row.next()
        endedAt = try row.next()
    }
}

private enum RebuildColumns {
    static let all: SQL = """
        id, parts, started_by, started_at, done, after, asked_at, row_count, left_count, counted_at, moved_at, ended_at
        """
}

/// Begins a run, unless one runs: then no row.
struct BeginRebuild: Statement {
    static let sql: SQL = """
        INSERT INTO rebuilds (id, parts, started_by, started_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING
        RETURNING \(RebuildColumns.all)
        """
    let id: UUID
    let parts: [RebuildReadModels.Part]
    let by: UUID
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(id, parts.map(\.rawValue), by, at) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> RebuildRun { try RebuildRun(&row) }
}

struct FindLastRebuild: Statement {
    static let sql: SQL = "SELECT \(RebuildColumns.all) FROM rebuilds ORDER BY started_at DESC LIMIT 1"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> RebuildRun { try RebuildRun(&row) }
}

/// Locks the run that has not ended; no row while another process does a step of it.
struct LockRebuild: Statement {
    static let sql: SQL = "SELECT \(RebuildColumns.all) FROM rebuilds WHERE ended_at IS NULL FOR UPDATE SKIP LOCKED"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> RebuildRun { try RebuildRun(&row) }
}

struct AdvanceRebuild: Statement {
    static let sql: SQL = "UPDATE rebuilds SET done = $2, after = $3 WHERE id = $1"
    let id: UUID
    let done: Int
    let after: UUID?
    func bind(_ bindings: inout Bindings) { bindings.append(id, done, after) }
}

struct AskForRebuild: Statement {
    static let sql: SQL = """
        UPDATE rebuilds SET asked_at = $3, row_count = $2, left_count = $2, counted_at = $3, moved_at = $3 WHERE id = $1
        """
    let id: UUID
    let rows: Int
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(id, rows, at) }
}

struct CountRebuild: Statement {
    static let sql: SQL =
        "UPDATE rebuilds SET left_count = $2, counted_at = $3, moved_at = $4, ended_at = $5 WHERE id = $1"
    let id: UUID
    let left: Int
    let at: Date
    let movedAt: Date
    let endedAt: Date?
    func bind(_ bindings: inout Bindings) { bindings.append(id, left, at, movedAt, endedAt) }
}

/// Counts the rows of the parts that wait to be told again.
struct CountDoubted: Statement {
    static let sql: SQL = """
        SELECT CASE WHEN 'people' = ANY ($1) THEN
                (SELECT count(*) FROM people WHERE version = 0 AND name <> $2) ELSE 0 END
            + CASE WHEN 'orders' = ANY ($1) THEN (SELECT count(*) FROM orders WHERE version = 0) ELSE 0 END
            + CASE WHEN 'payments' = ANY ($1) THEN (SELECT count(*) FROM payments WHERE version = 0) ELSE 0 END
        """
    let parts: [RebuildReadModels.Part]
    func bind(_ bindings: inout Bindings) { bindings.append(parts.map(\.rawValue), AccountSnapshot.goneName) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
