import Contracts
import Foundation
import Messaging
import Postgres

/// Returns a hold's money to its wallet at the hold's `expiresAt`.
enum HoldExpiry {
    static let kind = "ledger.hold-expiry"

    static func deadline(of hold: UUID, at end: Date) -> Deadline {
        Deadline(kind: kind, subject: hold.text, dueAt: end)
    }

    static func clear(_ hold: UUID, in transaction: PostgresTransaction) {
        transaction.clearDeadline(kind: kind, subject: hold.text)
    }

    /// Deadlines that fire in one transaction are performed as one set. A hold that has already ended stays as it is.
    static let operation: DeadlineRunner.Operation = { deadline, transaction in
        guard let hold = UUID(uuidString: deadline.subject) else { throw NotAHold() }
        LedgerHandlers.perform(.expire(hold: hold), .expire, hold, nil, transaction) { outcome, transaction in
            CommandLines.ended(hold, reason: "hold-expired", outcome, transaction)
        }
    }

    private struct NotAHold: Error {}
}
