import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Takes from a wallet what the payment provider has taken back, freezes it, and gives it back when the bank decides so. The
/// payment provider's webhooks come here, in any order and as often as they like.
enum FollowDispute {
    /// What the payment provider says.
    struct Word: Sendable {
        /// Its id of the dispute.
        let reference: String
        let kind: Dispute.Kind
        let state: Dispute.State
        /// Minor units.
        let amount: Int
        let reason: String?
    }

    /// Whose charge it is, read before any row is locked: a deletion locks the account first.
    struct Charged: Sendable {
        let row: FindChargedAccount.Row
        let isOwnerGone: Bool
    }

    static func charged(_ charge: UUID, in transaction: PostgresTransaction) async throws -> Charged? {
        guard let row = try await transaction.first(FindChargedAccount(charge: charge)) else { return nil }
        _ = try await LeavingAccounts.among([row.account], in: transaction)
        let gone = try await transaction.first(FindGoneAccount(account: row.account))
        return Charged(row: row, isOwnerGone: gone != nil)
    }

    /// - Parameter charge: locked by this transaction.
    /// - Returns: the dispute when anything is new of it.
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
        case .debit: Ledger.enqueue(Transfers.take(dispute, id: .timeOrdered()), in: transaction)
        case .giveBack: Ledger.enqueue(Transfers.giveBack(dispute, id: .timeOrdered()), in: transaction)
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

    /// Who disputes has the money again, whatever it has paid for. What somebody gives back in the dashboard of what has
    /// paid for something is the platform's gift; of what is in the wallet, the wallet has it twice.
    private static func payer(_ word: Word, _ charge: Charge, _ charged: Charged) -> Dispute.Payer {
        // What was undone before it was anybody's.
        let isUndone = charge.purpose == .topUp && !charged.row.isInWallet
        if charged.isOwnerGone || isUndone { return .platform }
        return word.kind == .dispute || charged.row.isInWallet ? .wallet : .platform
    }

    /// An admin has looked at it.
    ///
    /// - Throws: a 404 ``Problem`` where nothing of the market keeps the account's wallet frozen; a 403 one for one's own.
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
