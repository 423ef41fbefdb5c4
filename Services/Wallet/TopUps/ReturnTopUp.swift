import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Returns what is left of a top-up to its card. Possible at any time within ``days``, since this money goes back where
/// it came from. Excludes what was spent or already returned.
enum ReturnTopUp {
    /// Days within which a refund is possible: cards expire, and the payment provider's limit ends.
    static let days = 90.0

    /// The top-up is not completed, too old, or nothing is left of it.
    struct NotReturnable: Error, Hashable {}

    struct Returned: Sendable {
        let topUp: TopUp
        /// The returned amount in minor units.
        let amount: Int
    }

    /// - Returns: nil when the account has no such top-up.
    /// - Throws: ``NotReturnable``, ``WalletFreeze``, ``AccountBlock``, ``Problem/accountLeaving``.
    static func begin(
        _ id: UUID, of account: UUID, _ holds: CardHolds, at: Date, in transaction: PostgresTransaction
    ) async throws -> Returned? {
        try await AccountDeletionGuard.refuse(account, in: transaction)
        try await AccountBlock.refuse(account, in: nil, transaction)
        guard let known = try await transaction.first(FindChargeOfTopUp(topUp: id)) else { return nil }
        let (topUps, charges) = try await transaction.queryAll(
            LockTopUpOfCharge(charge: known), LockCharge(charge: known))
        guard let topUp = topUps.first, topUp.account == account, let charge = charges.first else { return nil }
        guard topUp.state == .completed, charge.state == .captured, charge.goal == .capture,
            at.timeIntervalSince(charge.madeAt) < days * 86_400
        else { throw NotReturnable() }
        // The lock keeps the wallet's balance and history unchanged until the commit.
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

    /// The top-up's own money that is still in the wallet and that the payment provider would still refund, rounded
    /// down to the provider's step.
    private static func left(
        of topUp: TopUp, _ charge: Charge, _ holds: CardHolds, at: Date, in transaction: PostgresTransaction
    ) async throws -> Int {
        guard try await transaction.query(FindStandingDisputes(charge: charge.id)).isEmpty else { return 0 }
        let atProvider = try await RefundableAmount.read(charge, in: transaction)
        let money = try await CardMoney.of(
            topUp.account, topUp.currency, holds, at: at, since: charge.madeAt, in: transaction)
        let left = max(min(money.left(of: topUp.id), atProvider), 0)
        guard let currency = Currency.named(topUp.currency) else { return left }
        return left - left % ProviderBounds.refunds(in: currency).step
    }
}

/// The amount of a charge that the payment provider would still refund, as far as is known here.
enum RefundableAmount {
    static func read(_ charge: Charge, in transaction: PostgresTransaction) async throws -> Int {
        guard let reference = charge.reference else { return 0 }
        let (asked, outside) = try await transaction.queryAll(
            SumRefundsAsked(reference: reference), SumOutsideRefunds(charge: charge.id))
        return charge.amount - (asked.first ?? 0) - (outside.first ?? 0)
    }
}
