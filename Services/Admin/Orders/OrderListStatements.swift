import Foundation
import Postgres
import ServiceKit

struct OrderRow: Sendable {
    /// An encoded ``OrderSnapshot``.
    let snapshot: PostgresJSON
    let companion: String?
    let position: ListPosition

    init(_ row: inout RowReader) throws(PostgresError) {
        snapshot = try row.next()
        companion = try row.next()
        position = ListPosition(at: try row.next(), id: try row.next())
    }
}

/// A filter for a market's orders.
struct OrderFilter: Sendable {
    let market: String
    var state: String?
    /// The workflow.
    var kind: String?
    var customer: UUID?
    var provider: UUID?
    /// An account that is the customer or the provider.
    var account: UUID?
    var number: OrderNumber?
    /// A folded part of the customer's or the provider's name.
    var name: String?
    /// The earliest time of the request.
    var start: Date = .distantPast
    /// The end of the range, exclusive.
    var end: Date = .distantFuture

    /// The condition of the filter on rows `o`, with the parameters `$1` to `$12`. What is not asked for is NULL.
    static let condition: SQL = """
        o.market = $1 AND o.requested_at >= $2 AND o.requested_at < $3
        AND ($4::text IS NULL OR o.state = $4) AND ($5::text IS NULL OR o.snapshot ->> 'kind' = $5)
        AND ($6::uuid IS NULL OR o.customer = $6) AND ($7::uuid IS NULL OR o.provider = $7)
        AND ($8::uuid IS NULL OR o.customer = $8 OR o.provider = $8)
        AND ($9::uuid IS NULL OR o.id BETWEEN $9 AND $10 OR right(o.id::text, 8) = $11)
        AND ($12::text IS NULL OR o.customer IN (\(Self.named)) OR o.provider IN (\(Self.named)))
        """

    /// The accounts with such a name. Names are folded like ``SearchText`` folds the typed text.
    private static let named: SQL = """
        SELECT account FROM people_of_markets AS m
        WHERE m.market = $1 AND strpos(\(SearchText.folding("m.name")), $12) > 0
        """

    func bind(_ bindings: inout Bindings) {
        bindings.append(market, start, end, state, kind, customer, provider, account)
        bindings.append(number?.first, number?.last, number?.ending, name)
    }
}

/// The part of a list that a statement reads: its filter, and the page.
struct OrderPart: Sendable {
    static let columns: SQL = "o.snapshot, o.companion, o.requested_at, o.id"
    /// The rows of a page, with the parameters `$13` to `$15`; further ones follow.
    static let condition: SQL = "\(OrderFilter.condition) AND (o.requested_at, o.id) < ($13, $14)"
    static let order: SQL = "ORDER BY o.requested_at DESC, o.id DESC LIMIT $15"

    let filter: OrderFilter
    let before: ListPosition
    let limit: Int

    func bind(_ bindings: inout Bindings) {
        filter.bind(&bindings)
        before.bind(&bindings)
        bindings.append(limit)
    }
}

// One statement per index that a list can follow: it names the indexed column without a NULL beside it. The rest of the
// filter then checks few rows; of a hundred thousand orders none of these reads more than the rows of one person, kind or
// state, and it stops at a full page.

struct ListOrders: Statement {
    static let sql: SQL = """
        SELECT \(OrderPart.columns) FROM orders AS o WHERE \(OrderPart.condition) \(OrderPart.order)
        """
    let part: OrderPart
    func bind(_ bindings: inout Bindings) { part.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderRow { try OrderRow(&row) }
}

struct ListOrdersInState: Statement {
    static let sql: SQL = """
        SELECT \(OrderPart.columns) FROM orders AS o WHERE \(OrderPart.condition) AND o.state = $4 \(OrderPart.order)
        """
    let part: OrderPart
    func bind(_ bindings: inout Bindings) { part.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderRow { try OrderRow(&row) }
}

struct ListOrdersOfKind: Statement {
    static let sql: SQL = """
        SELECT \(OrderPart.columns) FROM orders AS o
        WHERE \(OrderPart.condition) AND o.snapshot ->> 'kind' = $5 \(OrderPart.order)
        """
    let part: OrderPart
    func bind(_ bindings: inout Bindings) { part.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderRow { try OrderRow(&row) }
}

struct ListOrdersOfCustomer: Statement {
    static let sql: SQL = """
        SELECT \(OrderPart.columns) FROM orders AS o
        WHERE \(OrderPart.condition) AND o.customer = $6 \(OrderPart.order)
        """
    let part: OrderPart
    func bind(_ bindings: inout Bindings) { part.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderRow { try OrderRow(&row) }
}

struct ListOrdersOfProvider: Statement {
    static let sql: SQL = """
        SELECT \(OrderPart.columns) FROM orders AS o
        WHERE \(OrderPart.condition) AND o.provider = $7 \(OrderPart.order)
        """
    let part: OrderPart
    func bind(_ bindings: inout Bindings) { part.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderRow { try OrderRow(&row) }
}

/// Lists the orders with such a number: those of a range of the key, and one by the end of its id.
struct ListNumberedOrders: Statement {
    static let sql: SQL = """
        SELECT \(OrderPart.columns) FROM orders AS o
        WHERE \(OrderPart.condition) AND (o.id BETWEEN $9 AND $10 OR right(o.id::text, 8) = $11) \(OrderPart.order)
        """
    let part: OrderPart
    func bind(_ bindings: inout Bindings) { part.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderRow { try OrderRow(&row) }
}

/// Lists the orders of few people, as customers or providers: of each person a page, and of these rows the newest.
struct ListOrdersOfPeople: Statement {
    static let sql: SQL = """
        SELECT \(OrderPart.columns) FROM orders AS o WHERE o.id IN (
            SELECT found.id FROM unnest($16::uuid[]) AS person (account) CROSS JOIN LATERAL (
                (SELECT o.id FROM orders AS o
                WHERE \(OrderPart.condition) AND o.customer = person.account \(OrderPart.order))
                UNION ALL
                (SELECT o.id FROM orders AS o
                WHERE \(OrderPart.condition) AND o.provider = person.account \(OrderPart.order))
            ) AS found)
        \(OrderPart.order)
        """
    let part: OrderPart
    let people: [UUID]
    func bind(_ bindings: inout Bindings) {
        part.bind(&bindings)
        bindings.append(people)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderRow { try OrderRow(&row) }
}

/// Lists the orders of many people, as customers or providers: the newest orders are looked through until a page is full.
struct ListOrdersOfMany: Statement {
    static let sql: SQL = """
        SELECT \(OrderPart.columns) FROM orders AS o
        WHERE \(OrderPart.condition) AND (o.customer = ANY ($16::uuid[]) OR o.provider = ANY ($16::uuid[]))
        \(OrderPart.order)
        """
    let part: OrderPart
    let people: [UUID]
    func bind(_ bindings: inout Bindings) {
        part.bind(&bindings)
        bindings.append(people)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderRow { try OrderRow(&row) }
}
