import Foundation
import Postgres

/// Continues an unfinished run, or begins one.
struct BeginRepublication: Statement {
    static let sql: SQL = """
        INSERT INTO republications AS r (kind) VALUES ($1)
        ON CONFLICT (kind) DO UPDATE SET
            after = CASE WHEN $2 OR r.ended_at IS NOT NULL THEN NULL ELSE r.after END,
            told = CASE WHEN $2 OR r.ended_at IS NOT NULL THEN 0 ELSE r.told END,
            started_at = CASE WHEN $2 OR r.ended_at IS NOT NULL THEN now() ELSE r.started_at END,
            ended_at = NULL
        """
    let kind: String
    let anew: Bool
    func bind(_ bindings: inout Bindings) { bindings.append(kind, anew) }
}

/// No row when another process has published the last part.
struct LockRepublication: Statement {
    static let sql: SQL =
        "SELECT after, now() FROM republications WHERE kind = $1 AND ended_at IS NULL FOR UPDATE"
    let kind: String
    func bind(_ bindings: inout Bindings) { bindings.append(kind) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (after: UUID?, now: Date) {
        (try row.next(), try row.next())
    }
}

struct AdvanceRepublication: Statement {
    static let sql: SQL = """
        UPDATE republications SET after = coalesce($2, after), told = told + $3,
            ended_at = CASE WHEN $2::uuid IS NULL THEN now() END
        WHERE kind = $1
        """
    let kind: String
    let part: RepublishedKind.Part
    func bind(_ bindings: inout Bindings) { bindings.append(kind, part.last, part.count) }
}

struct IsRepublicationOpen: Statement {
    static let sql: SQL = "SELECT EXISTS (SELECT FROM republications WHERE kind = $1 AND ended_at IS NULL)"
    let kind: String
    func bind(_ bindings: inout Bindings) { bindings.append(kind) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

struct CountRepublished: Statement {
    static let sql: SQL = "SELECT told FROM republications WHERE kind = $1"
    let kind: String
    func bind(_ bindings: inout Bindings) { bindings.append(kind) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// The number of messages that wait to be published, up to a limit.
struct CountWaiting: Statement {
    static let sql: SQL =
        "SELECT count(*) FROM (SELECT FROM outbox WHERE published_at IS NULL LIMIT $1) AS waiting"
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
