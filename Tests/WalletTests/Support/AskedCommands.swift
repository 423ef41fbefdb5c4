import Contracts
import Foundation
import Locks
import Messaging
import Postgres

@testable import SeraiWallet

/// Commands as messages ask them, so that statements tell of them.
enum AskedCommands {
    private static let note = StatementNote(
        market: "assef", title: ["en": "Wound care"], payer: "Salem", beneficiary: "Noura")

    /// Of four that place a hold or post a transfer one has no note. A repeat has what the first had.
    static func isNoted(_ command: LedgerCommand) -> Bool {
        switch command {
        case .place(let hold): hold.id.uuid.15 % 4 != 0
        case .post(let id, _, _, _): id.uuid.15 % 4 != 0
        case .capture, .release, .expire, .reverse: true
        }
    }

    /// Performs them in one set.
    /// - Returns: the outcome of each.
    static func perform(_ commands: [LedgerCommand], _ pool: PostgresPool) async throws -> [LedgerOutcome] {
        let heard = try await pool.withTransaction { transaction in
            let heard = Outcomes()
            for command in commands { enqueue(command, heard, transaction) }
            return heard
        }
        return heard.all
    }

    private static func enqueue(
        _ command: LedgerCommand, _ heard: Outcomes, _ transaction: PostgresTransaction
    ) {
        let (kind, id) = name(command)
        LedgerHandlers { Date() }.perform(command, kind, id, nil, transaction) { outcome, now, transaction in
            heard.append(outcome)
            tell(command, outcome, at: now, transaction)
        }
    }

    private static func name(_ command: LedgerCommand) -> (LedgerCommandKind, UUID) {
        switch command {
        case .place(let hold): (.place, hold.id)
        case .capture(let hold, _): (.capture, hold)
        case .release(let hold): (.release, hold)
        case .expire(let hold): (.expire, hold)
        case .post(let id, _, _, _): (.post, id)
        case .reverse(let id): (.reverse, id)
        }
    }

    /// As the handlers of the messages do.
    private static func tell(
        _ command: LedgerCommand, _ outcome: LedgerOutcome, at now: Date, _ transaction: PostgresTransaction
    ) {
        let note = isNoted(command) ? Self.note : nil
        switch command {
        case .place(let hold):
            let asked = PlaceHold(
                hold: hold.id, account: hold.owner, amount: Money(amount: hold.amount, currency: hold.currency),
                subject: hold.subject, expiresAt: nil, note: note)
            CommandLines.placed(asked, outcome, at: now, transaction)
        case .capture(let hold, let shares):
            let asked = CaptureHold(
                hold: hold, currency: shares.first?.to.currency ?? "SAR",
                shares: shares.map { CaptureHold.Share(to: account($0.to), amount: $0.amount) })
            CommandLines.captured(asked, outcome, at: now, transaction)
        case .release(let hold): CommandLines.ended(hold, reason: "hold-released", outcome, at: now, transaction)
        case .expire(let hold): CommandLines.ended(hold, reason: "hold-expired", outcome, at: now, transaction)
        case .post(let id, let subject, let currency, let legs):
            let asked = PostTransfer(
                id: id, subject: subject, currency: currency,
                legs: legs.map { PostTransfer.Leg(from: account($0.from), to: account($0.to), amount: $0.amount) },
                note: note)
            CommandLines.posted(asked, outcome, at: now, transaction)
        case .reverse(let id): CommandLines.reversed(id, outcome, at: now, transaction)
        }
    }

    private static func account(_ reference: AccountReference) -> LedgerAccount {
        reference.kind == .wallet ? .wallet(reference.owner) : .platform
    }
}

/// What the ledger answered, in order.
private final class Outcomes: Sendable {
    private let outcomes = Mutex<[LedgerOutcome]>([])
    var all: [LedgerOutcome] { outcomes.withLock { $0 } }
    func append(_ outcome: LedgerOutcome) { outcomes.withLock { $0.append(outcome) } }
}
