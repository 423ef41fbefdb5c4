import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// Routes by which a market's admins see what goes on now: how much waits, and where everybody is (A2).
struct DeskRoutes: Sendable {
    let markets: LiveMarkets
    let pool: PostgresPool
    let clock: @Sendable () -> Date

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/waiting") { try await waiting($0, $1) }
        group.get("markets/{market}/map") { try await map($0, $1) }
    }

    private func waiting(_ request: Request, _ context: AuthenticatedContext) async throws -> WaitingOrdersView {
        let (market, _) = try markets.market(of: context)
        try context.caller.require("admin", in: market.id)
        let count = CountWaitingOrders(market: market.id, now: clock())
        return try await pool.first(count) ?? WaitingOrdersView(desk: 0, timeChanges: 0, tooLong: 0)
    }

    /// Read every few seconds, so the audit log is told once in an hour.
    private func map(_ request: Request, _ context: AuthenticatedContext) async throws -> LiveMapView {
        let (market, _) = try markets.market(of: context)
        try context.caller.require("admin", in: market.id)
        let now = clock()
        try await record(market.id, by: context.caller.accountID, at: now)
        let limit = LiveMapView.maximum + 1
        let (orders, providers) = try await pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                ListRunningOrders(market: market.id, until: now + LiveMapView.aheadSeconds, limit: limit),
                ListAvailableProviders(market: market.id, limit: limit))
        }
        return LiveMapView(orders, providers, at: now, in: market, context.language)
    }

    private func record(_ market: String, by admin: UUID, at now: Date) async throws {
        let hour = Date(timeIntervalSince1970: (now.timeIntervalSince1970 / 3_600).rounded(.down) * 3_600)
        guard try await pool.first(FindMapLook(market: market, admin: admin, hour: hour)) != true else { return }
        try await pool.withTransaction { transaction in
            // Of two looks at once one is told.
            let store = StoreMapLook(market: market, admin: admin, hour: hour)
            guard try await transaction.execute(store) == 1 else { return }
            try transaction.publish(
                DispatchListViewed(market: market, list: "map", filter: [:], isFile: false, by: admin, at: now))
        }
    }
}
