import Foundation
import Postgres

/// Until the transaction's end nobody else adds a card to the account: they are counted before.
struct LockCards: Statement {
    static let sql: StaticString =
        "SELECT pg_advisory_xact_lock(hashtextextended('wallet.cards:' || $1::text, 0))"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Touches no row when the account has as many cards as it may.
struct InsertCard: Statement {
    static let sql: StaticString = """
        INSERT INTO cards (id, account, reference, brand, last_four, expiry_month, expiry_year, holder)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE (SELECT count(*) FROM cards WHERE account = $2) < $9
        """
    let card: StoredCard
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(card.id)
        bindings.append(card.account)
        bindings.append(card.reference)
        bindings.append(card.brand)
        bindings.append(card.lastFour)
        bindings.append(card.expiry.month)
        bindings.append(card.expiry.year)
        bindings.append(card.holder)
        bindings.append(limit)
    }
}

struct ListCards: Statement {
    static let sql: StaticString = """
        SELECT id, account, reference, brand, last_four, expiry_month, expiry_year, holder
        FROM cards WHERE account = $1 ORDER BY id LIMIT 100
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredCard { try StoredCard(row: &row) }
}

struct FindCard: Statement {
    static let sql: StaticString = """
        SELECT id, account, reference, brand, last_four, expiry_month, expiry_year, holder
        FROM cards WHERE id = $1 AND account = $2
        """
    let card: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) {
        bindings.append(card)
        bindings.append(account)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredCard { try StoredCard(row: &row) }
}

struct DeleteCard: Statement {
    static let sql: StaticString = "DELETE FROM cards WHERE id = $1 AND account = $2"
    let card: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) {
        bindings.append(card)
        bindings.append(account)
    }
}

extension StoredCard {
    fileprivate init(row: inout RowReader) throws(PostgresError) {
        let id: UUID = try row.next()
        let account: UUID = try row.next()
        let reference: String = try row.next()
        let brand: String = try row.next()
        let lastFour: String = try row.next()
        let expiry = CardExpiry(month: try row.next(), year: try row.next())
        let holder: String = try row.next()
        self.init(
            id: id, account: account, reference: reference, brand: brand, lastFour: lastFour,
            expiry: expiry ?? CardExpiry.unknown, holder: holder)
    }
}
