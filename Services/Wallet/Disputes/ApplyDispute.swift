import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Debits a wallet for money that the payment provider has taken back, freezes it, and returns the money when the bank
/// decides so. Webhooks arrive here in any order and any number of times.
enum ApplyDispute {
    /// The payment provider's report.
    struct Word: Sendable {
        /// The payment provider's id of the dispute.
        let reference: String
        let kind: Dispute.Kind
        let state: Dispute.State
        /// Minor units.
        let amount: Int
        let reason: String?
        /// Whether this transaction has credited the wallet with at least this amount of the charge's money, so the
        /// wallet pays and needs no cash-out for it.
        var isCovered = false
    }

    /// The charged account, read before any row lock: an account's deletion locks the account first.
    struct Charged: Sendable {
        let row: FindChargedAccount.Row
        let isOwnerGone: Bool
    }

    static func charged(_ charge: UUID, in transaction: PostgresTransaction) async throws -> Charged? {
        guard let row = try await transaction.first(FindChargedAccount(charge: charge)) else { return nil }
        _ = try await AccountDeletionGuard.deleted(among: [row.account], in: transaction)
        let gone = try await transaction.first(FindGoneAccount(account: row.account))
        return Charged(row: row, isOwnerGone: gone != nil)
    }

    /// - Parameter charge: locked by this transaction.
    /// - Returns: the dispute if it changed.
    static func hear(
        _ word: Word, of charge: Charge, _ charged: Charged, at: Date, in transaction: PostgresTransaction
    ) async throws -> Dispute? {
        let known = try await transaction.first(LockDispute(reference: word.reference))
        var dispute =
            known
            ?? Dispute(
                id: .timeOrdered(), reference: word.reference, kind: word.kind, charge: charge.id,
                account: charged.row.account, market: charged.row.market, order: charged.row.order,
                currency: charge.currency, amount: word.amount, payer: payer(word, charge, charged), madeAt: at)
        guard let effect = dispute.hear(word.state, reason: word.reason) else { return nil }
        transaction.send(StoreDispute(dispute: dispute, at: at))
        switch effect {
        case .none: break
        case .debit:
            if dispute.payer == .wallet, !word.isCovered {
                try await StopCashOut.cover(
                    dispute.amount, dispute.currency, of: dispute.account, at: at, in: transaction)
            }
            Ledger.enqueue(Transfers.take(dispute, id: .timeOrdered()), in: transaction)
        case .giveBack: try await giveBack(dispute, charged, at: at, in: transaction)
        }
        if effect != .none, !charged.isOwnerGone,
            let line = dispute.statementLine(
                method: charge.method, title: charged.row.title, holder: charged.row.holder,
                platformName: PlatformName.of(dispute.market))
        {
            transaction.send(StoreStatementLine(id: .timeOrdered(), line: line, at: at))
        }
        try transaction.publish(dispute.changed(at: at))
        return dispute
    }

    /// Returns the money of a dispute that the bank decided for the platform. The part of the account's debt that was
    /// written off since the dispute took the money goes to the platform: the account has paid nothing in its place.
    private static func giveBack(
        _ dispute: Dispute, _ charged: Charged, at: Date, in transaction: PostgresTransaction
    ) async throws {
        var toPlatform = 0
        if dispute.payer == .wallet {
            // A write-off locks the wallet first.
            let (_, writtenOff) = try await transaction.queryAll(
                LockWallets(accounts: [dispute.account], currency: dispute.currency),
                SumWrittenOffSince(dispute: dispute))
            toPlatform = min(max(writtenOff.first ?? 0, 0), dispute.amount)
        }
        Ledger.enqueue(Transfers.giveBack(dispute, toPlatform: toPlatform, id: .timeOrdered()), in: transaction)
        guard toPlatform > 0 else { return }
        transaction.send(NoteToPlatform(dispute: dispute.id, amount: toPlatform))
        guard !charged.isOwnerGone else { return }
        let line = StatementLine(
            account: dispute.account, source: "writeOffEnded:\(dispute.id.text)", kind: .refund, market: dispute.market,
            currency: dispute.currency, amount: -toPlatform, order: nil, method: .wallet, title: [:],
            payer: charged.row.holder, beneficiary: PlatformName.of(dispute.market), state: .accepted,
            reason: "written-off")
        transaction.send(StoreStatementLine(id: .timeOrdered(), line: line, at: at))
    }

    /// Decides who pays. In a dispute the card's owner has the money back, whatever it paid for, so the wallet pays.
    /// For a refund in the dashboard the platform pays if the money was spent; if it is in the wallet, the wallet would
    /// have it twice and pays.
    private static func payer(_ word: Word, _ charge: Charge, _ charged: Charged) -> Dispute.Payer {
        if word.isCovered { return .wallet }
        // A top-up that was undone was never credited to the wallet.
        let isUndone = charge.purpose == .topUp && !charged.row.isInWallet
        if charged.isOwnerGone || isUndone { return .platform }
        return word.kind == .dispute || charged.row.isInWallet ? .wallet : .platform
    }

    /// Ends a wallet's freeze by an admin's decision.
    ///
    /// - Throws: a 404 ``Problem`` when nothing of the market freezes the wallet; a 403 ``Problem`` for the admin's own
    ///   wallet.
    static func unfreeze(
        _ account: UUID, in market: String, because reason: String, by admin: UUID, at: Date,
        in transaction: PostgresTransaction
    ) async throws {
        guard account != admin else { throw Problem.ownMatter }
        let ended = try await transaction.execute(
            EndFreezes(account: account, market: market, by: admin, at: at, reason: reason))
        guard ended > 0 else { throw Problem.notFound }
        try transaction.publish(WalletUnfrozen(account: account, market: market, reason: reason, by: admin, at: at))
    }
}

extension Dispute {
    fileprivate func changed(at: Date) -> DisputeChanged {
        DisputeChanged(
            dispute: id, kind: DisputeChanged.Kind(rawValue: kind.rawValue) ?? .dispute,
            state: state.flatMap { DisputeChanged.State(rawValue: $0.rawValue) } ?? .open, account: account,
            market: market, order: order, amount: Money(amount: amount, currency: currency),
            debited: Money(amount: debited, currency: currency), freezes: isFreezing, reason: reason, at: at)
    }
}
