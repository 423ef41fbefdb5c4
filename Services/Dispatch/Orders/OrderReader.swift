import Foundation
import Matching
import Postgres
import ServiceKit

/// Reads orders for people: their own, and a market's orders for its admins.
struct OrderReader: Sendable {
    /// Part of an account's order list.
    enum Section: Sendable {
        /// Open orders: `active` or `new` in the query.
        case running
        /// Ended orders: `inactive` or `past` in the query.
        case ended
    }

    let pool: PostgresPool

    /// Finds an order and the caller's role in it. Verified providers of the market see orders on the board in the
    /// provider's role; relatives with the right to see see the customer's orders in the customer's role.
    ///
    /// - Throws: ``OrderNotFound`` for strangers.
    func find(_ id: UUID, for caller: Caller) async throws -> (details: OrderDetails, role: OrderActor) {
        guard let details = try await pool.first(FindOrder(order: id))?.details() else { throw OrderNotFound() }
        if let role = details.order.role(of: caller.accountID) {
            guard role == .provider, details.order.isAsking else { return (details, role) }
            let last = try await pool.first(FindLastPosition(provider: caller.accountID))
            return (details.measured(from: last?.place), role)
        }
        let market = details.order.market
        if caller.has("admin", in: market) { return (details, .admin) }
        if details.order.isOnBoard, caller.has("provider", in: market),
            try await pool.first(FindWorker(market: market, account: caller.accountID)) != nil
        {
            return (details, .provider)
        }
        let seen = ListSeenMarkets(
            account: caller.accountID, relative: details.order.customer.account, market: market)
        guard try await pool.first(seen) != nil else { throw OrderNotFound() }
        return (details, .customer)
    }

    /// Requires that the account is a verified provider of the market and not banned there, at this moment: a token
    /// says what its owner was when it was issued.
    ///
    /// - Throws: ``AcceptOrder/NotVerified``
    func requireProvider(_ account: UUID, in market: String) async throws {
        guard try await pool.first(FindWorker(market: market, account: account)) != nil else {
            throw AcceptOrder.NotVerified()
        }
    }

    /// A page of a relative's orders, in the markets in which the account may see them.
    ///
    /// - Throws: ``OrderNotFound`` if the account may see none.
    func list(
        of relative: UUID, seenBy account: UUID, _ section: Section, after: UUID?, limit: Int
    ) async throws -> [OrderDetails] {
        let page = OrderListPage(account: relative, isFinal: section == .ended, after: after, limit: limit)
        let rows = try await pool.withTransaction(.readOnly) { transaction in
            let markets = try await transaction.query(ListSeenMarkets(account: account, relative: relative))
            guard !markets.isEmpty else { throw OrderNotFound() }
            return try await transaction.query(ListSeenOrders(page: page, markets: markets))
        }
        return try rows.map { try $0.details() }
    }

    /// - Parameters:
    ///   - isNew: for a merchant, whether the orders wait for an answer; nil means all.
    ///   - after: last order of the previous page.
    ///   - limit: maximum number of rows.
    func list(
        of account: UUID, as role: OrderActor, _ section: Section, isNew: Bool? = nil, after: UUID?, limit: Int
    ) async throws -> [OrderDetails] {
        let page = OrderListPage(account: account, isFinal: section == .ended, after: after, limit: limit)
        if role == .provider, section == .running { return try await running(page) }
        let rows =
            switch role {
            case .provider: try await pool.query(ListProviderOrders(page: page))
            case .merchant: try await pool.query(ListMerchantOrders(page: page, isNew: isNew))
            case .customer, .admin, .system: try await pool.query(ListCustomerOrders(page: page))
            }
        return try rows.map { try $0.details() }
    }

    /// A provider's open orders, with the distance to those that wait for the provider's answer (O5).
    private func running(_ page: OrderListPage) async throws -> [OrderDetails] {
        let (rows, fixes) = try await pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                ListProviderOrders(page: page), FindLastPosition(provider: page.account))
        }
        return try rows.map { try $0.details().measured(from: fixes.first?.place) }
    }
}
