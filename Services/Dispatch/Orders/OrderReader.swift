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
        /// Ended orders, and reported ones: `inactive` or `past` in the query.
        case ended
        /// Ended orders that were done, and ended orders that were not: `delivered` and `cancelled`.
        case delivered, cancelled

        var isEnded: Bool { self != .running }
        /// Whether only orders that were done are listed, or only others; nil for both.
        var isDone: Bool? {
            switch self {
            case .running, .ended: nil
            case .delivered: true
            case .cancelled: false
            }
        }
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
            let worker = try await pool.first(FindWorker(market: market, account: caller.accountID)),
            details.order.parcel?.accepts(worker) != false
        {
            return (details, .provider)
        }
        let seen = ListSeenMarkets(
            account: caller.accountID, relative: details.order.customer.account, market: market)
        guard try await pool.first(seen) != nil else {
            // The support is told that it may not act on what it may read.
            _ = try caller.isAdmin(in: market)
            throw OrderNotFound()
        }
        return (details, .customer)
    }

    /// Requires that the account is a verified provider of the market and not banned there, at this moment: a token
    /// says what its owner was when it was issued.
    ///
    /// - Returns: the provider's ratings in the market.
    /// - Throws: ``AcceptOrder/NotVerified``
    @discardableResult
    func requireProvider(_ account: UUID, in market: String) async throws -> OrderDetails.Standing {
        guard let standing = try await pool.first(FindWorker(market: market, account: account)) else {
            throw AcceptOrder.NotVerified()
        }
        return standing
    }

    /// A page of a relative's orders, in the markets in which the account may see them.
    ///
    /// - Throws: ``OrderNotFound`` if the account may see none.
    func list(
        of relative: UUID, seenBy account: UUID, _ section: Section, after: UUID?, limit: Int
    ) async throws -> [OrderDetails] {
        let page = OrderListPage(account: relative, section, after: after, limit: limit)
        let rows = try await pool.withTransaction(.readOnly) { transaction in
            let markets = try await transaction.query(ListSeenMarkets(account: account, relative: relative))
            guard !markets.isEmpty else { throw OrderNotFound() }
            return try await transaction.query(ListSeenOrders(page: page, markets: markets))
        }
        return try rows.map { try $0.details() }
    }

    /// A page of the visits that relatives have ordered for the account, as far as it may see their orders.
    func list(
        forRelative account: UUID, _ section: Section, after: UUID?, limit: Int
    ) async throws -> [OrderDetails] {
        let page = OrderListPage(account: account, section, after: after, limit: limit)
        return try await pool.query(ListOrdersForRelative(page: page)).map { try $0.details() }
    }

    /// - Parameters:
    ///   - isNew: for a merchant, whether the orders wait for an answer; nil means all.
    ///   - market: for a customer, the market of the orders; nil means all.
    ///   - after: last order of the previous page.
    ///   - limit: maximum number of rows.
    func list(
        of account: UUID, as role: OrderActor, _ section: Section, isNew: Bool? = nil, in market: String? = nil,
        after: UUID?, limit: Int
    ) async throws -> [OrderDetails] {
        let page = OrderListPage(account: account, section, after: after, limit: limit)
        if role == .provider, section == .running { return try await running(page) }
        let rows =
            switch role {
            case .provider: try await pool.query(ListProviderOrders(page: page))
            case .merchant: try await pool.query(ListMerchantOrders(page: page, isNew: isNew))
            case .customer, .admin, .system: try await pool.query(ListCustomerOrders(page: page, market: market))
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
