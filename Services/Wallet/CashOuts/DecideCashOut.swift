import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Applies an admin's decision about a cash-out. The first decision counts. Above the market's threshold two admins
/// must accept.
enum DecideCashOut {
    struct Decided: Sendable {
        let cashOut: CashOut
        /// The approval that waits for a second admin, or that this admin has decided.
        var approval: Approval?
    }

    /// - Parameters:
    ///   - market: the admin's market; cash-outs of other markets are not found.
    ///   - reason: the reason of a rejection; nil accepts.
    ///   - threshold: the market's `secondApprovalAmount` in a currency, compared with the sum accepted within a day in
    ///     all markets for the account, and with all that the admin decided alone.
    ///   - approval: the approval being decided; nil means the waiting one, if any.
    /// - Throws: ``CashOut/Decided``; ``CashOut/Obstacle``; ``Approval/Refusal``; a 404 ``Problem``; a 403 ``Problem`` for
    ///   the admin's own cash-out.
    static func decide(
        _ id: UUID, in market: String, rejecting reason: String?, by admin: UUID, above threshold: (String) -> Int,
        approval: UUID? = nil, at: Date, in transaction: PostgresTransaction
    ) async throws -> Decided {
        guard let found = try await transaction.first(FindCashOut(cashOut: id)), found.market == market else {
            throw Problem.notFound
        }
        guard found.account != admin else { throw Problem.ownMatter }
        LockDaySum.send([found.account, admin], in: transaction)
        let (rows, waiting) = try await transaction.queryAll(
            LockCashOut(cashOut: id), LockApprovalOfCashOut(cashOut: id))
        guard var cashOut = rows.first else { throw Problem.notFound }
        var second = waiting.first
        if let approval, second?.id != approval { throw CashOut.Decided(state: cashOut.state) }
        if reason == nil, cashOut.state == .waiting,
            let obstacle = try await StopCashOut.obstacle(to: cashOut, in: transaction)
        {
            throw obstacle
        }
        if second == nil, reason == nil, cashOut.state == .waiting,
            try await needsSecond(cashOut, by: admin, above: threshold(cashOut.currency), at: at, in: transaction)
        {
            let begun = try BeginApproval.begin(
                .cashOut, cashOut.id, in: market, cashOut.amount, cashOut.currency, nil, by: admin, at: at,
                in: transaction)
            return Decided(cashOut: cashOut, approval: begun)
        }
        try second?.decide(rejecting: reason, by: admin, at: at)
        let effect = try cashOut.decide(rejecting: reason, by: admin, at: at)
        if let second {
            transaction.send(UpdateApproval(approval: second))
            try BeginApproval.tell(second, by: admin, at: at, in: transaction)
        }
        try SettleCashOut.perform(effect, of: cashOut, at: at, in: transaction)
        try transaction.publish(
            CashOutDecided(
                cashOut: cashOut.id, account: cashOut.account, market: cashOut.market,
                amount: Money(amount: cashOut.amount, currency: cashOut.currency), isAccepted: reason == nil,
                reason: reason, by: admin, at: at))
        return Decided(cashOut: cashOut, approval: second)
    }

    private static func needsSecond(
        _ cashOut: CashOut, by admin: UUID, above threshold: Int, at: Date, in transaction: PostgresTransaction
    ) async throws -> Bool {
        let since = at.addingTimeInterval(-SecondApprovalRule.windowSeconds)
        let (received, accepted) = try await transaction.queryAll(
            SumAcceptedCashOuts(account: cashOut.account, currency: cashOut.currency, since: since),
            SumDecidedAlone(admin: admin, currency: cashOut.currency, since: since))
        let earlier = max(received.first ?? 0, accepted.first ?? 0)
        return SecondApprovalRule.isNeeded(cashOut.amount, after: earlier, above: threshold)
    }
}
