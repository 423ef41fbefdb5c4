import Contracts
import Foundation
import Messaging
import Postgres

/// Stores dispatch's republished orders with ratings and reports, and deletes open orders that dispatch does not have.
/// Lock order: as in ``OrderWriter``.
enum StoreRepublishedOrders {
    /// The time for which every market keeps its orders; the shortest retention that a market can choose is longer. A
    /// younger order that dispatch does not have never existed there.
    static let keptSeconds = 60.0 * 86_400

    static func told(_ message: OrdersTold, in transaction: PostgresTransaction) async throws {
        let gone = try await ForgottenOrders.among(message.orders.map { .init($0.order) }, in: transaction)
        let orders = message.orders.filter { !gone.contains($0.order.order) }
        let ratings = orders.flatMap { told in told.ratings.map { (told.order, $0) } }
        let reports = orders.flatMap { told in told.reports.map { (told.order, $0) } }
        let present = try await lock(orders, in: transaction)
        transaction.send(try UpsertRepublishedOrders(orders: orders))
        let suspects = orders.filter { !present.isSuperset(of: people(of: $0)) }.map(\.order.order)
        if !suspects.isEmpty {
            transaction.send(ForgetNames(orders: suspects, name: AccountSnapshot.goneName))
        }
        transaction.send(UpsertRepublishedRatings(ratings: ratings))
        for (order, rating) in ratings where !present.contains(rating.from) {
            transaction.send(
                ForgetLateComment(order: order.order, from: rating.from, name: AccountSnapshot.goneName))
        }
        transaction.send(DeleteStaleRatings(message: message, ratings: ratings))
        transaction.send(FillTimelines(orders: orders, before: message.range.surelyKnown))
        transaction.send(UpsertRepublishedReports(reports: reports))
        let reasoned = orders.filter { $0.order.reason.map { !OrderSnapshot.reasons.contains($0) } ?? false }
        if !reasoned.isEmpty {
            transaction.send(ForgetReasons(orders: reasoned.map(\.order.order), name: AccountSnapshot.goneName))
        }
        transaction.send(
            DeleteStaleOrders(message: message, keptFrom: message.range.readAt.addingTimeInterval(-keptSeconds)))
    }

    /// - Returns: the named accounts that exist; they are locked against deletion until the commit.
    private static func lock(_ orders: [OrdersTold.Told], in transaction: PostgresTransaction) async throws -> Set<UUID>
    {
        let named = Set(orders.flatMap(people))
        guard !named.isEmpty else { return [] }
        let locked = try await transaction.query(
            LockPeople(accounts: Array(named), goneName: AccountSnapshot.goneName))
        return Set(locked.filter { !$0.isGone }.map(\.account))
    }

    private static func people(of told: OrdersTold.Told) -> Set<UUID> {
        var people = Set(told.ratings.map(\.from) + told.reports.map(\.account))
        people.insert(told.order.customer.account)
        if let provider = told.order.provider { people.insert(provider.account) }
        people.formUnion((told.order.shares ?? []).map(\.account))
        return people
    }
}
