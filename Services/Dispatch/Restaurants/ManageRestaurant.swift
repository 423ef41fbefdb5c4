import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Opens or closes a restaurant by the word of one of its market's admins. What an admin has closed its owner cannot open.
/// Published for the audit log.
struct ManageRestaurant: Sendable {
    /// Nothing is changed, and nothing is told, where it stands so already.
    ///
    /// - Parameters:
    ///   - reason: shown to the owner while it is closed.
    ///   - prices: decides which items can be ordered; without such an item a restaurant cannot open.
    /// - Throws: ``RestaurantRefusal/notFound``; ``Problem/ownMatter`` for the owner; ``RestaurantRefusal/notVerified``
    ///   and ``RestaurantRefusal/emptyMenu`` for one that cannot open, unless an admin had closed it: then that ends, and
    ///   the owner opens it as soon as it can be.
    func callAsFunction(
        _ isOpen: Bool, _ id: UUID, in market: String, reason: String, _ prices: PriceCurrency, by admin: UUID,
        at now: Date, in transaction: PostgresTransaction
    ) async throws -> Merchant {
        let (_, found) = try await transaction.queryAll(
            LockMerchant(restaurant: id, market: market), FindMerchant(restaurant: id, market: market))
        guard let merchant = found.first else { throw RestaurantRefusal.notFound }
        guard merchant.restaurant.owner != admin else { throw Problem.ownMatter }
        let wasClosed = merchant.closedReason != nil
        guard isOpen ? !merchant.restaurant.isOpen : merchant.closedReason != reason else { return merchant }
        var opens = false
        if isOpen {
            let fault = try await fault(of: merchant, prices, in: transaction)
            if let fault, !wasClosed { throw fault }
            opens = fault == nil
        }
        transaction.send(
            StoreMerchantState(restaurant: id, isOpen: opens, closedReason: isOpen ? nil : reason, now: now))
        try transaction.publish(
            RestaurantManaged(
                restaurant: id, market: market, owner: merchant.restaurant.owner, act: isOpen ? .opened : .closed,
                details: ["reason": reason], by: admin, at: now))
        return try await transaction.first(FindMerchant(restaurant: id, market: market)) ?? merchant
    }

    /// Why a restaurant cannot open.
    private func fault(
        of merchant: Merchant, _ prices: PriceCurrency, in transaction: PostgresTransaction
    ) async throws -> RestaurantRefusal? {
        guard merchant.isVerified, !merchant.isBanned else { return .notVerified }
        let menu = try await transaction.query(ListMenu(restaurant: merchant.restaurant.id))
        return menu.contains { prices.counts($0.currency) } ? nil : .emptyMenu
    }
}
