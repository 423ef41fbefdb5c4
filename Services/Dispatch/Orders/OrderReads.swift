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

/// A page of a customer's orders, the newest first.
struct ListCustomerOrders: Statement {
    static let sql: SQL = """
        SELECT \(OrderDetailsRow.columns)
        FROM order_details WHERE customer = $1 AND is_final = $2 AND id < $3 ORDER BY id DESC LIMIT $4
        """
    let page: OrderListPage
    func bind(_ bindings: inout Bindings) { page.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// A page of a customer's orders in the markets in which a relative may see them, newest first.
struct ListSeenOrders: Statement {
    static let sql: SQL = """
        SELECT \(OrderDetailsRow.columns)
        FROM order_details WHERE customer = $1 AND is_final = $2 AND id < $3 AND market = ANY ($5)
        ORDER BY id DESC LIMIT $4
        """
    let page: OrderListPage
    let markets: [String]
    func bind(_ bindings: inout Bindings) {
        page.bind(&bindings)
        bindings.append(markets)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// A page of a provider's orders, the newest first.
struct ListProviderOrders: Statement {
    static let sql: SQL = """
        SELECT \(OrderDetailsRow.columns)
        FROM order_details WHERE provider = $1 AND is_final = $2 AND id < $3 ORDER BY id DESC LIMIT $4
        """
    let page: OrderListPage
    func bind(_ bindings: inout Bindings) { page.bind(&bindings) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OrderDetailsRow { try OrderDetailsRow(&row) }
}

/// A page of a merchant's orders, newest first: those that wait for an answer, or the others. Orders that were never
/// paid are left out.
struct ListMerchantOrders: Statement {
    static let sql: SQL = """
        SELECT \(OrderDetailsRow.columns)
        FROM order_details WHERE merchant = $1 AND is_final = $2 AND id < $3 AND payment_method IS NOT NULL
            AND ($5::boolean IS NULL OR (state = 'requested') = $5)
        ORDER BY id DESC LIMIT $4
        """
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
    let isFinal: Bool
    /// Last order of the previous page; nil for the first page.
    let after: UUID?
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(account, isFinal, after ?? Self.greatest, limit) }

    private static let greatest = UUID(
        uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255))
}
