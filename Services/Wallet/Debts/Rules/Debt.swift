import Foundation

/// The amount that a receiver is still to get from an overdraft: the part of a move that the debtor's wallet did not
/// hold.
///
/// The money lies in an account of its own, cannot be spent, and goes to the receiver as the debtor pays.
struct Debt: Hashable, Sendable {
    /// The order in which a debtor's debts were made.
    let number: Int
    let account: AccountReference
    let debtor: UUID
    let receiver: UUID
    /// Minor units that the debtor's wallet did not hold.
    let amount: Int
    /// Minor units that are still waiting.
    let unpaid: Int
    let owed: Move.DebtNotice?
    /// The number of the debt account's first entry. Only later credits of the debtor's wallet pay the debt.
    let entry: Int

    var currency: String { account.currency }
}

/// Decides how a debtor's credits pay the debts: the oldest debt first, people before the platform.
///
/// A credit pays with the amount by which it raises the wallet towards zero. Each credit counts once; `Place` records
/// how far credits were counted.
struct DebtQueue: Sendable {
    /// A credit of the debtor's wallet.
    struct Credit: Hashable, Sendable {
        /// The number of the credit's entry.
        let entry: Int
        /// Minor units by which the credit raised the balance, counted up to zero.
        let raisedBy: Int
    }

    /// How far the debtor's credits were counted.
    struct Place: Hashable, Sendable {
        var entry: Int
        /// Minor units of that credit that were counted.
        var part: Int
    }

    /// A debt's first entry and its unpaid amount.
    struct Waiting: Hashable, Sendable {
        let entry: Int
        let unpaid: Int
    }

    /// Minor units paid to each debt, in the order of `waiting`.
    private(set) var paid: [Int]
    private(set) var place: Place
    /// Whether credits may be left for debts that were not read.
    private(set) var hasRest = false

    /// - Parameters:
    ///   - waiting: the oldest debts, oldest first.
    ///   - hasMore: whether there are newer debts than these.
    ///   - credits: the credits from `place` on, oldest first.
    init(_ waiting: [Waiting], hasMore: Bool, credits: [Credit], from place: Place) {
        paid = waiting.map { _ in 0 }
        self.place = place
        var next = 0
        for credit in credits where credit.entry >= place.entry {
            let counted = credit.entry == place.entry ? place.part : 0
            var left = credit.raisedBy - counted
            while left > 0, next < waiting.count, waiting[next].entry < credit.entry {
                let part = min(left, waiting[next].unpaid - paid[next])
                paid[next] += part
                left -= part
                if paid[next] == waiting[next].unpaid { next += 1 }
            }
            if left > 0, next == waiting.count, hasMore {
                self.place = Place(entry: credit.entry, part: credit.raisedBy - left)
                hasRest = true
                return
            }
            self.place = Place(entry: credit.entry, part: credit.raisedBy)
        }
    }
}

extension Transfers {
    /// Pays a part or all of a debt to its receiver.
    static func pay(_ amount: Int, of debt: Debt, id: UUID) -> Transfer {
        // The unpaid amount in the key shrinks with each part, so every part has its own key.
        let key =
            "\(TransferKey.make(Transfer.Kind.debtPaid.rawValue, debt.account.owner)):"
            + "\(debt.account.shard):\(debt.unpaid)"
        return Transfer(
            id: id, .debtPaid, of: debt.owed?.order ?? debt.account.owner, currency: debt.currency, key: key,
            [Move(amount, from: debt.account, to: .wallet(debt.receiver, debt.currency))])
    }

    /// Cancels debts in favour of their debtors, because their receiver gives them up.
    static func giveUp(_ debts: [Debt], _ currency: String, of subject: UUID, id: UUID) -> Transfer {
        Transfer(
            id: id, .debtCancelled, of: subject, currency: currency,
            debts.map { Move($0.unpaid, from: $0.account, to: .wallet($0.debtor, currency)) })
    }

    /// Pays a part or all of what a debtor owes out of the platform's money. ``SettleDebts`` passes it on to those who
    /// wait, as any other credit.
    static func writeOff(_ writeOff: WriteOff, id: UUID) -> Transfer {
        Transfer(
            id: id, .writeOff, of: writeOff.id, currency: writeOff.currency,
            [
                Move(
                    writeOff.amount, from: .platform(writeOff.currency, for: writeOff.id),
                    to: .wallet(writeOff.account, writeOff.currency))
            ])
    }

    /// Cancels debts of a refund's customer to the refund's funder: the funder gives up waiting money before funding
    /// the rest.
    static func cancel(_ debts: [(debt: Debt, amount: Int)], for refund: Refund, id: UUID) -> Transfer {
        Transfer(
            id: id, .debtCancelled, of: refund.id, currency: refund.currency,
            debts.map { Move($0.amount, from: $0.debt.account, to: .wallet($0.debt.debtor, refund.currency)) })
    }
}
