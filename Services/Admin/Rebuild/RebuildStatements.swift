import Contracts
import Foundation
import Postgres

// Each statement handles a batch of rows after an id, in the order of ids, and returns the last id; no row means the
// end. A reset row stays visible until its owner republishes it.

/// Resets the versions of people. Deleted accounts stay as they are.
struct ResetPeopleVersions: Statement {
    static let sql: SQL = """
        WITH part AS (
            SELECT account FROM people WHERE ($1::uuid IS NULL OR account > $1)
            ORDER BY account LIMIT $2 FOR UPDATE
        ), doubted AS (
            UPDATE people SET version = 0 FROM part WHERE people.account = part.account AND people.name <> $3
        ), bans AS (
            UPDATE bans SET version = 0 FROM part WHERE bans.account = part.account
        )
        SELECT account FROM part ORDER BY account DESC LIMIT 1
        """
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(after, limit, AccountSnapshot.goneName) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct ResetOrderVersions: Statement {
    static let sql: SQL = """
        WITH part AS (
            SELECT id FROM orders WHERE ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2 FOR UPDATE
        ), doubted AS (
            UPDATE orders SET version = 0, accepted_version = NULL FROM part WHERE orders.id = part.id
        )
        SELECT id FROM part ORDER BY id DESC LIMIT 1
        """
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct ResetPaymentVersions: Statement {
    static let sql: SQL = """
        WITH part AS (
            SELECT order_id FROM payments WHERE ($1::uuid IS NULL OR order_id > $1)
            ORDER BY order_id LIMIT $2 FOR UPDATE
        ), doubted AS (
            UPDATE payments SET version = 0 FROM part WHERE payments.order_id = part.order_id
        )
        SELECT order_id FROM part ORDER BY order_id DESC LIMIT 1
        """
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Deletes people. Deleted accounts stay: their versions mark late snapshots as old.
struct EmptyPeople: Statement {
    static let sql: SQL = """
        WITH part AS (
            SELECT account FROM people WHERE ($1::uuid IS NULL OR account > $1)
            ORDER BY account LIMIT $2 FOR UPDATE
        ), roles AS (
            DELETE FROM people_of_markets AS m USING part WHERE m.account = part.account
        ), bans AS (
            DELETE FROM bans USING part WHERE bans.account = part.account
        ), emptied AS (
            DELETE FROM people USING part WHERE people.account = part.account AND people.name <> $3
        )
        SELECT account FROM part ORDER BY account DESC LIMIT 1
        """
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(after, limit, AccountSnapshot.goneName) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Deletes orders with their ratings. Timelines and reports are partly admin's own and stay; so do ended orders that
/// may be older than dispatch's retention.
struct EmptyOrders: Statement {
    static let sql: SQL = """
        WITH part AS (
            SELECT id FROM orders WHERE ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2 FOR UPDATE
        ), emptied AS (
            DELETE FROM orders USING part WHERE orders.id = part.id
                AND (orders.state NOT IN ('completed', 'cancelled', 'refused', 'expired') OR orders.requested_at > $3)
            RETURNING orders.id
        ), unrated AS (
            DELETE FROM ratings USING emptied WHERE ratings.order_id = emptied.id
        )
        SELECT id FROM part ORDER BY id DESC LIMIT 1
        """
    let after: UUID?
    let limit: Int
    let keptFrom: Date
    func bind(_ bindings: inout Bindings) { bindings.append(after, limit, keptFrom) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct EmptyPayments: Statement {
    static let sql: SQL = """
        WITH part AS (
            SELECT order_id FROM payments WHERE ($1::uuid IS NULL OR order_id > $1)
            ORDER BY order_id LIMIT $2 FOR UPDATE
        ), emptied AS (
            DELETE FROM payments USING part WHERE payments.order_id = part.order_id
        )
        SELECT order_id FROM part ORDER BY order_id DESC LIMIT 1
        """
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
