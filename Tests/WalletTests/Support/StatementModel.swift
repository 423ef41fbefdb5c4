import Foundation
import Messaging

@testable import SeraiWallet

/// What people's statements say of commands, again, as simply as it can be: from each command and its outcome alone.
struct StatementModel {
    struct Line: Hashable, Sendable {
        /// The hold or transfer.
        let source: String
        let currency: String
        var amount: Int
        var state: String
        var reason: String?
    }

    /// By account, the oldest first.
    private(set) var lines: [UUID: [Line]] = [:]
    /// Of holds that a line tells of.
    private var owners: [UUID: UUID] = [:]
    /// By source and account, where the line is.
    private var places: [String: [UUID: Int]] = [:]

    /// - Parameter isNoted: whether the command said how statements tell of it.
    mutating func hear(_ command: LedgerCommand, _ outcome: LedgerModel.Outcome, isNoted: Bool) {
        switch (command, outcome) {
        case (.place(let hold), .posted) where isNoted:
            owners[hold.id] = hold.owner
            add(Self.source(hold: hold.id), hold.currency, -hold.amount, "waiting", nil, to: hold.owner)
        case (.place(let hold), .refused(.insufficientFunds)) where isNoted:
            add(
                Self.source(hold: hold.id), hold.currency, -hold.amount, "rejected", "insufficient-funds",
                to: hold.owner)
        case (.capture(let hold, let shares), .posted): capture(hold, shares)
        case (.release(let hold), .posted): giveBack(hold, "hold-released")
        case (.expire(let hold), .posted): giveBack(hold, "hold-expired")
        case (.post(let id, _, let currency, let legs), .posted) where isNoted:
            addAll(legs, Self.source(transfer: id), currency, "accepted", nil)
        case (.post(let id, _, let currency, let legs), .refused(.insufficientFunds)) where isNoted:
            addAll(legs, Self.source(transfer: id), currency, "rejected", "insufficient-funds")
        case (.reverse(let id), .posted): reverse(Self.source(transfer: id))
        default: break
        }
    }

    private static func source(hold: UUID) -> String { "hold:\(hold.text)" }

    private static func source(transfer: UUID) -> String { "transfer:\(transfer.text)" }

    /// The first capture of a hold that waits. Who pays for oneself has the one line of the payer.
    private mutating func capture(_ hold: UUID, _ shares: [LedgerCommand.Share]) {
        let source = Self.source(hold: hold)
        guard let owner = owners[hold], let place = place(of: source, of: owner),
            let line = lines[owner]?[place], line.state == "waiting"
        else { return }
        var paid = 0
        var parts: [UUID: Int] = [:]
        for share in shares {
            paid += share.amount
            if share.to.kind == .wallet { parts[share.to.owner, default: 0] += share.amount }
        }
        for (account, amount) in parts { add(source, line.currency, amount, "accepted", nil, to: account) }
        lines[owner]?[place].amount = -paid
        lines[owner]?[place].state = "accepted"
    }

    private mutating func giveBack(_ hold: UUID, _ reason: String) {
        guard let owner = owners[hold], let place = place(of: Self.source(hold: hold), of: owner),
            lines[owner]?[place].state == "waiting"
        else { return }
        lines[owner]?[place].state = "rejected"
        lines[owner]?[place].reason = reason
    }

    private mutating func reverse(_ source: String) {
        for (account, place) in places[source] ?? [:] where lines[account]?[place].state == "accepted" {
            lines[account]?[place].state = "rejected"
            lines[account]?[place].reason = "reversed"
        }
    }

    /// A line for each wallet that has more or less by all legs together.
    private mutating func addAll(
        _ legs: [LedgerCommand.Leg], _ source: String, _ currency: String, _ state: String, _ reason: String?
    ) {
        var sums: [UUID: Int] = [:]
        for leg in legs {
            if leg.from.kind == .wallet { sums[leg.from.owner, default: 0] -= leg.amount }
            if leg.to.kind == .wallet { sums[leg.to.owner, default: 0] += leg.amount }
        }
        for (account, sum) in sums where sum != 0 { add(source, currency, sum, state, reason, to: account) }
    }

    /// Once for each source.
    private mutating func add(
        _ source: String, _ currency: String, _ amount: Int, _ state: String, _ reason: String?, to account: UUID
    ) {
        guard place(of: source, of: account) == nil else { return }
        places[source, default: [:]][account] = lines[account]?.count ?? 0
        lines[account, default: []].append(
            Line(source: source, currency: currency, amount: amount, state: state, reason: reason))
    }

    private func place(of source: String, of account: UUID) -> Int? { places[source]?[account] }
}
