import Contracts
import Foundation
import Messaging
import Postgres

/// Pays creditors from what a debtor's wallet was credited with, the oldest debt first. Runs as a deadline that the
/// trigger `wake_debts` sets when a wallet below zero is credited.
///
/// The deadlines of one transaction are settled as one set: debtors, then their debts, then the accounts are each
/// locked at once, in one order.
final class SettleDebts: CommitParticipant {
    /// The deadline's kind; written only by the database trigger, ``ScheduleDebtSettlement`` and this type.
    static let kind = "wallet.debt"
    /// The maximum number of debts, and of credits, of one debtor in one run. The rest is settled by another deadline.
    static let limit = 200

    private var debtors: Set<AccountReference> = []
    private let limit: Int
    private let clock: @Sendable () -> Date

    private init(limit: Int, clock: @escaping @Sendable () -> Date) {
        self.limit = limit
        self.clock = clock
    }

    /// - Throws: ``UnreadableSubject``
    static func operation(clock: @escaping @Sendable () -> Date) -> DeadlineRunner.Operation {
        { deadline, transaction in
            let parts = deadline.subject.split(separator: " ").map(String.init)
            guard parts.count >= 2, let account = UUID(uuidString: parts[0]) else {
                throw UnreadableSubject(subject: deadline.subject)
            }
            settle(.wallet(account, parts[1]), clock: clock, in: transaction)
        }
    }

    /// Settles the debtor's debts right before the commit.
    static func settle(
        _ debtor: AccountReference, limit: Int = SettleDebts.limit, clock: @escaping @Sendable () -> Date,
        in transaction: PostgresTransaction
    ) {
        let settling = transaction.participant(SettleDebts.self) { SettleDebts(limit: limit, clock: clock) }
        settling.debtors.insert(debtor)
    }

    /// The paid part of a debt.
    private struct Part {
        let debt: Debt
        let amount: Int
    }

    func willCommit(_ transaction: PostgresTransaction) async throws {
        let rows = try await transaction.query(LockDebtors(debtors: Array(debtors)))
        let debts = try await transaction.query(LockDebts(debtors: rows.map(\.debtor), limit: limit))
        guard !debts.isEmpty else { return }
        var references: Set<AccountReference> = []
        for debt in debts {
            references.formUnion([
                debt.account, .wallet(debt.debtor, debt.currency), .wallet(debt.receiver, debt.currency),
            ])
        }
        // While these accounts are locked, no other transaction can add a debt of these debtors or credit them.
        var locked = try await LockedLedger.lock(references, in: transaction)
        var parts: [Part] = []
        for row in rows {
            let own = debts.filter { $0.debtor == row.debtor.owner && $0.currency == row.debtor.currency }
            parts += try await settle(row, own, in: transaction)
        }
        guard !parts.isEmpty else { return }
        for part in parts { try locked.book.post(Transfers.pay(part.amount, of: part.debt, id: .timeOrdered())) }
        try await locked.write(in: transaction)
        transaction.send(ReduceDebts(numbers: parts.map(\.debt.number), amounts: parts.map(\.amount)))
        let lines = parts.compactMap { part in
            part.debt.owed.map { (account: part.debt.receiver, line: $0.line, amount: -part.amount) }
        }
        if !lines.isEmpty { transaction.send(ChangeWaitingLines(changes: lines)) }
        try tell(parts, in: transaction)
    }

    private func settle(
        _ row: LockDebtors.Row, _ debts: [Debt], in transaction: PostgresTransaction
    ) async throws -> [Part] {
        guard let first = debts.first, let last = debts.last else { return [] }
        let (credits, newer) = try await transaction.queryAll(
            // One more than the limit, since the first credit may already be counted.
            ListDebtorCredits(debtor: row.debtor, from: max(row.place.entry, first.entry), limit: limit + 1),
            HasNewerDebts(debtor: row.debtor, number: last.number))
        let queue = DebtQueue(
            debts.map { .init(entry: $0.entry, unpaid: $0.unpaid) }, hasMore: newer.first ?? false, credits: credits,
            from: row.place)
        if queue.place != row.place { transaction.send(MoveDebtor(debtor: row.debtor, place: queue.place)) }
        if queue.hasRest || credits.count > limit {
            let subject = "\(row.debtor.owner.text) \(row.debtor.currency) rest"
            transaction.set(Deadline(kind: Self.kind, subject: subject, dueAt: clock()))
        }
        return zip(debts, queue.paid).filter { $0.1 > 0 }.map { Part(debt: $0.0, amount: $0.1) }
    }

    /// Publishes one event for each receiver, market and currency.
    private func tell(_ parts: [Part], in transaction: PostgresTransaction) throws {
        struct Receiver: Hashable {
            let account: UUID
            let market: String
            let currency: String
        }
        let told = Dictionary(grouping: parts.filter { $0.debt.owed != nil }) { part in
            Receiver(
                account: part.debt.receiver, market: part.debt.owed?.market ?? "", currency: part.debt.currency)
        }
        for (receiver, parts) in told.sorted(by: { $0.key.account < $1.key.account }) {
            let orders = Set(parts.compactMap { $0.debt.owed?.order })
            try transaction.publish(
                MoneyAvailable(
                    account: receiver.account, market: receiver.market, order: orders.count == 1 ? orders.first : nil,
                    amount: Money(
                        amount: parts.reduce(0) { $0 + $1.amount }, currency: receiver.currency), at: clock()))
        }
    }
}
