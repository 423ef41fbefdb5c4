import Foundation
import Postgres

/// Lists the open orders of an account as customer, provider, merchant or recipient.
struct ListOpenOrders: Statement {
    static let sql: SQL = """
        (SELECT id FROM orders WHERE customer = $1 AND NOT is_final LIMIT $2)
        UNION (SELECT id FROM orders WHERE provider = $1 AND NOT is_final LIMIT $2)
        UNION (SELECT id FROM orders WHERE merchant = $1 AND NOT is_final LIMIT $2)
        UNION (SELECT id FROM orders
            WHERE particulars #>> '{homeCare,relative,account}' = upper($1::text) AND NOT is_final LIMIT $2)
        ORDER BY id LIMIT $2
        """
    let account: UUID
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(account, limit) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct ForgetPerson: Statement {
    static let sql: SQL = """
        INSERT INTO people (account, version, name, language) VALUES ($1, $2, $3, 'en')
        ON CONFLICT (account) DO UPDATE SET version = excluded.version, name = excluded.name, search_name = '',
            gender = NULL, language = excluded.language, avatar = NULL
        """
    let account: UUID
    let version: Int
    let name: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, version, name) }
}

/// Deletes a provider with the roles and offerings.
struct DeleteProvider: Statement {
    static let sql: SQL = "DELETE FROM providers WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct DeleteEarnings: Statement {
    static let sql: SQL = "DELETE FROM earnings WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct DeleteLinks: Statement {
    static let sql: SQL = "DELETE FROM links WHERE from_account = $1 OR to_account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct DeletePosition: Statement {
    static let sql: SQL = "DELETE FROM provider_positions WHERE provider = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Removes the descriptions of the places, and the words about a parcel; the coordinates stay with
/// the order.
struct ForgetCustomer: Statement {
    static let sql: SQL = """
        UPDATE orders SET customer_name = NULL, description = NULL, destination_description = NULL,
            services = CASE WHEN kind = 'parcel' THEN jsonb_set(services, '{0,names}', '{"en": ""}') ELSE services END,
            particulars = CASE WHEN kind = 'parcel'
                THEN jsonb_set(particulars #- '{parcel,description}' #- '{parcel,photo}', '{parcel,name}', '""')
                ELSE particulars END
        WHERE customer = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Removes the name of an order's recipient that an earlier version has written; `people` has none any more.
struct ForgetRelative: Statement {
    static let sql: SQL = """
        UPDATE orders SET particulars = jsonb_set(particulars, '{homeCare,relative,name}', '""')
        WHERE particulars #>> '{homeCare,relative,account}' = upper($1::text)
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Removes who came along with a provider, and the provider's name that an earlier version has written.
struct ForgetProvider: Statement {
    static let sql: SQL = """
        WITH along AS (
            DELETE FROM order_companions USING orders
            WHERE orders.id = order_companions.order_id AND orders.provider = $1
        )
        UPDATE orders SET provider_name = NULL, companion = NULL WHERE provider = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Deletes the cars that a driver's orders have.
struct DeleteCarsOfOrders: Statement {
    static let sql: SQL = """
        DELETE FROM order_cars USING orders WHERE orders.id = order_cars.order_id AND orders.provider = $1
        """
    let provider: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(provider) }
}

/// Removes the reasons in somebody's words why orders of the account ended, whoever wrote them, since they are about the
/// account; slugs stay. ``ForgetReports`` handles orders with a report.
struct ForgetReasons: Statement {
    static let sql: SQL = """
        UPDATE orders SET reason = NULL
        WHERE (customer = $1 OR provider = $1 OR merchant = $1)
            AND report IS NULL AND reason IS NOT NULL AND reason <> ALL ($2::text[])
        """
    let account: UUID
    let slugs: [String]
    func bind(_ bindings: inout Bindings) { bindings.append(account, slugs) }
}

/// Removes the comments of ratings by the account and about it; the stars and their sums stay.
struct ForgetComments: Statement {
    static let sql: SQL = """
        UPDATE ratings SET comment = NULL FROM orders
        WHERE orders.id = ratings.order_id AND ratings.comment IS NOT NULL
            AND (orders.customer = $1 OR orders.provider = $1 OR orders.merchant = $1)
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
