import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// An admin gives back a part of what an order has cost, the fine for its late cancellation included, or all of it.
enum RefundPayment {
    struct Wish: Hashable, Sendable, Codable {
        /// Minor units.
        let amount: Int
        let destination: Refund.Destination
        let funder: Refund.Funder
        /// Which of several merchants, or providers, funds it.
        let funderAccount: UUID?
        /// Whether whoever funds it may owe it.
        let mayOwe: Bool
        let reason: String
    }

    /// - Returns: the refund; nil when there is no such order.
    /// - Throws: ``RefundRefusal``; ``LedgerError`` when whoever funds it has less and may not owe it;
    ///   ``Problem/accountLeaving`` when there is no wallet to give it to.
    ///
    /// Whoever funds it has a wallet as long as the account stays. Who is part of the order does not decide about it.
    static func refund(
        _ wish: Wish, of order: UUID, by admin: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws -> Refund? {
        guard let known = try await transaction.first(FindPayment(order: order)) else { return nil }
        let fine = try await refuseParty(admin, of: known, in: transaction)
        if wish.destination == .card { try OutOfBounds.refuse(wish.amount, known.currency, .refund) }
        try await refuseLeaving(wish, known, fine, in: transaction)
        guard var payment = try await transaction.first(LockPayment(order: order)) else { return nil }
        try payment.refund(wish.amount, toCard: wish.destination == .card, fine: fine?.amount ?? 0)
        let funder = try funder(wish, payment, fine)
        // Who is paid may have become somebody else just now, who was not looked at.
        guard try funder?.account == self.funder(wish, known, fine)?.account else { throw RefundRefusal.noSuchFunder }
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

    /// Whoever funds it and still waits for money of its customer gives that up first: else each would wait for the other.
    private static func take(_ refund: Refund, mayOwe: Bool, in transaction: PostgresTransaction) async throws {
        var cancelled: [(debt: Debt, amount: Int)] = []
        if refund.destination == .wallet, let funder = refund.funderAccount, funder != refund.customer {
            var left = refund.amount
            // Locked before the accounts, as by SettleDebts.
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
        transaction.send(LessenDebts(numbers: cancelled.map(\.debt.number), amounts: cancelled.map(\.amount)))
        transaction.send(
            ChangeWaitingLines(
                changes: cancelled.compactMap { part in
                    part.debt.owed.map { (account: part.debt.receiver, line: $0.line, amount: -part.amount) }
                }))
    }

    /// - Returns: the order's fine.
    /// - Throws: a 403 ``Problem`` for an admin who is the order's customer, or was paid for it.
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

    /// Whether it could be refunded now. Nothing changes.
    ///
    /// - Parameter waiting: what of the same order waits for a second admin, minor units.
    static func check(
        _ wish: Wish, of known: Payment, by admin: UUID, besides waiting: Int = 0, in transaction: PostgresTransaction
    ) async throws {
        let fine = try await refuseParty(admin, of: known, in: transaction)
        if wish.destination == .card { try OutOfBounds.refuse(wish.amount, known.currency, .refund) }
        try await refuseLeaving(wish, known, fine, in: transaction)
        var payment = known
        try payment.refund(wish.amount, toCard: wish.destination == .card, fine: fine?.amount ?? 0)
        try await refuseCard(wish, known, in: transaction)
        guard waiting > 0 else { return }
        var together = known
        do {
            try together.refund(wish.amount + waiting, toCard: false, fine: fine?.amount ?? 0)
        } catch {
            throw RefundRefusal.waits
        }
    }

    /// What of it would be the platform's money: all that the platform funds, and of what somebody else may owe that which is
    /// not in the wallet. Until the transaction's end that stays so.
    ///
    /// - Parameter known: its parties were looked at.
    static func platformPart(
        of wish: Wish, _ known: Payment, in transaction: PostgresTransaction
    ) async throws -> Int {
        guard wish.funder != .platform else { return wish.amount }
        guard let payment = try await transaction.first(LockPayment(order: known.order)) else { return 0 }
        let fine = try await transaction.first(FindFine(order: known.order))
        return try await overdraft(wish, try funder(wish, payment, fine), payment, in: transaction)
    }

    /// After the payment is locked.
    private static func overdraft(
        _ wish: Wish, _ funder: Payee?, _ payment: Payment, in transaction: PostgresTransaction
    ) async throws -> Int {
        guard wish.mayOwe, let funder else { return 0 }
        // Debts are locked before wallets, as by `take` and SettleDebts.
        if wish.destination == .wallet {
            _ = try await transaction.query(
                LockDebtsBetween(
                    debtor: payment.customer, currency: payment.currency, receiver: funder.account))
        }
        let wallets = try await transaction.query(
            LockWallets(accounts: [funder.account, payment.customer], currency: payment.currency))
        let balance = wallets.first { $0.account == funder.account }?.balance ?? 0
        return wish.amount - min(max(balance, 0), wish.amount)
    }

    /// To a card goes back what the payment provider would give back there.
    private static func refuseCard(
        _ wish: Wish, _ payment: Payment, in transaction: PostgresTransaction
    ) async throws {
        guard wish.destination == .card, let id = payment.charge,
            let charge = try await transaction.first(FindCharge(charge: id))
        else { return }
        let disputes = try await transaction.query(FindStandingDisputes(charge: id))
        // While the bank only asks it may be given back.
        guard disputes.allSatisfy({ $0 == .inquiry }) else { throw RefundRefusal.disputed }
        let left = max(try await LeftOfCharge.read(charge, in: transaction), 0)
        guard wish.amount <= left else { throw RefundRefusal.aboveCaptured(left: left, currency: payment.currency) }
    }

    /// Before anything is locked: a deletion locks the account first.
    private static func refuseLeaving(
        _ wish: Wish, _ payment: Payment, _ fine: Fine?, in transaction: PostgresTransaction
    ) async throws {
        // try?: one who is no part of the order is refused below, after the payment's state.
        let funder = (try? funder(wish, payment, fine))?.account
        let parties = (wish.destination == .wallet ? [payment.customer] : []) + (funder.map { [$0] } ?? [])
        guard !parties.isEmpty else { return }
        let leaving = try await LeavingAccounts.among(parties, in: transaction)
        if let funder, leaving.contains(funder) { throw RefundRefusal.funderLeaving }
        if !leaving.isEmpty { throw Problem.accountLeaving }
    }

    /// A refund's charge has been answered.
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
        // Of several one has to be named.
        guard chosen.count == 1, let payee = chosen.first else { throw .noSuchFunder }
        return payee
    }

    /// Those who have got something. Of an order that was not done that is who got a part of its fine.
    private static func paid(by payment: Payment, _ fine: Fine?) -> [Payee] {
        guard payment.state != .captured, let fine else { return payment.terms.allPayees }
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
    /// What a refund's lines of statements are called.
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
