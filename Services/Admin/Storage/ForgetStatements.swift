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

/// Keeps those whom an order names from being forgotten until the commit. What is written of them before is then found by
/// ``ForgetCustomer`` and ``ForgetProvider``, and what comes after sees that they are gone.
struct LockPeople: Statement {
    static let sql: StaticString = "SELECT FROM people WHERE account = ANY ($1::uuid[]) ORDER BY account FOR SHARE"
    let accounts: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(accounts) }
}

/// An order's event that comes after the account's end brings no name back.
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
            FROM orders WHERE id = $1) AS s
            LEFT JOIN people c ON c.account = s.customer AND c.name = $2
            LEFT JOIN people p ON p.account = s.provider AND p.name = $2
        WHERE o.id = s.id AND (c.account IS NOT NULL OR p.account IS NOT NULL)
        """
    let order: UUID
    /// That stands for those who are gone.
    let name: String

    func bind(_ bindings: inout Bindings) {
        bindings.append(order)
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
