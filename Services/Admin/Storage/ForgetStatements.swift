import Foundation
import Postgres

/// The row stays: by its version a snapshot that comes late is known as old.
struct ForgetPerson: Statement {
    static let sql: StaticString = """
        INSERT INTO people (account, version, name, language) VALUES ($1, $2, $3, 'en')
        ON CONFLICT (account) DO UPDATE
        SET version = excluded.version, name = excluded.name, gender = NULL, language = excluded.language
        """
    let account: UUID
    let version: Int
    let name: String

    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(version)
        bindings.append(name)
    }
}

struct ForgetCustomer: Statement {
    static let sql: StaticString = """
        UPDATE orders SET snapshot = jsonb_set(snapshot, '{customer,name}', to_jsonb($2::text)) WHERE customer = $1
        """
    let account: UUID
    let name: String

    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(name)
    }
}

struct ForgetProvider: Statement {
    static let sql: StaticString = """
        UPDATE orders SET snapshot = jsonb_set(snapshot, '{provider,name}', to_jsonb($2::text)), companion = NULL
        WHERE provider = $1
        """
    let account: UUID
    let name: String

    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(name)
    }
}

struct ForgetComments: Statement {
    static let sql: StaticString = """
        UPDATE ratings SET comment = NULL FROM orders
        WHERE orders.id = ratings.order_id AND (orders.customer = $1 OR orders.provider = $1)
            AND ratings.from_account = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Keeps those whom orders name from being forgotten until the commit, and tells who is gone already; of who is not
/// known there is no row. What is written of them before is then found by ``ForgetCustomer`` and ``ForgetProvider``,
/// and what comes after sees that they are gone.
struct LockPeople: Statement {
    static let sql: StaticString = """
        SELECT account, name = $2 FROM people WHERE account = ANY ($1::uuid[]) ORDER BY account FOR SHARE
        """
    let accounts: [UUID]
    /// That stands for those who are gone.
    let goneName: String

    func bind(_ bindings: inout Bindings) {
        bindings.append(accounts)
        bindings.append(goneName)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (account: UUID, isGone: Bool) {
        (try row.next(), try row.next())
    }
}

/// Takes the orders that somebody's end changes, in the order of their ids as ``StoreOrders`` does: else two that
/// change several could wait for each other in a circle.
struct LockOrdersOfPerson: Statement {
    static let sql: StaticString = """
        SELECT FROM orders WHERE id = ANY (ARRAY(
            SELECT id FROM orders WHERE customer = $1 UNION SELECT id FROM orders WHERE provider = $1
            UNION SELECT order_id FROM reports WHERE account = $1
        )) ORDER BY id FOR UPDATE
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// What comes of orders after an account's end brings no name back.
struct ForgetLate: Statement {
    static let sql: StaticString = """
        UPDATE orders o SET
            snapshot = CASE WHEN c.account IS NULL THEN s.snapshot
                ELSE jsonb_set(s.snapshot, '{customer,name}', to_jsonb($2::text)) END,
            companion = CASE WHEN p.account IS NULL THEN o.companion END
        FROM (
            SELECT id, customer, provider, CASE WHEN EXISTS (
                    SELECT FROM people WHERE account = provider AND name = $2)
                THEN jsonb_set(snapshot, '{provider,name}', to_jsonb($2::text)) ELSE snapshot END AS snapshot
            FROM orders WHERE id = ANY ($1::uuid[])) AS s
            LEFT JOIN people c ON c.account = s.customer AND c.name = $2
            LEFT JOIN people p ON p.account = s.provider AND p.name = $2
        WHERE o.id = s.id AND (c.account IS NOT NULL OR p.account IS NOT NULL)
        """
    let orders: [UUID]
    /// That stands for those who are gone.
    let name: String

    func bind(_ bindings: inout Bindings) {
        bindings.append(orders)
        bindings.append(name)
    }
}

/// The same for what somebody who is gone has written.
struct ForgetLateComment: Statement {
    static let sql: StaticString = """
        UPDATE ratings SET comment = NULL FROM people
        WHERE order_id = $1 AND from_account = $2 AND people.account = $2 AND people.name = $3
        """
    let order: UUID
    let from: UUID
    let name: String

    func bind(_ bindings: inout Bindings) {
        bindings.append(order)
        bindings.append(from)
        bindings.append(name)
    }
}
