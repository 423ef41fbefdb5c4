import Contracts
import Foundation
import Postgres

struct DeleteStream: Statement {
    static let sql: SQL = "DELETE FROM stream_events WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Closes an account's stream: no later notice is written for it. Waits for notices that are being written, so that the
/// following statements of the transaction see them.
struct CloseStream: Statement {
    static let sql: SQL = """
        INSERT INTO streams (account, last_seq, is_gone) VALUES ($1, 0, true)
        ON CONFLICT (account) DO UPDATE SET is_gone = true
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Serializes until the commit what an account stores about itself, with the deletion of the account: whoever comes first
/// is finished first. Without it a row could be inserted that the deletion has not seen. Counts of such rows are exact
/// under it, too. Before all other locks.
struct LockOwnRows: Statement {
    static let sql: SQL = "SELECT pg_advisory_xact_lock(hashtextextended('own rows ' || $1, 0))"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account.uuidString) }
}

/// Deletes the language and keeps the version, which marks a late snapshot as old.
struct ForgetPerson: Statement {
    static let sql: SQL = """
        INSERT INTO people AS p (account, language, version) VALUES ($1, '', $2)
        ON CONFLICT (account) DO UPDATE
            SET language = '', version = greatest(p.version, EXCLUDED.version), muted = '{}'
        """
    let account: UUID
    let version: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, version) }
}

/// Removes an account's name from a batch of others' items. In stream events it stays until these are purged, a few
/// days later.
struct ForgetName: Statement {
    static let limit = 1_000

    static let sql: SQL = """
        WITH named AS (
            SELECT id FROM inbox_items WHERE named @> ARRAY[$1::uuid] ORDER BY id LIMIT $2 FOR UPDATE
        )
        UPDATE inbox_items AS i SET named = nullif(array_remove(i.named, $1), '{}'),
            arguments = without_names(i.arguments, ARRAY[$1], $3)
        FROM named WHERE i.id = named.id
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account, Self.limit, AccountSnapshot.goneName) }
}

/// Queues an account whose name has to be removed from others' items.
struct AddNameToForget: Statement {
    static let sql: SQL = "INSERT INTO names_to_forget (account) VALUES ($1) ON CONFLICT DO NOTHING"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Locks one queued account that no other process is working on.
struct LockNameToForget: Statement {
    static let sql: SQL = "SELECT account FROM names_to_forget LIMIT 1 FOR UPDATE SKIP LOCKED"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct RemoveNameToForget: Statement {
    static let sql: SQL = "DELETE FROM names_to_forget WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
