import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// An admin accepts or rejects a cash-out. Of several decisions the first counts; above the market's threshold it takes two
/// admins to accept one.
enum DecideCashOut {
    struct Decided: Sendable {
        let cashOut: CashOut
        /// What waits for a second admin, or what this one has decided.
        var approval: Approval?
    }

    /// - Parameters:
    ///   - market: where the caller is an admin; a cash-out of another is not found.
    ///   - reason: why it is rejected; nil accepts it.
    ///   - threshold: the market's `secondApprovalAmount`; what was accepted for the account in a day counts together.
    ///   - approval: which one is decided; nil is the one that waits, if there is one.
    /// - Throws: ``CashOut/Decided``; ``Approval/Refusal``; a 404 ``Problem``; a 403 for one's own.
    static func decide(
        _ id: UUID, in market: String, rejecting reason: String?, by admin: UUID, above threshold: Int,
        approval: UUID? = nil, at: Date, in transaction: PostgresTransaction
    ) async throws -> Decided {
        guard let found = try await transaction.first(FindCashOut(cashOut: id)), found.market == market else {
            throw Problem.notFound
        }
        guard found.account != admin else { throw Problem.ownMatter }
        let (_, rows, waiting) = try await transaction.queryAll(
            LockDaySum(account: found.account), LockCashOut(cashOut: id), LockApprovalOfCashOut(cashOut: id))
        guard var cashOut = rows.first else { throw Problem.notFound }
        var second = waiting.first
        if let approval, second?.id != approval { throw CashOut.Decided(state: cashOut.state) }
        if second == nil, reason == nil, cashOut.state == .waiting,
            try await needsSecond(cashOut, above: threshold, at: at, in: transaction)
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
        _ cashOut: CashOut, above threshold: Int, at: Date, in transaction: PostgresTransaction
    ) async throws -> Bool {
        let sum = try await transaction.first(
            SumAcceptedCashOuts(
                account: cashOut.account, market: cashOut.market, currency: cashOut.currency,
                since: at.addingTimeInterval(-SecondApprovalRule.windowSeconds)))
        return SecondApprovalRule.isNeeded(cashOut.amount, after: sum ?? 0, above: threshold)
    }
}
