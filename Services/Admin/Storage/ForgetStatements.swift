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
