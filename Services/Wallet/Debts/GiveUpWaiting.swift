import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Gives up, by their receiver's own word, all money in a currency that waits for debtors, so that the account can be
/// deleted. The debtors owe that much less; what the platform is owed stays owed.
enum GiveUpWaiting {
    /// The maximum number of debts given up at once; the rest needs another request.
    static let limit = 500
    /// The greatest amount of a request, in minor units.
    static let maximum = 1_000_000_000_000

    /// Another amount waits than the receiver was shown. In minor units.
    struct Changed: Error, Hashable {
        let waiting: Int
        let currency: String
    }

    /// - Parameter amount: what the receiver was shown to be waiting, in minor units.
    /// - Returns: the minor units that were given up.
    /// - Throws: ``Changed``; ``Problem/accountLeaving``.
    static func giveUp(
        _ amount: Int, _ currency: String, of account: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws -> Int {
        try await AccountDeletionGuard.refuse(account, in: transaction)
        // Debts are locked before accounts, and by number, as in ``SettleDebts``.
        let debts = try await transaction.query(
            LockDebtsOfReceiver(receiver: account, currency: currency, limit: limit))
        let waiting = try await transaction.query(ListWaiting(account: account)).first { $0.currency == currency }
        guard let waiting, waiting.amount == amount else {
            throw Changed(waiting: waiting?.amount ?? 0, currency: currency)
        }
        let id = UUID.timeOrdered()
        try await Ledger.post(
            [Transfers.giveUp(debts, currency, of: id, id: .timeOrdered())], in: transaction)
        transaction.send(ReduceDebts(numbers: debts.map(\.number), amounts: debts.map(\.unpaid)))
        transaction.send(
            ChangeWaitingLines(
                changes: debts.compactMap { debt in
                    debt.owed.map { (account: debt.receiver, line: $0.line, amount: -debt.unpaid) }
                }))
        try await note(debts, of: account, at: at, in: transaction)
        return debts.reduce(0) { $0 + $1.unpaid }
    }

    /// Writes a line into both statements for each debt, and tells the debtors.
    private static func note(
        _ debts: [Debt], of account: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws {
        let lines = try await transaction.query(
            FindLines(account: account, sources: debts.compactMap { $0.owed?.line }))
        let known = Dictionary(lines.map { ($0.source, $0) }) { first, _ in first }
        for debt in debts {
            guard let owed = debt.owed else { continue }
            let told = known[owed.line]
            let source = "givenUp:\(debt.account.owner.uuidString.lowercased()):\(debt.account.shard)"
            for (person, sum) in [(account, -debt.unpaid), (debt.debtor, debt.unpaid)] {
                let line = StatementLine(
                    account: person, source: source,
                    kind: .refund, market: owed.market, currency: debt.currency, amount: sum, order: owed.order,
                    method: .wallet, title: told?.title ?? [:], payer: told?.beneficiary ?? "",
                    beneficiary: told?.payer ?? "", state: .accepted, reason: "given-up")
                transaction.send(StoreStatementLine(id: .timeOrdered(), line: line, at: at))
            }
        }
        struct Told: Hashable {
            let debtor: UUID
            let market: String
        }
        let groups = Dictionary(grouping: debts.filter { $0.owed != nil }) { debt in
            Told(debtor: debt.debtor, market: debt.owed?.market ?? "")
        }
        for (told, debts) in groups.sorted(by: { $0.key.debtor < $1.key.debtor }) {
            let orders = Set(debts.compactMap { $0.owed?.order })
            try transaction.publish(
                MoneyGivenUp(
                    account: account, debtor: told.debtor, market: told.market,
                    order: orders.count == 1 ? orders.first : nil,
                    amount: Money(amount: debts.reduce(0) { $0 + $1.unpaid }, currency: debts[0].currency), at: at))
        }
    }
}
