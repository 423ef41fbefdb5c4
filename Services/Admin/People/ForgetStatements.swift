import Contracts
import Foundation
import Postgres

/// Anonymizes a person. The row stays: its version marks a late snapshot as old.
struct ForgetPerson: Statement {
    static let sql: SQL = """
        INSERT INTO people (account, version, name, language) VALUES ($1, $2, $3, 'en')
        ON CONFLICT (account) DO UPDATE
        SET version = excluded.version, name = excluded.name, gender = NULL, language = excluded.language
        """
    let account: UUID
    let version: Int
    let name: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, version, name) }
}

/// Removes the comments of all ratings of these orders: by the account, and about it.
struct ForgetComments: Statement {
    static let sql: SQL = "UPDATE ratings SET comment = NULL WHERE order_id = ANY ($1) AND comment IS NOT NULL"
    /// The orders of ``LockOrdersOfPerson``.
    let orders: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(orders) }
}

/// Locks named accounts against deletion until the commit and returns which of them are deleted; an unknown account has
/// no row. Data written before is then found by ``LockOrdersOfPerson``, and data written later sees the deletion.
struct LockPeople: Statement {
    static let sql: SQL = """
        SELECT account, name = $2 FROM people WHERE account = ANY ($1::uuid[]) ORDER BY account FOR SHARE
        """
    let accounts: [UUID]
    /// The name that stands for deleted accounts.
    let goneName: String

    func bind(_ bindings: inout Bindings) { bindings.append(accounts, goneName) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (account: UUID, isGone: Bool) {
        (try row.next(), try row.next())
    }
}

/// Locks the orders that a deletion changes, by id as ``StoreOrders`` does, so that two transactions with several
/// orders cannot deadlock.
struct LockOrdersOfPerson: Statement {
    static let sql: SQL = """
        SELECT id FROM orders WHERE id = ANY (ARRAY(
            SELECT id FROM orders WHERE customer = $1 UNION SELECT id FROM orders WHERE provider = $1
            UNION SELECT id FROM orders WHERE snapshot -> 'shares' @> '[{"party": "merchant"}]'
                AND snapshot -> 'shares' @> jsonb_build_array(jsonb_build_object('account', $1::uuid::text))
            UNION SELECT order_id FROM reports WHERE account = $1
            UNION SELECT order_id FROM order_events WHERE former = $1
        )) ORDER BY id FOR UPDATE
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// The deleted accounts among those who are paid for an order, as an SQL expression on a row of `orders`; `$2` is the
/// name that stands for them.
private enum GoneShares {
    static let accounts: SQL = """
        ARRAY(
            SELECT share ->> 'account' FROM jsonb_array_elements(
                CASE WHEN jsonb_typeof(orders.snapshot -> 'shares') = 'array' THEN orders.snapshot -> 'shares'
                    ELSE '[]' END) AS share
            JOIN people ON people.account = (share ->> 'account')::uuid AND people.name = $2)
        """
}

/// Removes the names of deleted accounts, their companions, and what customers have called their parcels, from these
/// orders, whose rows are locked.
struct ForgetNames: Statement {
    static let sql: SQL = """
        UPDATE orders SET
            companion = CASE WHEN gone.provider THEN NULL ELSE companion END,
            snapshot = snapshot
                || CASE WHEN gone.customer THEN jsonb_build_object('customer', snapshot -> 'customer' || gone.name)
                    ELSE '{}' END
                || CASE WHEN gone.customer AND snapshot ->> 'kind' = 'parcel' THEN
                    jsonb_build_object('services', jsonb_set(snapshot -> 'services', '{0,name}', '{"en": ""}'))
                    ELSE '{}' END
                || CASE WHEN gone.provider THEN jsonb_build_object('provider', snapshot -> 'provider' || gone.name)
                    ELSE '{}' END
                || CASE WHEN jsonb_typeof(snapshot -> 'shares') = 'array' THEN
                    jsonb_build_object('shares', ARRAY(
                        SELECT CASE WHEN share ->> 'account' = ANY (gone.shares) THEN share || gone.name ELSE share END
                        FROM jsonb_array_elements(snapshot -> 'shares') WITH ORDINALITY AS shares (share, place)
                        ORDER BY place))
                    ELSE '{}' END
        FROM (
            SELECT id, jsonb_build_object('name', $2::text) AS name,
                EXISTS (SELECT FROM people WHERE account = orders.customer AND people.name = $2) AS customer,
                EXISTS (SELECT FROM people WHERE account = orders.provider AND people.name = $2) AS provider,
                \(GoneShares.accounts) AS shares
            FROM orders WHERE id = ANY ($1::uuid[])
        ) AS gone
        WHERE orders.id = gone.id AND (gone.customer OR gone.provider OR gone.shares <> '{}')
        """
    let orders: [UUID]
    /// The name that stands for deleted accounts.
    let name: String

    func bind(_ bindings: inout Bindings) { bindings.append(orders, name) }
}

/// Removes reasons in own words from these orders, whose rows are locked, if a party or a former provider is deleted.
/// All such reasons go, whoever wrote them, because later events repeat them under others' names. The platform's own
/// reasons stay.
struct ForgetReasons: Statement {
    static let sql: SQL = """
        WITH gone AS (
            SELECT id FROM orders WHERE id = ANY ($1::uuid[]) AND (
                EXISTS (SELECT FROM people WHERE account = orders.customer AND people.name = $2)
                OR EXISTS (SELECT FROM people WHERE account = orders.provider AND people.name = $2)
                OR \(GoneShares.accounts) <> '{}'
                OR EXISTS (
                    SELECT FROM order_events AS told JOIN people ON people.account = told.former
                    WHERE told.order_id = orders.id AND people.name = $2))
        ), events AS (
            UPDATE order_events AS told SET reason = NULL FROM gone
            WHERE told.order_id = gone.id AND told.name LIKE 'dispatch.%' AND told.reason <> ALL ($3::text[])
                AND told.reason NOT IN (\(CatalogueReasons.ids))
        )
        UPDATE orders SET snapshot = snapshot - 'reason' FROM gone
        WHERE orders.id = gone.id AND snapshot ->> 'reason' <> ALL ($3::text[])
            AND snapshot ->> 'reason' NOT IN (\(CatalogueReasons.ids))
        """
    let orders: [UUID]
    /// The name that stands for deleted accounts.
    let name: String

    func bind(_ bindings: inout Bindings) { bindings.append(orders, name, OrderSnapshot.reasons.sorted()) }
}

/// Removes the comment of a rating that arrived after its author or the rated person was deleted.
struct ForgetLateComment: Statement {
    static let sql: SQL = """
        UPDATE ratings SET comment = NULL
        WHERE order_id = $1 AND from_account = $2 AND EXISTS (
            SELECT FROM people WHERE account IN (ratings.from_account, ratings.to_account) AND people.name = $3)
        """
    let order: UUID
    let from: UUID
    let name: String

    func bind(_ bindings: inout Bindings) { bindings.append(order, from, name) }
}
