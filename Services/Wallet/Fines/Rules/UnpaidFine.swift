import Foundation

/// How much of an order's fine the debtor has neither paid nor still owes, because the platform wrote it off or its
/// receiver gave it up. So much of the fine cannot be refunded: the debtor would get money that nobody took.
///
/// Computed from the debtor's wallet: each overdraft waits in a queue, and what comes in pays the oldest first, as for
/// the receivers (``DebtQueue``). A part that a receiver gives up leaves the queue by itself.
struct UnpaidFine: Sendable {
    /// A change of the debtor's wallet.
    struct Entry: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            /// The order of a debit; also of a credit that pays, where it is known.
            case other(order: UUID)
            case writeOff
            /// A receiver gave up what waited for the order.
            case givenUp(order: UUID?)
        }

        /// Minor units; negative for a debit.
        let amount: Int
        let kind: Kind
    }

    private struct Overdraft {
        /// Nil for overdrafts from before the fine.
        let order: UUID?
        var amount: Int
    }

    /// Minor units.
    private(set) var writtenOff = 0
    private(set) var givenUp = 0
    private var queue: [Overdraft] = []

    /// - Parameters:
    ///   - before: the balance before the fine.
    ///   - entries: the wallet's entries from the fine on, oldest first.
    init(of order: UUID, before: Int, _ entries: some Sequence<Entry>) {
        if before < 0 { queue = [Overdraft(order: nil, amount: -before)] }
        var balance = before
        for entry in entries {
            balance += entry.amount
            guard entry.amount > 0 else {
                let owed = min(-entry.amount, max(0, -balance))
                if owed > 0, case .other(let subject) = entry.kind {
                    queue.append(Overdraft(order: subject, amount: owed))
                }
                continue
            }
            switch entry.kind {
            case .other: _ = pay(entry.amount, order)
            case .writeOff: writtenOff += pay(entry.amount, order)
            case .givenUp(let given):
                let own = giveUp(entry.amount, given)
                if given == order { givenUp += own }
                _ = pay(entry.amount - own, order)
            }
        }
    }

    /// Minor units that cannot be refunded.
    var amount: Int { writtenOff + givenUp }

    /// Pays the oldest overdrafts.
    ///
    /// - Returns: the part that paid the order's.
    private mutating func pay(_ amount: Int, _ order: UUID) -> Int {
        var (left, own) = (amount, 0)
        while left > 0, let first = queue.first {
            let part = min(left, first.amount)
            left -= part
            if first.order == order { own += part }
            queue[0].amount -= part
            if queue[0].amount == 0 { queue.removeFirst() }
        }
        return own
    }

    /// - Returns: the part by which the order's overdrafts shrank.
    private mutating func giveUp(_ amount: Int, _ order: UUID?) -> Int {
        var left = amount
        while left > 0, let index = queue.firstIndex(where: { $0.order == order }) {
            let part = min(left, queue[index].amount)
            left -= part
            queue[index].amount -= part
            if queue[index].amount == 0 { queue.remove(at: index) }
        }
        return amount - left
    }
}
