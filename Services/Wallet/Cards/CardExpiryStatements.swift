import Foundation
import Postgres

/// Selects cards whose owners must be notified of the expiry, and marks them as notified. Concurrent callers get
/// different cards; each card is returned once per expiry.
struct TakeExpiringCards: Statement {
    static let sql: SQL = """
        UPDATE cards SET noticed_expiry = expiry_number
        WHERE id IN (
            SELECT id FROM cards
            WHERE noticed_expiry IS DISTINCT FROM expiry_number AND expiry_number BETWEEN $1 AND $1 + 1
            ORDER BY expiry_number LIMIT $2 FOR UPDATE SKIP LOCKED)
        RETURNING id, account, reference, brand, last_four, expiry_month, expiry_year, holder, customer, is_default,
            consented_at
        """
    /// ``CardExpiry/monthNumber(at:)``
    let month: Int
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(month, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredCard { try StoredCard(row: &row) }
}

/// Finds accounts with a card that has expired and was not processed yet.
struct FindLapsedCards: Statement {
    static let sql: SQL = """
        SELECT DISTINCT account FROM (
            SELECT account FROM cards WHERE lapsed_expiry IS DISTINCT FROM expiry_number AND expiry_number < $1 LIMIT $2
        ) AS lapsed
        """
    let month: Int
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(month, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Marks the account's expired cards as processed.
struct MarkLapsedCards: Statement {
    static let sql: SQL = """
        UPDATE cards SET lapsed_expiry = expiry_number
        WHERE account = $1 AND expiry_number < $2 AND lapsed_expiry IS DISTINCT FROM expiry_number
        """
    let account: UUID
    let month: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, month) }
}

/// Stores whether the account has a chargeable card. Returns a row when this changed; the first row of an account is
/// written only when it has one.
struct NoteAccountMethod: Statement {
    static let sql: SQL = """
        INSERT INTO account_methods AS known (account, has_method, version)
        SELECT $1, has, 1 FROM (SELECT EXISTS (SELECT FROM cards WHERE account = $1 AND expiry_number >= $2) AS has) AS now
        WHERE has OR EXISTS (SELECT FROM account_methods WHERE account = $1)
        ON CONFLICT (account) DO UPDATE
        SET has_method = excluded.has_method, version = known.version + 1, changed_at = now()
        WHERE known.has_method <> excluded.has_method
        RETURNING has_method, version
        """
    let account: UUID
    let month: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, month) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (hasMethod: Bool, version: Int) {
        (try row.next(), try row.next())
    }
}

/// Finds accounts with a chargeable card about which nothing was ever published.
struct FindUntoldMethods: Statement {
    static let sql: SQL = """
        SELECT DISTINCT account FROM cards
        WHERE expiry_number >= $1
            AND NOT EXISTS (SELECT FROM account_methods WHERE account_methods.account = cards.account)
        LIMIT $2
        """
    /// ``CardExpiry/monthNumber(at:)``
    let month: Int
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(month, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Locks the last published state of accounts, in the order of their ids, until the commit.
struct LockAccountMethods: Statement {
    struct Row: Sendable {
        let account: UUID
        let hasMethod: Bool
        let version: Int
    }

    static let sql: SQL = """
        SELECT account, has_method, version FROM account_methods
        WHERE $1::uuid IS NULL OR account > $1 ORDER BY account LIMIT $2 FOR NO KEY UPDATE
        """
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(account: try row.next(), hasMethod: try row.next(), version: try row.next())
    }
}

struct DeleteAccountMethod: Statement {
    static let sql: SQL = "DELETE FROM account_methods WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
