import Contracts
import Foundation
import Messaging
import Postgres

/// Keeps money from leaving when something has come between its request and its payment: a frozen wallet, an unpaid
/// fine, a debt, or a dispute that takes the money which a cash-out holds.
enum StopCashOut {
    /// The obstacle to paying a cash-out now. The lock keeps the wallet's balance unchanged until the commit, and a
    /// dispute that takes money waits for it.
    static func obstacle(
        to cashOut: CashOut, in transaction: PostgresTransaction
    ) async throws -> CashOut.Obstacle? {
        let wallets = try await transaction.query(
            LockWallets(accounts: [cashOut.account], currency: cashOut.currency))
        if try await WalletFreeze.isFrozen(cashOut.account, in: transaction) { return .frozen }
        let block = FindBlock(account: cashOut.account, market: nil)
        if try await transaction.first(block) != nil { return .blocked }
        return wallets.contains { $0.balance < 0 } ? .owing : nil
    }

    /// Looks at an accepted cash-out again right before the payment provider is asked for the first time. One that must
    /// not be paid any more goes back to its wallet, and its owner is told.
    ///
    /// - Returns: the cash-out to ask about; nil when there is nothing to ask.
    static func admit(
        _ id: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws -> CashOut? {
        guard let locked = try await SettleCashOut.lock(id, in: transaction) else { return nil }
        var cashOut = locked.cashOut
        guard cashOut.state == .paying else { return nil }
        guard cashOut.isUnasked else { return cashOut }
        if let obstacle = try await obstacle(to: cashOut, in: transaction) {
            try await stop(cashOut, because: obstacle.reason, at: at, in: transaction)
            return nil
        }
        cashOut.ask(at: at)
        transaction.send(MarkCashOutAsked(cashOut: cashOut))
        return cashOut
    }

    /// Gives waiting cash-outs back to a wallet from which a dispute takes money, the newest first, until the wallet
    /// covers it.
    static func cover(
        _ amount: Int, _ currency: String, of account: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws {
        // Cash-outs are locked before accounts, as everywhere.
        let waiting = try await transaction.query(LockWaitingCashOuts(account: account, currency: currency))
        guard !waiting.isEmpty else { return }
        let wallets = try await transaction.query(LockWallets(accounts: [account], currency: currency))
        var lacking = amount - (wallets.first?.balance ?? 0)
        for cashOut in waiting.reversed() where lacking > 0 {
            lacking -= cashOut.amount
            try await stop(cashOut, because: CashOut.disputedReason, at: at, in: transaction)
        }
    }

    /// - Parameter locked: an unasked cash-out, locked by this transaction.
    private static func stop(
        _ locked: CashOut, because reason: String, at: Date, in transaction: PostgresTransaction
    ) async throws {
        var cashOut = locked
        guard let effect = cashOut.stop(because: reason) else { return }
        let ended = try await transaction.query(
            EndApprovalOfCashOut(cashOut: cashOut.id, at: at, reason: reason))
        for approval in ended { try transaction.publish(approval.ended(because: reason, at: at)) }
        try SettleCashOut.perform(effect, of: cashOut, at: at, in: transaction)
        try transaction.publish(
            CashOutFailed(
                cashOut: cashOut.id, account: cashOut.account, market: cashOut.market,
                amount: Money(amount: cashOut.amount, currency: cashOut.currency), reason: reason, at: at))
    }
}

extension Approval {
    /// The message about an approval that no admin decided.
    fileprivate func ended(because reason: String, at: Date) -> ApprovalEnded {
        ApprovalEnded(
            approval: id, market: market, kind: kind.rawValue, subject: subject,
            amount: Money(amount: amount, currency: currency), reason: reason, begunBy: begunBy, at: at)
    }
}
