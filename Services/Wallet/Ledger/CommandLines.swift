import Contracts
import Foundation
import Messaging
import Postgres

/// Writes statement lines for commands of other services, in the transaction of the ledger change. Only commands that
/// carry a `note` have lines.
enum CommandLines {
    /// Writes the line of a hold that was placed or refused.
    static func placed(
        _ asked: PlaceHold, _ outcome: LedgerOutcome, at now: Date, _ transaction: PostgresTransaction
    ) {
        guard let note = asked.note, let (state, reason) = state(outcome, posted: .waiting) else { return }
        let line = line(
            note, asked.account, "hold:\(asked.hold.text)", .hold, asked.amount.currency, -asked.amount.amount,
            asked.subject, state, reason)
        transaction.send(AddStatementLine(id: .timeOrdered(), line: line, at: now))
    }

    /// Ends the owner's line of a captured hold with the sum of the shares, and adds a line for each receiver.
    static func captured(
        _ asked: CaptureHold, _ outcome: LedgerOutcome, at now: Date, _ transaction: PostgresTransaction
    ) {
        guard case .posted = outcome else { return }
        let shares = sums(asked.shares.map { ($0.to, $0.amount) })
        let total = asked.shares.reduce(0) { $0 + $1.amount }
        // Must run before the owner's line ends: a repeated capture may name other shares than the first, and adds no
        // lines because the owner's line no longer waits.
        transaction.send(
            AddShareLines(
                hold: asked.hold, ids: shares.map { _ in .timeOrdered() }, accounts: shares.map(\.account),
                amounts: shares.map(\.amount), at: now))
        transaction.send(
            EndHoldLine(hold: asked.hold, state: .accepted, reason: nil, amount: -total, at: now))
    }

    /// Rejects the line of a hold that was released or has expired.
    static func ended(
        _ hold: UUID, reason: String, _ outcome: LedgerOutcome, at now: Date, _ transaction: PostgresTransaction
    ) {
        guard case .posted = outcome else { return }
        transaction.send(EndHoldLine(hold: hold, state: .rejected, reason: reason, amount: nil, at: now))
    }

    /// Writes the lines of a transfer that was posted or refused.
    static func posted(
        _ asked: PostTransfer, _ outcome: LedgerOutcome, at now: Date, _ transaction: PostgresTransaction
    ) {
        guard let note = asked.note, let (state, reason) = state(outcome, posted: .accepted) else { return }
        let moves = asked.legs.flatMap { [($0.from, -$0.amount), ($0.to, $0.amount)] }
        for (account, amount) in sums(moves) where amount != 0 {
            let line = line(
                note, account, "transfer:\(asked.id.text)", .transfer, asked.currency, amount, asked.subject, state,
                reason)
            transaction.send(AddStatementLine(id: .timeOrdered(), line: line, at: now))
        }
    }

    /// Marks the lines of a reversed transfer.
    static func reversed(
        _ id: UUID, _ outcome: LedgerOutcome, at now: Date, _ transaction: PostgresTransaction
    ) {
        guard case .posted = outcome else { return }
        transaction.send(ReverseTransferLines(transfer: id, at: now))
    }

    /// Returns nil when the command must not appear in a statement: its id belongs to another command, or it is
    /// invalid.
    private static func state(
        _ outcome: LedgerOutcome, posted: StatementLine.State
    ) -> (StatementLine.State, String?)? {
        switch outcome {
        case .posted: (posted, nil)
        case .refused(.keyTaken), .refused(.invalid): nil
        case .refused(let reason): (.rejected, reason.rawValue)
        }
    }

    /// Sums the amounts per wallet, ordered by owner id so that rows are locked in one order.
    private static func sums(_ moves: [(LedgerAccount, Int)]) -> [(account: UUID, amount: Int)] {
        var sums: [UUID: Int] = [:]
        for (account, amount) in moves where account.kind == .wallet {
            if let owner = account.owner { sums[owner, default: 0] += amount }
        }
        return sums.sorted { $0.key < $1.key }.map { (account: $0.key, amount: $0.value) }
    }

    private static func line(
        _ note: StatementNote, _ account: UUID, _ source: String, _ kind: StatementLine.Kind, _ currency: String,
        _ amount: Int, _ subject: UUID, _ state: StatementLine.State, _ reason: String?
    ) -> StatementLine {
        StatementLine(
            account: account, source: source, kind: kind, market: note.market, currency: currency, amount: amount,
            order: subject, method: .wallet, title: note.title, payer: note.payer, beneficiary: note.beneficiary,
            state: state, reason: reason)
    }
}
