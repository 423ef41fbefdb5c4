import Foundation
import Matching
import Postgres
import ServiceKit

/// What people see of orders: their own, and those of a market to its admins.
struct OrderReader: Sendable {
    /// Which of one's orders.
    enum Section: Sendable {
        /// Not ended: what customers call active and providers new.
        case running
        /// Ended: inactive, past.
        case ended
    }

    let pool: PostgresPool

    /// An order and who the caller is to it. What is on the board is there for every provider of its market, as if it
    /// were the provider's; and a customer's for the relatives who may see it, as if it were theirs.
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

    /// Only who is a verified provider of the market now, and not banned there, reads what might be taken: a token says what
    /// its owner was when it was made.
    ///
    /// - Throws: ``AcceptOrder/NotVerified``
    func requireProvider(_ account: UUID, in market: String) async throws {
        guard try await pool.first(FindWorker(market: market, account: account)) != nil else {
            throw AcceptOrder.NotVerified()
        }
    }

    /// A page of a relative's orders, of the markets in which the account may see them.
    ///
    /// - Throws: ``OrderNotFound`` for who may see none of them.
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
    ///   - isNew: of a merchant's, whether they wait for the answer; nil is either.
    ///   - after: the last order of the page before.
    ///   - limit: rows at most.
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

    /// A provider's, with how far away those are that he or she is asked for (O5).
    private func running(_ page: OrderListPage) async throws -> [OrderDetails] {
        let (rows, fixes) = try await pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                ListProviderOrders(page: page), FindLastPosition(provider: page.account))
        }
        return try rows.map { try $0.details().measured(from: fixes.first?.place) }
    }
}
