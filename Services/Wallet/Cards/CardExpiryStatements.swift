import Contracts
import Foundation
import Postgres
import SeraiJSON

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

/// Marks the account's expired cards as processed, and returns them.
struct MarkLapsedCards: Statement {
    static let sql: SQL = """
        UPDATE cards SET lapsed_expiry = expiry_number
        WHERE account = $1 AND expiry_number < $2 AND lapsed_expiry IS DISTINCT FROM expiry_number
        RETURNING id, account, reference, brand, last_four, expiry_month, expiry_year, holder, customer, is_default,
            consented_at
        """
    let account: UUID
    let month: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, month) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredCard { try StoredCard(row: &row) }
}

/// The cards of an account as other services are told of them.
struct ToldMethod: Sendable {
    let hasMethod: Bool
    let version: Int
    let cards: [MethodChanged.Card]

    init(_ row: inout RowReader) throws(PostgresError) {
        hasMethod = try row.next()
        version = try row.next()
        cards = try row.next(ToldCards.self).cards
    }
}

/// The cards of an account as JSON, in the form of ``MethodChanged/Card``.
struct ToldCards: PostgresDecodable {
    /// Aggregates rows of `cards`.
    static let list: SQL = """
        coalesce(jsonb_agg(jsonb_build_object('card', cards.id, 'expiryMonth', cards.expiry_month,
            'expiryYear', cards.expiry_year, 'isConsented', cards.consented_at IS NOT NULL) ORDER BY cards.id), '[]')
        """
    /// The cards that belong to the version of a row of `account_methods`; those of now where an older wallet wrote the row.
    static let ofVersion: SQL = """
        coalesce(account_methods.cards, (SELECT \(list) FROM cards WHERE cards.account = account_methods.account))
        """

    let cards: [MethodChanged.Card]

    static func decode(_ cell: PostgresCell) -> ToldCards? {
        guard let text = String.decode(cell) else { return nil }
        // try?: nil is the error of decoding.
        return (try? JSON.stored.decode([MethodChanged.Card].self, text.utf8)).map(ToldCards.init)
    }
}

/// Stores whether the account has a chargeable card, and its cards. Returns a row when one of these changed; the first row
/// of an account is written only when it has a chargeable card.
struct NoteAccountMethod: Statement {
    static let sql: SQL = """
        INSERT INTO account_methods AS known (account, has_method, version, cards)
        SELECT $1, now.has, 1, now.cards FROM (
            SELECT coalesce(bool_or(expiry_number >= $2), false) AS has, \(ToldCards.list) AS cards
            FROM cards WHERE account = $1
        ) AS now
        WHERE now.has OR EXISTS (SELECT FROM account_methods WHERE account = $1)
        ON CONFLICT (account) DO UPDATE
        SET has_method = excluded.has_method, version = known.version + 1, changed_at = now(), cards = excluded.cards
        WHERE known.has_method <> excluded.has_method OR known.cards IS DISTINCT FROM excluded.cards
        RETURNING has_method, version, cards::text
        """
    let account: UUID
    let month: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, month) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> ToldMethod { try ToldMethod(&row) }
}

/// Finds accounts with a chargeable card about whose cards nothing was ever published.
struct FindUnpublishedMethods: Statement {
    static let sql: SQL = """
        SELECT DISTINCT account FROM cards
        WHERE expiry_number >= $1
            AND NOT EXISTS (
                SELECT FROM account_methods AS told WHERE told.account = cards.account AND told.cards IS NOT NULL)
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
        let told: ToldMethod
    }

    static let sql: SQL = """
        SELECT account, has_method, version, \(ToldCards.ofVersion)::text
        FROM account_methods
        WHERE $1::uuid IS NULL OR account > $1 ORDER BY account LIMIT $2 FOR NO KEY UPDATE
        """
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(account: try row.next(), told: try ToldMethod(&row))
    }
}

struct DeleteAccountMethod: Statement {
    static let sql: SQL = "DELETE FROM account_methods WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
