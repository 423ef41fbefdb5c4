import Foundation
import Postgres

/// Finds work that should have finished long ago. The ledger itself is still sound; the money has only not arrived at
/// its destination.
struct StuckCheck: Sendable {
    /// At most 100 items from each statement. Payments and charges come oldest first.
    let items: [StuckItem]

    /// - Parameter bound: the time after which a step counts as stuck.
    static func over(_ bound: Duration, _ pool: PostgresPool) async throws -> StuckCheck {
        let seconds = bound / .seconds(1)
        let (payments, charges, around, cashOuts, subscriptions, wallets, debts) = try await pool.withTransaction(
            .readOnly
        ) {
            transaction in
            try await transaction.queryAll(
                FindStuckPayments(seconds: seconds), FindStuckCharges(seconds: seconds),
                FindStuckDepositsFinesAndHolds(seconds: seconds), FindStuckCashOuts(seconds: seconds),
                FindStuckSubscriptions(seconds: seconds), FindWalletsOfDeletedAccounts(),
                FindStuckDebts(seconds: seconds))
        }
        return StuckCheck(items: payments + charges + around + cashOuts + subscriptions + wallets + debts)
    }

    /// A report for operators.
    var report: String {
        guard !items.isEmpty else { return "Nothing is stuck." }
        return items.map { "STUCK: \($0)" }.joined(separator: "\n")
    }
}
