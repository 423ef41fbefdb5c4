import Foundation
import Postgres

extension StoredCard {
    /// Reads the columns of every statement that selects cards, in this order.
    init(row: inout RowReader) throws(PostgresError) {
        let id: UUID = try row.next()
        let account: UUID = try row.next()
        let reference: String = try row.next()
        let brand: String = try row.next()
        let lastFour: String = try row.next()
        let expiry = CardExpiry(month: try row.next(), year: try row.next())
        let holder: String = try row.next()
        self.init(
            id: id, account: account, reference: reference, brand: brand, lastFour: lastFour,
            expiry: expiry ?? CardExpiry.unknown, holder: holder, customer: try row.next(),
            isDefault: try row.next(), consentedAt: try row.next())
    }
}

/// Serializes changes of an account's cards until the transaction ends. Taken before any row lock.
struct LockCards: Statement {
    static let sql: SQL =
        "SELECT pg_advisory_xact_lock(hashtextextended('wallet.cards:' || $1::text, 0))"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Inserts a card unless the account has the maximum number. The account's first card becomes the default.
struct InsertCard: Statement {
    static let sql: SQL = """
        INSERT INTO cards (
            id, account, reference, brand, last_four, expiry_month, expiry_year, holder, customer, consented_at,
            fingerprint, is_default)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $10, $11, $12::text, NOT EXISTS (SELECT FROM cards WHERE account = $2)
        WHERE (SELECT count(*) FROM cards WHERE account = $2) < $9
        RETURNING id, account, reference, brand, last_four, expiry_month, expiry_year, holder, customer, is_default,
            consented_at
        """
    let card: StoredCard
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            card.id, card.account, card.reference, card.brand, card.lastFour, card.expiry.month, card.expiry.year,
            card.holder, limit, card.customer, card.consentedAt, card.fingerprint)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredCard { try StoredCard(row: &row) }
}

struct ListCards: Statement {
    static let sql: SQL = """
        SELECT id, account, reference, brand, last_four, expiry_month, expiry_year, holder, customer, is_default,
            consented_at
        FROM cards WHERE account = $1 ORDER BY id LIMIT 100
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredCard { try StoredCard(row: &row) }
}

struct FindCard: Statement {
    static let sql: SQL = """
        SELECT id, account, reference, brand, last_four, expiry_month, expiry_year, holder, customer, is_default,
            consented_at
        FROM cards WHERE id = $1 AND account = $2
        """
    let card: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(card, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredCard { try StoredCard(row: &row) }
}

/// Finds an account's card by the payment provider's fingerprint of its number.
struct FindCardByNumber: Statement {
    static let sql: SQL = """
        SELECT id, account, reference, brand, last_four, expiry_month, expiry_year, holder, customer, is_default,
            consented_at
        FROM cards WHERE account = $1 AND fingerprint = $2
        """
    let account: UUID
    let fingerprint: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, fingerprint) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredCard { try StoredCard(row: &row) }
}

/// Updates what the owner may change of a card; nil keeps a value.
struct UpdateCard: Statement {
    static let sql: SQL = """
        UPDATE cards
        SET holder = coalesce($3, holder), expiry_month = coalesce($4::smallint, expiry_month),
            expiry_year = coalesce($5::smallint, expiry_year),
            consented_at = CASE WHEN $6::boolean THEN coalesce(consented_at, $7) WHEN NOT $6::boolean THEN NULL
                ELSE consented_at END
        WHERE id = $1 AND account = $2
        """
    let card: UUID
    let account: UUID
    let holder: String?
    let expiry: CardExpiry?
    let consents: Bool?
    let at: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(card, account, holder, expiry?.month, expiry?.year, consents, at)
    }
}

/// Clears the account's default card, before another becomes the default.
struct ClearDefaultCard: Statement {
    static let sql: SQL = "UPDATE cards SET is_default = false WHERE account = $1 AND is_default"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct ChooseDefaultCard: Statement {
    static let sql: SQL = "UPDATE cards SET is_default = true WHERE id = $1 AND account = $2"
    let card: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(card, account) }
}

/// Makes the newest card the default when the account has none.
struct ReplaceDefaultCard: Statement {
    static let sql: SQL = """
        UPDATE cards SET is_default = true
        WHERE id = (SELECT id FROM cards WHERE account = $1 ORDER BY id DESC LIMIT 1)
            AND NOT EXISTS (SELECT FROM cards WHERE account = $1 AND is_default)
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// - Returns: the payment provider's reference of the deleted card.
struct DeleteCard: Statement {
    static let sql: SQL = "DELETE FROM cards WHERE id = $1 AND account = $2 RETURNING reference"
    let card: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(card, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Prevents the removal of a card that is to be charged until the transaction ends. Returns no row when the card is
/// already removed. A later removal sees the charge.
struct ShareLockCard: Statement {
    static let sql: SQL = "SELECT id FROM cards WHERE account = $1 AND reference = $2 FOR KEY SHARE"
    let account: UUID
    let reference: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, reference) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Finds the card that an account consented to be charged with in its absence: the default, otherwise the newest. Locks
/// it as ``ShareLockCard`` does.
struct FindConsentedCard: Statement {
    static let sql: SQL = """
        SELECT id, account, reference, brand, last_four, expiry_month, expiry_year, holder, customer, is_default,
            consented_at
        FROM cards WHERE account = $1 AND consented_at IS NOT NULL AND expiry_number >= $2
        ORDER BY is_default DESC, id DESC LIMIT 1 FOR KEY SHARE
        """
    let account: UUID
    /// ``CardExpiry/monthNumber(at:)``
    let month: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, month) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredCard { try StoredCard(row: &row) }
}
