import Foundation
import Messaging
import Postgres
import ServiceKit

/// A top-up goes back whole to the card that it came from, at any time while the wallet has as much: a card's money need not
/// wait to go where it came from.
enum ReturnTopUp {
    /// How long a payment provider gives back what it has taken. Cards expire, and it forgets.
    static let days = 90.0

    /// It is not there, or not any more.
    struct NotReturnable: Error, Hashable {}

    /// - Returns: the top-up; nil when the account has no such.
    /// - Throws: ``NotReturnable``, ``WalletFreeze``, ``LedgerError/insufficientFunds``, ``Problem/accountLeaving``.
    static func begin(
        _ id: UUID, of account: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws -> TopUp? {
        try await LeavingAccounts.refuse(account, in: transaction)
        guard let known = try await transaction.first(FindChargeOfTopUp(topUp: id)) else { return nil }
        let (topUps, charges) = try await transaction.queryAll(
            LockTopUpOfCharge(charge: known), LockCharge(charge: known))
        guard let topUp = topUps.first, topUp.account == account, var charge = charges.first else { return nil }
        guard topUp.state == .completed, charge.state == .captured, charge.goal == .capture,
            at.timeIntervalSince(charge.madeAt) < days * 86_400
        else { throw NotReturnable() }
        charge.want(.cancel)
        transaction.send(UpdateCharge(charge: charge, pauseSeconds: 0))
        let line = StatementLine(
            account: account, source: "topUpReturn:\(topUp.id.text)", kind: .refund, market: topUp.market,
            currency: topUp.currency, amount: -topUp.amount, order: nil, method: topUp.method, title: [:],
            payer: topUp.holder, beneficiary: topUp.holder, state: .accepted, reason: nil)
        transaction.send(StoreStatementLine(id: .timeOrdered(), line: line, at: at))
        try await Ledger.post([Transfers.giveBack(topUp, id: .timeOrdered())], in: transaction)
        // Once the wallet is locked: what was taken back by the bank is not given back besides.
        try await WalletFreeze.refuse(account, in: transaction)
        transaction.raiseAfterCommit(PaymentWorker.signalName)
        return topUp
    }
}
