import Foundation
import Postgres

struct KeepEndedSessions: Statement {
    static let sql: SQL = """
        INSERT INTO ended_sessions (session, forget_at) SELECT session, $2 FROM unnest($1::uuid[]) AS session
        ON CONFLICT (session) DO NOTHING
        """
    let sessions: [UUID]
    let until: Date

    func bind(_ bindings: inout Bindings) { bindings.append(sessions, until) }
}

struct ListEndedSessions: Statement {
    static let sql: SQL = "SELECT session, heard_at, forget_at FROM ended_sessions WHERE heard_at >= $1"
    let from: Date

    struct Row: Sendable {
        let session: UUID
        let heardAt: Date
        let forgetAt: Date
    }

    func bind(_ bindings: inout Bindings) { bindings.append(from) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(session: try row.next(), heardAt: try row.next(), forgetAt: try row.next())
    }
}

struct ForgetEndedSessions: Statement {
    static let sql: SQL = """
        DELETE FROM ended_sessions WHERE session IN (
            SELECT session FROM ended_sessions WHERE forget_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}
