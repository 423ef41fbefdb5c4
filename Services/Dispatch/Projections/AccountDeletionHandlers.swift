import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// Applies the deletion of an account to orders and providers (I12).
///
/// Each handler needs its own transaction: it locks an account before other rows, so that it cannot deadlock.
enum AccountDeletionHandlers {
    /// The number of open orders that an answer names at most.
    static let namedOrders = 10

    static func register(
        in handlers: inout MessageHandlers, _ markets: LiveMarkets, clock: @escaping @Sendable () -> Date
    ) {
        handlers.on(DeletionAsked.self, sharesTransaction: false) {
            try await answer($0.message, at: clock(), $1)
        }
        handlers.on(DeletionRefused.self, sharesTransaction: false) { received, transaction in
            let refused = received.message
            try await AccountDeletionGuard.end(refused.account, version: refused.version, in: transaction)
        }
        handlers.on(AccountDeleted.self, sharesTransaction: false) {
            try await forget($0.message, not: markets.reasons, by: clock, $1)
        }
    }

    /// Answers which orders of the account are open, and whether a series orders more. From here on the account gets no
    /// new orders; visits of a series wait until the deletion is refused, and are then ordered as before.
    static func answer(
        _ asked: DeletionAsked, at now: Date, _ transaction: PostgresTransaction
    ) async throws {
        guard try await AccountDeletionGuard.begin(asked.account, version: asked.version, in: transaction) else {
            return
        }
        let (orders, series) = try await transaction.queryAll(
            ListOpenOrders(account: asked.account, limit: namedOrders), HasActiveSeries(customer: asked.account))
        try transaction.publish(
            DispatchAnsweredDeletion(
                deletion: asked.deletion, account: asked.account, orders: orders, hasSeries: series.first ?? false,
                at: now))
    }

    /// Deletes or anonymizes all data of the account. Its orders stay for the other party, without the person.
    ///
    /// - Parameters:
    ///   - slugs: reasons that are no person's own words.
    ///   - clock: read when the account is locked, which may take a while.
    static func forget(
        _ deleted: AccountDeleted, not slugs: Set<String> = OrderSnapshot.reasons, by clock: () -> Date,
        _ transaction: PostgresTransaction
    ) async throws {
        let account = deleted.account
        try await AccountDeletionGuard.close(account, version: deleted.version, in: transaction)
        // The row stays: its version marks a late snapshot as old.
        transaction.send(
            ForgetPerson(account: account, version: deleted.version, name: AccountSnapshot.goneName))
        transaction.send(DeleteProvider(account: account))
        transaction.send(DeletePosition(account: account))
        transaction.send(DeleteEarnings(account: account))
        transaction.send(DeleteEarningsOfDays(account: account))
        transaction.send(DeleteLinks(account: account))
        transaction.send(DeleteSubscriptions(account: account))
        transaction.send(DeleteBans(account: account))
        transaction.send(DeleteBlocks(account: account))
        transaction.send(DeleteMethod(account: account))
        transaction.send(StoreCustomerRoles(account: account, markets: []))
        transaction.send(ForgetCustomer(account: account))
        transaction.send(ForgetRelative(account: account))
        transaction.send(ForgetProvider(account: account))
        transaction.send(DeleteCarsOfOrders(provider: account))
        transaction.send(ForgetComments(account: account))
        transaction.send(ForgetReports(account: account))
        transaction.send(ForgetReasons(account: account, slugs: slugs.sorted()))
        transaction.send(DeleteSeriesOfCustomer(customer: account))
        transaction.send(ForgetInSeries(account: account))
        try await EndSeries.forRelative(account, in: "*", .left, at: clock(), transaction)
        transaction.send(ForgetRecipientOfSeries(account: account))
        transaction.send(DeleteQuotes(account: account))
        transaction.send(DeletePromoUses(account: account))
        transaction.send(ForgetRestaurantsInQuotes(owner: account))
        transaction.send(DeleteRestaurants(owner: account))
        // Locked last, as when an owner puts a photo on a dish.
        transaction.send(DeletePhotos(owner: account))
    }
}
