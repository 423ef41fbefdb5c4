import Contracts
import Foundation
import Postgres

/// Stores whether the contacts of an order's provider and of its customer and recipient are open to each other; the
/// newest version wins. Nothing is stored when one of the two accounts is deleted.
struct StoreOpenedContact: Statement {
    static let sql: SQL = """
        INSERT INTO opened_contacts AS opened
            (order_id, market, customer, provider, version, is_open, changed_at, recipient, closes_at)
        SELECT $1, $2, customer.id, provider.id, $5, $6, $7, (SELECT id FROM accounts WHERE id = $8),
            CASE WHEN NOT $10 THEN $9::timestamptz END
        FROM accounts AS customer, accounts AS provider
        WHERE customer.id = $3 AND provider.id = $4 FOR KEY SHARE
        ON CONFLICT (order_id) DO UPDATE SET customer = excluded.customer, provider = excluded.provider,
            version = excluded.version, is_open = excluded.is_open, changed_at = excluded.changed_at,
            recipient = excluded.recipient,
            closes_at = CASE WHEN opened.is_open OR NOT $10 THEN $9::timestamptz END
        WHERE opened.version < excluded.version
        """
    let order: OrderSnapshot
    let provider: UUID
    let isOpen: Bool
    /// Until when contacts stay open after the end.
    let closesAt: Date?
    /// Whether they stay open only if they were.
    let needsOpen: Bool

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            order.order, order.market, order.customer.account, provider, order.version, isOpen, order.changedAt,
            order.recipient?.account, closesAt, needsOpen)
    }
}

/// Deletes up to five rows that were closed before a moment. It runs with each new row, so few old rows remain.
struct PurgeOpenedContacts: Statement {
    static let sql: SQL = """
        DELETE FROM opened_contacts USING (
            SELECT order_id FROM opened_contacts WHERE NOT is_open AND changed_at < $1
            ORDER BY changed_at LIMIT 5 FOR UPDATE SKIP LOCKED
        ) AS old WHERE opened_contacts.order_id = old.order_id
        """
    let before: Date
    func bind(_ bindings: inout Bindings) { bindings.append(before) }
}

/// A row when two people of a market see each other's contact now.
struct FindOpenedContact: Statement {
    static let sql: SQL = """
        SELECT true FROM opened_contacts
        WHERE (is_open OR closes_at > $4) AND market = $3
            AND (customer = $1 AND provider = $2 OR customer = $2 AND provider = $1
                OR recipient = $1 AND provider = $2 OR recipient = $2 AND provider = $1)
        LIMIT 1
        """
    let one: UUID
    let other: UUID
    let market: String
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(one, other, market, now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}
