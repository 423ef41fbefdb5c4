import Contracts
import Foundation
import Messaging
import Postgres

/// Checks an account's unpaid fines: paid, due for a reminder, or overdue. Runs as a deadline that sets itself again
/// until the fines are paid. A wallet that returns to zero triggers another check at once (`wake_fines` in the
/// migrations).
///
/// Reads the balance without a lock: a later change triggers another check.
enum CheckFines {
    /// The next regular check, at most a day away.
    static let kind = "wallet.fine"
    /// The check after the wallet returned to zero; written only by the database trigger.
    static let paidKind = "wallet.fine-paid"

    /// The first check, named by the order: a batch's messages come in the order of their orders, so deadlines are
    /// locked in one order.
    static func first(_ fine: Fine) -> Deadline {
        Deadline(
            kind: kind, subject: "\(fine.account.text) \(fine.currency) \(fine.order.text)", dueAt: fine.chargedAt)
    }

    /// Each later check, named by the account.
    private static func deadline(_ account: UUID, _ currency: String, at: Date) -> Deadline {
        Deadline(kind: kind, subject: "\(account.text) \(currency)", dueAt: at)
    }

    /// - Throws: ``UnreadableSubject``
    static func fire(_ deadline: Deadline, at: Date, in transaction: PostgresTransaction) async throws {
        let parts = deadline.subject.split(separator: " ").map(String.init)
        guard parts.count >= 2, let account = UUID(uuidString: parts[0]) else {
            throw UnreadableSubject(subject: deadline.subject)
        }
        let currency = parts[1]
        let (fines, balances) = try await transaction.queryAll(
            LockFines(account: account, currency: currency), ReadBalance(account: account, currency: currency))
        guard !fines.isEmpty else { return }
        let balance = balances.first ?? 0
        let check = FineCheck(fines, balance: balance, at: at)
        guard !check.isPaid else {
            transaction.send(PayFines(orders: fines.map(\.order), at: at))
            transaction.send(LockBlocks(account: account))
            transaction.send(MoveBlocksToOtherCurrency(account: account, currency: currency, at: at))
            for block in try await transaction.query(EndBlocks(account: account, currency: currency)) {
                try transaction.publish(
                    AccountUnblocked(account: account, market: block.market, version: block.version, at: at))
            }
            return
        }
        let owed = Money(amount: -balance, currency: currency)
        for market in check.blocks {
            let block = BlockAccount(account: account, market: market, currency: currency)
            guard let version = try await transaction.first(block) else { continue }
            try transaction.publish(
                AccountBlocked(account: account, market: market, owed: owed, version: version, at: at))
        }
        for market in check.reminds {
            let own = fines.filter { $0.market == market }
            transaction.send(RemindOfFines(orders: own.map(\.order), at: at))
            try transaction.publish(
                FineReminder(
                    account: account, market: market, owed: owed, dueAt: own.map(\.dueAt).min() ?? at, at: at))
        }
        // Only the regular kind sets the next check.
        guard deadline.kind == kind, let next = check.next else { return }
        transaction.set(Self.deadline(account, currency, at: next))
    }
}

/// A deadline whose subject this program cannot have written.
struct UnreadableSubject: Error {
    let subject: String
}
