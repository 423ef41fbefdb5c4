import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// What is left of a top-up goes back to the card that it came from, at any time: a card's money need not wait to go where it
/// came from. What of it was spent, or has gone back to the card in another way, does not.
enum ReturnTopUp {
    /// How long a payment provider gives back what it has taken. Cards expire, and it forgets.
    static let days = 90.0

    /// It is not there, or not any more.
    struct NotReturnable: Error, Hashable {}

    struct Returned: Sendable {
        let topUp: TopUp
        /// What goes back, minor units.
        let amount: Int
    }

    /// - Returns: nil when the account has no such top-up.
    /// - Throws: ``NotReturnable``, ``WalletFreeze``, ``Problem/accountLeaving``.
    static func begin(
        _ id: UUID, of account: UUID, _ holds: CardHolds, at: Date, in transaction: PostgresTransaction
    ) async throws -> Returned? {
        try await LeavingAccounts.refuse(account, in: transaction)
        guard let known = try await transaction.first(FindChargeOfTopUp(topUp: id)) else { return nil }
        let (topUps, charges) = try await transaction.queryAll(
            LockTopUpOfCharge(charge: known), LockCharge(charge: known))
        guard let topUp = topUps.first, topUp.account == account, let charge = charges.first else { return nil }
        guard topUp.state == .completed, charge.state == .captured, charge.goal == .capture,
            at.timeIntervalSince(charge.madeAt) < days * 86_400
        else { throw NotReturnable() }
        // From here on nobody else moves the wallet's money: what is read of it is so.
        _ = try await transaction.query(LockWallets(accounts: [account], currency: topUp.currency))
        try await WalletFreeze.refuse(account, in: transaction)
        let amount = try await left(of: topUp, charge, holds, at: at, in: transaction)
        guard amount > 0 else { throw NotReturnable() }
        let refund = charge.givingBack(amount, for: topUp.id, id: .timeOrdered(), at: at)
        transaction.send(InsertCharge(charge: refund))
        let line = StatementLine(
            account: account, source: "topUpReturn:\(refund.id.text)", kind: .refund, market: topUp.market,
            currency: topUp.currency, amount: -amount, order: nil, method: topUp.method, title: [:],
            payer: topUp.holder, beneficiary: topUp.holder, state: .accepted, reason: nil)
        transaction.send(StoreStatementLine(id: .timeOrdered(), line: line, at: at))
        try await Ledger.post(
            [Transfers.giveBack(amount, of: topUp, by: refund.id, id: .timeOrdered())], in: transaction)
        transaction.raiseAfterCommit(PaymentWorker.signalName)
        return Returned(topUp: topUp, amount: amount)
    }

    /// Of the top-up's own money, what the wallet has and the payment provider would still give back. In whole steps of the
    /// payment provider's.
    private static func left(
        of topUp: TopUp, _ charge: Charge, _ holds: CardHolds, at: Date, in transaction: PostgresTransaction
    ) async throws -> Int {
        guard try await transaction.query(FindStandingDisputes(charge: charge.id)).isEmpty else { return 0 }
        let atProvider = try await LeftOfCharge.read(charge, in: transaction)
        let money = try await CardMoney.of(
            topUp.account, topUp.currency, holds, at: at, since: charge.madeAt, in: transaction)
        let left = max(min(money.left(of: topUp.id), atProvider), 0)
        guard let currency = Currency.named(topUp.currency) else { return left }
        return left - left % ProviderBounds.refunds(in: currency).step
    }
}

/// What the payment provider would still give back of a charge, as far as is known here.
enum LeftOfCharge {
    static func read(_ charge: Charge, in transaction: PostgresTransaction) async throws -> Int {
        guard let reference = charge.reference else { return 0 }
        let (asked, outside) = try await transaction.queryAll(
            SumRefundsAsked(reference: reference), SumOutsideRefunds(charge: charge.id))
        return charge.amount - (asked.first ?? 0) - (outside.first ?? 0)
    }
}
