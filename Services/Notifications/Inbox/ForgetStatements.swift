import Contracts
import Foundation
import Postgres

struct DeleteStream: Statement {
    static let sql: SQL = "DELETE FROM stream_events WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// From here on nothing is told the account. Waits for what is being told it at this moment, so that what follows in the
/// transaction sees that.
struct CloseStream: Statement {
    static let sql: SQL = """
        INSERT INTO streams (account, last_seq, is_gone) VALUES ($1, 0, true)
        ON CONFLICT (account) DO UPDATE SET is_gone = true
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Leaves only the version, so that a snapshot that comes late is known as old.
struct ForgetPerson: Statement {
    static let sql: SQL = """
        INSERT INTO people AS p (account, language, version) VALUES ($1, '', $2)
        ON CONFLICT (account) DO UPDATE SET language = '', version = greatest(p.version, EXCLUDED.version)
        """
    let account: UUID
    let version: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, version) }
}

/// Takes the name out of what others were told, of so many items at once. (In what their streams can have again it stays for
/// those few days.)
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

/// Who is gone; others may have been told the name.
struct AddNameToForget: Statement {
    static let sql: SQL = "INSERT INTO names_to_forget (account) VALUES ($1) ON CONFLICT DO NOTHING"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// One of them that nobody else takes out at this moment.
struct LockNameToForget: Statement {
    static let sql: SQL = "SELECT account FROM names_to_forget LIMIT 1 FOR UPDATE SKIP LOCKED"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct RemoveNameToForget: Statement {
    static let sql: SQL = "DELETE FROM names_to_forget WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
