import Contracts
import Foundation
import Messaging
import Postgres

/// Orders that were deleted by age. A late event about one of them, or one republished by a service that keeps it for
/// longer, must not bring it back, since its figures are among the sums already.
enum ForgottenOrders {
    /// An order of which something was heard.
    struct Heard: Sendable {
        let order: UUID
        let market: String
        /// About when it was requested.
        let at: Date

        init(_ order: OrderSnapshot) {
            (self.order, market, at) = (order.order, order.market, order.requestedAt)
        }

        /// The id of an order has the time at which it was made; nil for ids that have none.
        init?(_ order: UUID, in market: String) {
            guard let milliseconds = order.timeMilliseconds else { return nil }
            (self.order, self.market) = (order, market)
            at = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
        }
    }

    /// - Returns: those of the orders that are gone. Old ones that are not are locked until the commit.
    static func among(_ heard: [Heard], in transaction: PostgresTransaction) async throws -> Set<UUID> {
        guard !heard.isEmpty else { return [] }
        let old = try await transaction.query(FindOldOrders(heard: heard))
        guard !old.isEmpty else { return [] }
        return Set(old).subtracting(try await transaction.query(KeepOrders(orders: old)))
    }
}

/// Those that were requested before the market's orders were last deleted.
struct FindOldOrders: Statement {
    static let sql: SQL = """
        SELECT DISTINCT heard.id FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS heard (id, market, at)
        JOIN forgotten_orders AS f ON f.market = heard.market AND heard.at < f.before
        """
    let heard: [ForgottenOrders.Heard]
    func bind(_ bindings: inout Bindings) { bindings.append(columnsOf: heard, \.order, \.market, \.at) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Locks those that are there against deletion.
struct KeepOrders: Statement {
    static let sql: SQL = "SELECT id FROM orders WHERE id = ANY ($1) ORDER BY id FOR KEY SHARE"
    let orders: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(orders) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
