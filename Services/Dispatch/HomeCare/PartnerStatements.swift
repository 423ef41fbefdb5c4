import Foundation
import Postgres

/// A verified provider of a market, as the desk sees it.
struct Partner: Sendable {
    let account: UUID
    let name: String
    let title: String?
    /// Nil where it is not read.
    var gender: String?
    /// The name of the picture.
    var avatar: String?
}

struct FindPartner: Statement {
    static let sql: SQL = """
        SELECT role.account, people.name, role.title FROM provider_roles AS role
        JOIN people ON people.account = role.account
        WHERE role.market = $1 AND role.account = $2 AND role.verified AND NOT is_banned($2, $1)
        """
    let market: String
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Partner {
        Partner(account: try row.next(), name: try row.next(), title: try row.next())
    }
}

/// Locks the provider's row until the commit. Lock order: the order before its provider.
struct LockProvider: Statement {
    static let sql: SQL = "SELECT true FROM providers WHERE account = $1 FOR UPDATE"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Finds a visit that the provider has, or is asked for, at that time. An overdue visit that has not begun counts from
/// now on with its full length; a visit in progress counts until it is finished.
struct FindCalendarConflict: Statement {
    static let sql: SQL = """
        SELECT id FROM orders
        WHERE provider = $1 AND NOT is_final AND id <> $2 AND kind = 'homeCare'
            AND state IN ('offered', 'accepted', 'inProgress') AND coalesce(scheduled_at, requested_at) < $4
            AND $3 < care_end(
                state, coalesce(scheduled_at, requested_at), arrived_at,
                (particulars -> 'homeCare' ->> 'minutes')::integer, $5)
        LIMIT 1
        """
    let provider: UUID
    let order: UUID
    let from: Date
    let to: Date
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(provider, order, from, to, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Lists the market's partners, and whether each is free for an order.
struct ListPartners: Statement {
    struct Row: Sendable {
        let partner: Partner
        let isFree: Bool
    }

    static let sql: SQL = """
        SELECT role.account, people.name, role.title, people.gender, people.avatar, NOT EXISTS (
            SELECT FROM orders
            WHERE orders.provider = role.account AND NOT orders.is_final AND orders.id <> $2
                AND orders.kind = 'homeCare' AND orders.state IN ('offered', 'accepted', 'inProgress')
                AND coalesce(orders.scheduled_at, orders.requested_at) < $4
                AND $3 < care_end(
                    orders.state, coalesce(orders.scheduled_at, orders.requested_at), orders.arrived_at,
                    (orders.particulars -> 'homeCare' ->> 'minutes')::integer, $5))
        FROM provider_roles AS role JOIN people ON people.account = role.account
        WHERE role.market = $1 AND role.verified AND NOT is_banned(role.account, $1)
        ORDER BY people.name, role.account LIMIT 500
        """
    let market: String
    let order: UUID
    let from: Date
    let to: Date
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(market, order, from, to, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            partner: Partner(
                account: try row.next(), name: try row.next(), title: try row.next(), gender: try row.next(),
                avatar: try row.next()),
            isFree: try row.next())
    }
}
