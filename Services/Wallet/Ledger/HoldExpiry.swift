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
    static func operation(clock: @escaping @Sendable () -> Date) -> DeadlineRunner.Operation {
        let handlers = LedgerHandlers(clock: clock)
        return { deadline, transaction in
            guard let hold = UUID(uuidString: deadline.subject) else { throw NotAHold() }
            handlers.perform(.expire(hold: hold), .expire, hold, nil, transaction) { outcome, now, transaction in
                CommandLines.ended(hold, reason: "hold-expired", outcome, at: now, transaction)
            }
        }
    }

    private struct NotAHold: Error {}
}
