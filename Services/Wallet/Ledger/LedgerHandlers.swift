import Contracts
import Foundation
import Messaging
import Postgres

/// Handles ledger commands of other services. The commands of one batch are performed as one set right before its
/// commit; each has its own outcome, published in the same transaction.
struct LedgerHandlers: Sendable {
    let clock: @Sendable () -> Date

    func make() -> MessageHandlers {
        var handlers = MessageHandlers()
        handlers.on(PlaceHold.self) { received, transaction in
            let asked = received.message
            let hold = Hold(
                id: asked.hold, owner: asked.account, currency: asked.amount.currency, amount: asked.amount.amount,
                subject: asked.subject, expiresAt: asked.expiresAt)
            perform(.place(hold), .place, asked.hold, received.envelope, transaction) { outcome, now, transaction in
                CommandLines.placed(asked, outcome, at: now, transaction)
            }
        }
        handlers.on(CaptureHold.self) { received, transaction in
            let asked = received.message
            let shares = asked.shares.compactMap { share in
                account(share.to, asked.currency, for: asked.hold).map {
                    LedgerCommand.Share(to: $0, amount: share.amount)
                }
            }
            guard shares.count == asked.shares.count else {
                return try refuse(.capture, asked.hold, received.envelope, transaction)
            }
            let command = LedgerCommand.capture(hold: asked.hold, shares: shares)
            perform(command, .capture, asked.hold, received.envelope, transaction) { outcome, now, transaction in
                CommandLines.captured(asked, outcome, at: now, transaction)
            }
        }
        handlers.on(ReleaseHold.self) { received, transaction in
            let hold = received.message.hold
            perform(.release(hold: hold), .release, hold, received.envelope, transaction) { outcome, now, transaction in
                CommandLines.ended(hold, reason: "hold-released", outcome, at: now, transaction)
            }
        }
        handlers.on(PostTransfer.self) { received, transaction in
            let asked = received.message
            let legs = asked.legs.compactMap { leg -> LedgerCommand.Leg? in
                guard let from = account(leg.from, asked.currency, for: asked.subject),
                    let to = account(leg.to, asked.currency, for: asked.subject)
                else { return nil }
                return LedgerCommand.Leg(from: from, to: to, amount: leg.amount)
            }
            guard legs.count == asked.legs.count else {
                return try refuse(.post, asked.id, received.envelope, transaction)
            }
            let command = LedgerCommand.post(
                id: asked.id, subject: asked.subject, currency: asked.currency, legs: legs)
            perform(command, .post, asked.id, received.envelope, transaction) { outcome, now, transaction in
                CommandLines.posted(asked, outcome, at: now, transaction)
            }
        }
        handlers.on(ReverseTransfer.self) { received, transaction in
            let id = received.message.id
            perform(.reverse(original: id), .reverse, id, received.envelope, transaction) { outcome, now, transaction in
                CommandLines.reversed(id, outcome, at: now, transaction)
            }
        }
        return handlers
    }

    /// Enqueues a command and the event that answers it.
    /// - Parameters:
    ///   - cause: the message that asked; nil when the hold's deadline fired.
    ///   - tell: writes the statement lines.
    func perform(
        _ command: LedgerCommand, _ kind: LedgerCommandKind, _ id: UUID, _ cause: Envelope?,
        _ transaction: PostgresTransaction, tell: @escaping (LedgerOutcome, _ now: Date, PostgresTransaction) -> Void
    ) {
        Ledger.enqueue(command, in: transaction) { outcome, transaction in
            let now = clock()
            tell(outcome, now, transaction)
            switch outcome {
            case .posted(let transfer):
                try transaction.publish(
                    TransferPosted(command: kind, id: id, transfer: transfer, at: now), causedBy: cause)
            case .refused(let reason):
                // A refused expiry is not published: the hold ended before its deadline.
                guard kind != .expire else { return }
                try transaction.publish(
                    TransferRefused(command: kind, id: id, reason: reason.rawValue, at: now), causedBy: cause)
            }
        }
    }

    /// Refuses a command whose account owner does not fit the account kind, without asking the ledger.
    private func refuse(
        _ kind: LedgerCommandKind, _ id: UUID, _ cause: Envelope, _ transaction: PostgresTransaction
    ) throws {
        try transaction.publish(
            TransferRefused(command: kind, id: id, reason: LedgerRefusal.invalid.rawValue, at: clock()), causedBy: cause
        )
    }

    /// - Returns: nil when the owner does not fit the kind.
    private func account(_ account: LedgerAccount, _ currency: String, for subject: UUID) -> AccountReference? {
        switch (account.kind, account.owner) {
        case (.wallet, let owner?): return .wallet(owner, currency)
        case (.platform, nil): return .platform(currency, for: subject)
        case (.wallet, nil), (.platform, .some): return nil
        }
    }
}
