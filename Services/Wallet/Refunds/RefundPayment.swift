import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Refunds a part or all of what an order cost, including the fine for its late cancellation, by an admin's decision.
enum RefundPayment {
    struct Wish: Hashable, Sendable, Codable {
        /// Minor units.
        let amount: Int
        let destination: Refund.Destination
        let funder: Refund.Funder
        /// The funder, when the order has several providers or merchants.
        let funderAccount: UUID?
        /// Whether the funder may owe what its wallet does not hold.
        let mayOwe: Bool
        let reason: String
    }

    /// - Returns: the refund; nil when there is no such order.
    /// - Throws: ``RefundRefusal``; ``LedgerError`` when the funder holds less and may not owe it;
    ///   ``Problem/accountLeaving`` when the receiver's account is leaving or gone; a 403 ``Problem`` for an admin who
    ///   is a party of the order.
    static func refund(
        _ wish: Wish, of order: UUID, by admin: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws -> Refund? {
        guard let known = try await transaction.first(FindPayment(order: order)) else { return nil }
        let fine = try await refuseParty(admin, of: known, in: transaction)
        if wish.destination == .card { try AmountOutOfBounds.refuse(wish.amount, known.currency, .refund) }
        try await refuseLeaving(wish, known, fine, in: transaction)
        guard var payment = try await transaction.first(LockPayment(order: order)) else { return nil }
        let isToCard = wish.destination == .card
        var possible = payment
        try possible.refund(wish.amount, toCard: isToCard, fine: fine?.amount ?? 0)
        let funder = try funder(wish, payment, fine)
        // The payees may have changed before the lock; the new funder was not checked, so the refund is refused.
        guard try funder?.account == self.funder(wish, known, fine)?.account else { throw RefundRefusal.noSuchFunder }
        if fine != nil { _ = try await lockMoney(wish, funder, payment, in: transaction) }
        try payment.refund(
            wish.amount, toCard: isToCard, fine: fine?.amount ?? 0, unpaid: try await unpaid(fine, in: transaction))
        try await refuseCard(wish, payment, in: transaction)
        var refund = Refund(
            id: .timeOrdered(), order: order, market: payment.market, customer: payment.customer,
            currency: payment.currency, amount: wish.amount, destination: wish.destination, funder: wish.funder,
            funderAccount: funder?.account, reason: wish.reason, by: admin, at: at)
        refund.overdrawn = try await overdraft(wish, funder, payment, in: transaction)
        if let fine { transaction.send(NoteFine(fine: fine)) }
        transaction.send(UpdatePayment(payment: payment))
        transaction.send(InsertRefund(refund: refund))
        if refund.destination == .card {
            guard let id = payment.charge, let charge = try await transaction.first(FindCharge(charge: id)) else {
                throw RefundRefusal.notByCard
            }
            transaction.send(InsertCharge(charge: refund.charge(of: charge, id: .timeOrdered())))
            transaction.raiseAfterCommit(PaymentWorker.signalName)
        }
        for line in refund.statementLines(payment, funder: funder) {
            transaction.send(StoreStatementLine(id: .timeOrdered(), line: line, at: at))
        }
        try transaction.publish(
            PaymentRefunded(
                refund: refund.id, order: order, market: refund.market, customer: refund.customer,
                amount: Money(amount: refund.amount, currency: refund.currency),
                to: refund.destination == .card ? .card : .wallet, fundedBy: wireFunder(refund.funder),
                funder: refund.funderAccount, reason: refund.reason, by: admin, at: at))
        try await take(refund, mayOwe: wish.mayOwe, in: transaction)
        return refund
    }

    /// The funder first cancels what the customer still owes it; otherwise each would wait for the other's money.
    private static func take(_ refund: Refund, mayOwe: Bool, in transaction: PostgresTransaction) async throws {
        var cancelled: [(debt: Debt, amount: Int)] = []
        if refund.destination == .wallet, let funder = refund.funderAccount, funder != refund.customer {
            var left = refund.amount
            // Debts are locked before accounts, as in ``SettleDebts``.
            for debt in try await transaction.query(
                LockDebtsBetween(debtor: refund.customer, currency: refund.currency, receiver: funder))
            where left > 0 {
                cancelled.append((debt, min(left, debt.unpaid)))
                left -= min(left, debt.unpaid)
            }
        }
        let given = cancelled.reduce(0) { $0 + $1.amount }
        let transfers = [
            Transfers.cancel(cancelled, for: refund, id: .timeOrdered()),
            Transfers.refund(refund, without: given, overdraws: mayOwe, id: .timeOrdered()),
        ].filter { !$0.moves.isEmpty }
        try await Ledger.post(transfers, in: transaction)
        guard given > 0 else { return }
        transaction.send(ReduceDebts(numbers: cancelled.map(\.debt.number), amounts: cancelled.map(\.amount)))
        transaction.send(
            ChangeWaitingLines(
                changes: cancelled.compactMap { part in
                    part.debt.owed.map { (account: part.debt.receiver, line: $0.line, amount: -part.amount) }
                }))
    }

    /// - Returns: the order's fine.
    /// - Throws: a 403 ``Problem`` for an admin who is the order's customer or was paid for it.
    @discardableResult
    static func refuseParty(
        _ admin: UUID, of payment: Payment, in transaction: PostgresTransaction
    ) async throws -> Fine? {
        let fine = try await transaction.first(FindFine(order: payment.order))
        guard payment.customer != admin, fine?.provider != admin,
            !payment.terms.allPayees.contains(where: { $0.account == admin })
        else { throw Problem.ownMatter }
        return fine
    }

    /// Checks whether the refund would be possible now, without changes.
    ///
    /// - Parameter waiting: the sum of the order's refunds that wait for a second admin, in minor units.
    static func check(
        _ wish: Wish, of known: Payment, by admin: UUID, besides waiting: Int = 0, in transaction: PostgresTransaction
    ) async throws {
        let fine = try await refuseParty(admin, of: known, in: transaction)
        if wish.destination == .card { try AmountOutOfBounds.refuse(wish.amount, known.currency, .refund) }
        try await refuseLeaving(wish, known, fine, in: transaction)
        var payment = known
        let (fined, unpaid) = (fine?.amount ?? 0, try await unpaid(fine, in: transaction))
        try payment.refund(wish.amount, toCard: wish.destination == .card, fine: fined, unpaid: unpaid)
        try await refuseCard(wish, known, in: transaction)
        guard waiting > 0 else { return }
        var together = known
        do {
            try together.refund(wish.amount + waiting, toCard: false, fine: fined, unpaid: unpaid)
        } catch {
            throw RefundRefusal.waits
        }
    }

    /// The part of a refund that the platform pays: all of it when the platform is the funder, otherwise what a funder
    /// who may owe does not have. The locks keep the result valid until the transaction ends.
    ///
    /// - Parameter known: the payment whose parties were checked.
    static func platformPart(
        of wish: Wish, _ known: Payment, in transaction: PostgresTransaction
    ) async throws -> Int {
        guard wish.funder != .platform else { return wish.amount }
        guard let payment = try await transaction.first(LockPayment(order: known.order)) else { return 0 }
        let fine = try await transaction.first(FindFine(order: known.order))
        return try await overdraft(wish, try funder(wish, payment, fine), payment, in: transaction)
    }

    /// The part of a fine that cannot be refunded, because it was written off or given up.
    private static func unpaid(_ fine: Fine?, in transaction: PostgresTransaction) async throws -> Int {
        guard let fine else { return 0 }
        return try await UnpaidFine.read(fine, in: transaction).amount
    }

    /// Computes what the funder does not have, besides what the customer owes it, which is cancelled first. The payment
    /// must be locked.
    private static func overdraft(
        _ wish: Wish, _ funder: Payee?, _ payment: Payment, in transaction: PostgresTransaction
    ) async throws -> Int {
        guard wish.mayOwe, let funder else { return 0 }
        let (cancelled, balance) = try await lockMoney(wish, funder, payment, in: transaction)
        let left = wish.amount - cancelled
        return left - min(max(balance, 0), left)
    }

    /// Locks the debts that the funder would give up, then the wallets of funder and customer, in that order as in `take`
    /// and ``SettleDebts``.
    ///
    /// - Returns: minor units that would be given up, and the funder's balance.
    private static func lockMoney(
        _ wish: Wish, _ funder: Payee?, _ payment: Payment, in transaction: PostgresTransaction
    ) async throws -> (givenUp: Int, balance: Int) {
        var givenUp = 0
        if wish.destination == .wallet, let funder, funder.account != payment.customer {
            let debts = try await transaction.query(
                LockDebtsBetween(
                    debtor: payment.customer, currency: payment.currency, receiver: funder.account))
            givenUp = min(debts.reduce(0) { $0 + $1.unpaid }, wish.amount)
        }
        let parties = [payment.customer] + (funder.map { [$0.account] } ?? [])
        let wallets = try await transaction.query(LockWallets(accounts: parties, currency: payment.currency))
        return (givenUp, wallets.first { $0.account == funder?.account }?.balance ?? 0)
    }

    /// Refuses a refund to a card above what the payment provider would still refund, or of a disputed charge.
    private static func refuseCard(
        _ wish: Wish, _ payment: Payment, in transaction: PostgresTransaction
    ) async throws {
        guard wish.destination == .card, let id = payment.charge,
            let charge = try await transaction.first(FindCharge(charge: id))
        else { return }
        let disputes = try await transaction.query(FindStandingDisputes(charge: id))
        // A mere inquiry of the bank does not prevent a refund.
        guard disputes.allSatisfy({ $0 == .inquiry }) else { throw RefundRefusal.disputed }
        let left = max(try await RefundableAmount.read(charge, in: transaction), 0)
        guard wish.amount <= left else { throw RefundRefusal.aboveCaptured(left: left, currency: payment.currency) }
    }

    /// Refuses a refund to or from an account that is leaving. Must run before any lock, since a deletion locks the
    /// account first.
    private static func refuseLeaving(
        _ wish: Wish, _ payment: Payment, _ fine: Fine?, in transaction: PostgresTransaction
    ) async throws {
        // try?: a funder who is no part of the order is refused later, after the payment's state.
        let funder = (try? funder(wish, payment, fine))?.account
        let parties = (wish.destination == .wallet ? [payment.customer] : []) + (funder.map { [$0] } ?? [])
        guard !parties.isEmpty else { return }
        let leaving = try await AccountDeletionGuard.deleted(among: parties, in: transaction)
        if let funder, leaving.contains(funder) { throw RefundRefusal.funderLeaving }
        if !leaving.isEmpty { throw Problem.accountLeaving }
    }

    /// Applies the result of a refund's charge.
    static func follow(
        _ refund: Refund, _ charge: Charge, at: Date, in transaction: PostgresTransaction
    ) async throws {
        var refund = refund
        guard refund.hear(charge.state) else { return }
        transaction.send(UpdateRefund(refund: refund))
        transaction.send(
            AcceptRefundLine(account: refund.customer, source: Refund.source(refund.id), method: nil, at: at))
        Ledger.enqueue(Transfers.refunded(refund, id: .timeOrdered()), in: transaction)
    }

    private static func funder(_ wish: Wish, _ payment: Payment, _ fine: Fine?) throws(RefundRefusal) -> Payee? {
        let party: Payee.Party
        switch wish.funder {
        case .platform, .hold: return nil
        case .provider: party = .provider
        case .merchant: party = .merchant
        }
        let known = paid(by: payment, fine).filter { $0.party == party }
        let chosen = wish.funderAccount.map { account in known.filter { $0.account == account } } ?? known
        // One of several must be named.
        guard chosen.count == 1, let payee = chosen.first else { throw .noSuchFunder }
        return payee
    }

    /// The payees; for an order that was not completed, the provider who got a part of the fine.
    private static func paid(by payment: Payment, _ fine: Fine?) -> [Payee] {
        guard payment.state != .captured, let fine else {
            // A provider who earned only a tip can give back only the tip.
            return payment.terms.allPayees.filter { !payment.terms.earnsNothing($0.party) || payment.tipped > 0 }
        }
        guard let provider = fine.provider else { return [] }
        let name = payment.terms.provider == provider ? payment.terms.providerName : nil
        return [Payee(party: .provider, account: provider, name: name ?? "", amount: fine.shares.provider)]
    }

    private static func wireFunder(_ funder: Refund.Funder) -> PaymentRefunded.Funder {
        switch funder {
        case .platform, .hold: .platform
        case .provider: .provider
        case .merchant: .merchant
        }
    }
}

extension Refund {
    /// The source of a refund's statement lines.
    static func source(_ id: UUID) -> String { "refund:\(id.text)" }

    fileprivate func statementLines(_ payment: Payment, funder: Payee?) -> [StatementLine] {
        let platform = PlatformName.of(market)
        func line(_ account: UUID, _ amount: Int, _ state: StatementLine.State) -> StatementLine {
            StatementLine(
                account: account, source: Self.source(id), kind: .refund, market: market, currency: currency,
                amount: amount, order: order, method: destination == .card ? payment.method : .wallet,
                title: payment.terms.title,
                payer: funder?.name ?? platform, beneficiary: payment.customerName, state: state, reason: nil)
        }
        let received = line(customer, amount, state == .made ? .accepted : .waiting)
        guard let funder, funder.account != customer else { return [received] }
        return [received, line(funder.account, -amount, .accepted)]
    }
}
