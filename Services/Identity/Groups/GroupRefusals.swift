import Foundation
import Postgres

/// How often a leader has asked somebody who was taken out or did not come; no row for never.
struct FindGroupRefusals: Statement {
    static let sql: SQL = "SELECT times, last_at FROM friend_group_refusals WHERE leader = $1 AND account = $2"
    let leader: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(leader, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (times: Int, last: Date) {
        (Int(try row.next(Int32.self)), try row.next())
    }
}

/// Notes that somebody whom a leader had asked was taken out, or did not want to come.
struct NoteGroupRefusal: Statement {
    static let sql: SQL = """
        INSERT INTO friend_group_refusals AS r (leader, account, times, last_at) VALUES ($1, $2, 1, $3)
        ON CONFLICT (leader, account) DO UPDATE SET times = r.times + 1, last_at = excluded.last_at
        """
    let leader: UUID
    let account: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(leader, account, now) }
}

/// The same for all who are asked into a group that ends: a new one of the same name is no other question.
struct NoteRefusalsOfGroup: Statement {
    static let sql: SQL = """
        INSERT INTO friend_group_refusals AS r (leader, account, times, last_at)
        SELECT g.leader, m.account, 1, $2 FROM friend_groups AS g JOIN friend_group_members AS m ON m.group_id = g.id
        WHERE g.id = $1 AND m.joined_at IS NULL ORDER BY m.account
        ON CONFLICT (leader, account) DO UPDATE SET times = r.times + 1, last_at = excluded.last_at
        """
    let group: UUID
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(group, now) }
}

/// Whoever says yes may be asked again.
struct ForgetGroupRefusals: Statement {
    static let sql: SQL = "DELETE FROM friend_group_refusals WHERE leader = $1 AND account = $2"
    let leader: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(leader, account) }
}

/// Deletes the refusals of an account that is gone: those it made, and those made to it as a leader.
struct DeleteGroupRefusals: Statement {
    static let sql: SQL = "DELETE FROM friend_group_refusals WHERE leader = $1 OR account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct PurgeGroupRefusals: Statement {
    static let sql: SQL = """
        DELETE FROM friend_group_refusals WHERE (leader, account) IN (
            SELECT leader, account FROM friend_group_refusals WHERE last_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}
