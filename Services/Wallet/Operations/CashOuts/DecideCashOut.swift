import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// An admin accepts or rejects a cash-out. Of several decisions the first counts.
enum DecideCashOut {
    /// - Parameters:
    ///   - market: where the caller is an admin; a cash-out of another is not found.
    ///   - reason: why it is rejected; nil accepts it.
    /// - Throws: ``CashOut/Decided``; a 404 ``Problem``; a 403 for one's own.
    static func decide(
        _ id: UUID, in market: String, rejecting reason: String?, by admin: UUID, at: Date,
        in transaction: PostgresTransaction
    ) async throws -> CashOut {
        guard var cashOut = try await transaction.first(LockCashOut(cashOut: id)), cashOut.market == market else {
            throw Problem.notFound
        }
        guard cashOut.account != admin else { throw Problem.forbidden }
        let effect = try cashOut.decide(rejecting: reason, by: admin, at: at)
        try SettleCashOut.perform(effect, of: cashOut, at: at, in: transaction)
        try transaction.publish(
            CashOutDecided(
                cashOut: cashOut.id, account: cashOut.account, market: cashOut.market,
                amount: Money(amount: cashOut.amount, currency: cashOut.currency), isAccepted: reason == nil,
                reason: reason, by: admin, at: at))
        return cashOut
    }
}
