import Foundation
import Postgres

/// What should have gone on long ago. The ledger is sound all the while; the money is just not where it belongs yet.
struct StuckCheck: Sendable {
    /// At most a hundred payments, charges, and deposits and fines; payments and charges the oldest first.
    let items: [StuckItem]

    /// - Parameter bound: how long a step may take.
    static func over(_ bound: Duration, _ pool: PostgresPool) async throws -> StuckCheck {
        let seconds = bound / .seconds(1)
        let (payments, charges, around, cashOuts, subscriptions, wallets, debts) = try await pool.withTransaction(
            .readOnly
        ) {
            transaction in
            try await transaction.queryAll(
                FindStuckPayments(seconds: seconds), FindStuckCharges(seconds: seconds),
                FindStuckAround(seconds: seconds), FindStuckCashOuts(seconds: seconds),
                FindStuckSubscriptions(seconds: seconds), FindWalletsOfNobody(),
                FindStuckDebts(seconds: seconds))
        }
        return StuckCheck(items: payments + charges + around + cashOuts + subscriptions + wallets + debts)
    }

    /// For people.
    var report: String {
        guard !items.isEmpty else { return "Nothing is stuck." }
        return items.map { "STUCK: \($0)" }.joined(separator: "\n")
    }
}
