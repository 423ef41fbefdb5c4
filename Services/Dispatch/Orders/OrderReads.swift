import Foundation
import Postgres

/// One order with the data that its readers are shown besides it.
struct FindOrder: Statement {
    static let sql: SQL = """
        SELECT \(OrderDetailsRow.columns)
        FROM order_details WHERE id = $1
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// The details of orders that are chosen by their ids. Each is read by its key: with `LIMIT $4` a plan that does not know
/// the limit expects so many orders that it would read all orders at once.
enum ChosenOrders {
    /// - Parameter ids: a query of one column.
    static func of(_ ids: SQL) -> SQL {
        let text: SQL = """
            SELECT \(OrderDetailsRow.columns) FROM (\(ids)) AS chosen (listed)
            CROSS JOIN LATERAL (
                SELECT * FROM order_details WHERE order_details.id = chosen.listed OFFSET 0) AS order_details
            ORDER BY id DESC LIMIT $4
            """
        return text
    }
}

/// The orders of a list: running or ended ones. A reported order has ended for its parties, although the decision about
/// its money may wait (O3). The few of them come from the open orders, by the same index.
///
/// Parameters: $1 the account, $2 whether the list is of ended orders, $3 the last order of the previous page, $4 the
/// limit, $5 whether only orders that were done are listed, or only others; null for both, with the reported ones.
enum ListedOrders {
    static func of(_ column: SQL, where more: SQL = "true") -> SQL {
        ChosenOrders.of(
            """
            (SELECT id FROM orders
             WHERE \(column) = $1 AND is_final = $2 AND state <> 'disputed' AND id < $3
                AND ($5::boolean IS NULL OR (state = 'completed') = $5) AND (\(more))
             ORDER BY id DESC LIMIT $4)
            UNION ALL
            (SELECT id FROM orders
             WHERE $2 AND \(column) = $1 AND is_final = false AND state = 'disputed' AND id < $3
                AND $5::boolean IS NULL AND (\(more))
             ORDER BY id DESC LIMIT $4)
            """)
    }
}

/// A page of a customer's orders, the newest first.
struct ListCustomerOrders: Statement {
    static let sql: SQL = ListedOrders.of("customer", where: "$6::text IS NULL OR market = $6")
    let page: OrderListPage
    /// Nil means all.
    var market: String?
    func bind(_ bindings: inout Bindings) {
        page.bind(&bindings)
        bindings.append(market)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// A page of a customer's orders in the markets in which a relative may see them, newest first.
struct ListSeenOrders: Statement {
    static let sql: SQL = ListedOrders.of("customer", where: "market = ANY ($6)")
    let page: OrderListPage
    let markets: [String]
    func bind(_ bindings: inout Bindings) {
        page.bind(&bindings)
        bindings.append(markets)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// A page of the visits that relatives have ordered for an account, as far as a link lets it see their orders; the newest
/// first.
struct ListOrdersForRelative: Statement {
    static let sql: SQL = ChosenOrders.of(
        """
        SELECT id FROM orders
        WHERE particulars #>> '{homeCare,relative,account}' = upper($1::text)
            AND (is_final OR state = 'disputed') = $2 AND id < $3
            AND ($5::boolean IS NULL OR (state = 'completed') = $5) AND sees_orders($1, customer, market)
        ORDER BY id DESC LIMIT $4
        """)
    let page: OrderListPage
    func bind(_ bindings: inout Bindings) { page.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// A page of a provider's orders, the newest first.
struct ListProviderOrders: Statement {
    static let sql: SQL = ListedOrders.of("provider")
    let page: OrderListPage
    func bind(_ bindings: inout Bindings) { page.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// A page of a merchant's orders, newest first: those that wait for an answer, or the others. Orders that were never
/// paid are left out.
struct ListMerchantOrders: Statement {
    static let sql: SQL = ListedOrders.of(
        "merchant",
        where: "payment_method IS NOT NULL AND ($6::boolean IS NULL OR (state = 'requested') = $6)")
    let page: OrderListPage
    /// Nil means all.
    let isNew: Bool?
    func bind(_ bindings: inout Bindings) {
        page.bind(&bindings)
        bindings.append(isNew)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

struct OrderListPage: Sendable {
    let account: UUID
    /// Whether the orders have ended for their parties.
    let isEnded: Bool
    /// Whether the orders were done; nil for all.
    let isDone: Bool?
    /// Last order of the previous page; nil for the first page.
    let after: UUID?
    let limit: Int

    init(account: UUID, _ section: OrderReader.Section, after: UUID?, limit: Int) {
        self.account = account
        (isEnded, isDone) = (section.isEnded, section.isDone)
        (self.after, self.limit) = (after, limit)
    }

    func bind(_ bindings: inout Bindings) {
        bindings.append(account, isEnded, after ?? Self.greatest, limit, isDone)
    }

    private static let greatest = UUID(
        uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255))
}
