import Foundation

/// What somebody is to get out of an overdraft: the part of a move that the debtor's wallet did not hold.
///
/// It lies in an account of its own, which nobody spends from, and goes to its receiver as the debtor pays.
struct Debt: Hashable, Sendable {
    /// In the order in which one debtor's debts were made.
    let number: Int
    let account: AccountReference
    let debtor: UUID
    let receiver: UUID
    /// Minor units; what was not covered.
    let amount: Int
    /// Minor units that still wait.
    let unpaid: Int
    let owed: Move.Owed?
    /// The number of its account's first entry: what the debtor's wallet is credited with later pays it.
    let entry: Int

    var currency: String { account.currency }
}

/// How a debtor's credits pay those who wait: the oldest debt first, people before the platform.
///
/// A credit pays by what it raises the wallet below zero. Each counts once: the place up to which they were counted is kept.
struct DebtQueue: Sendable {
    /// A credit of the debtor's wallet.
    struct Credit: Hashable, Sendable {
        /// The number of its entry.
        let entry: Int
        /// Minor units by which it brought the wallet up to zero at most.
        let rise: Int
    }

    /// Up to where the debtor's credits were counted.
    struct Place: Hashable, Sendable {
        var entry: Int
        /// Minor units of that credit that were counted.
        var part: Int
    }

    /// What waits: when it was made, and how much of it.
    struct Waiting: Hashable, Sendable {
        let entry: Int
        let unpaid: Int
    }

    /// Minor units that each of those who wait gets.
    private(set) var paid: [Int]
    private(set) var place: Place
    /// Whether there may be credits left for debts that were not looked at.
    private(set) var hasRest = false

    /// - Parameters:
    ///   - waiting: the oldest first.
    ///   - hasMore: whether there are more behind them.
    ///   - credits: the oldest first, from `place` on.
    init(_ waiting: [Waiting], hasMore: Bool, credits: [Credit], from place: Place) {
        paid = waiting.map { _ in 0 }
        self.place = place
        var next = 0
        for credit in credits where credit.entry >= place.entry {
            let counted = credit.entry == place.entry ? place.part : 0
            var left = credit.rise - counted
            while left > 0, next < waiting.count, waiting[next].entry < credit.entry {
                let part = min(left, waiting[next].unpaid - paid[next])
                paid[next] += part
                left -= part
                if paid[next] == waiting[next].unpaid { next += 1 }
            }
            if left > 0, next == waiting.count, hasMore {
                self.place = Place(entry: credit.entry, part: credit.rise - left)
                hasRest = true
                return
            }
            self.place = Place(entry: credit.entry, part: credit.rise)
        }
    }
}

extension Transfers {
    /// A debtor has paid a part of a debt, or all of it.
    static func pay(_ amount: Int, of debt: Debt, id: UUID) -> Transfer {
        // What still waits of it grows less each time, so no two parts have one key.
        let key =
            "\(TransferKey.make(Transfer.Kind.debtPaid.rawValue, debt.account.owner)):"
            + "\(debt.account.shard):\(debt.unpaid)"
        return Transfer(
            id: id, .debtPaid, of: debt.owed?.order ?? debt.account.owner, currency: debt.currency, key: key,
            [Move(amount, from: debt.account, to: .wallet(debt.receiver, debt.currency))])
    }

    /// Whoever funds a refund waits for money of its customer, and gives that up first.
    static func cancel(_ debts: [(debt: Debt, amount: Int)], for refund: Refund, id: UUID) -> Transfer {
        Transfer(
            id: id, .debtCancelled, of: refund.id, currency: refund.currency,
            debts.map { Move($0.amount, from: $0.debt.account, to: .wallet($0.debt.debtor, refund.currency)) })
    }
}
