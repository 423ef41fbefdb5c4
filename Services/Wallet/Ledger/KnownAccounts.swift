import Foundation
import Locks
import Postgres

/// The numbers of accounts as this process has met them, so that an account need not be looked for by what it is.
///
/// A number is only a hint: the row that is locked by it says itself whose it is.
final class KnownAccounts: Sendable {
    /// Some seven megabytes. Above it all is forgotten and learnt anew: most accounts are of orders that are over.
    static let limit = 98_000

    /// How a set of accounts is to be found.
    struct Ways {
        /// By number.
        var numbers: [Int] = []
        /// By what they are; they may have to be opened.
        var unknown: [AccountReference] = []
    }

    private let numbers = Mutex<[AccountReference: Int]>([:])

    func ways(to references: Set<AccountReference>) -> Ways {
        numbers.withLock { numbers in
            var ways = Ways()
            ways.numbers.reserveCapacity(references.count)
            for reference in references {
                if let number = numbers[reference] {
                    ways.numbers.append(number)
                } else {
                    ways.unknown.append(reference)
                }
            }
            return ways
        }
    }

    /// With the commit: what a transaction has opened and not committed is not there.
    func learn(_ found: [AccountReference: Int], in transaction: PostgresTransaction) {
        transaction.participant(Learning.self) { Learning(self) }.found.merge(found) { _, new in new }
    }

    private func learn(_ found: [AccountReference: Int]) {
        numbers.withLock { numbers in
            if numbers.count + found.count > Self.limit { numbers.removeAll(keepingCapacity: true) }
            numbers.merge(found) { _, new in new }
        }
    }

    private final class Learning: CommitParticipant {
        let known: KnownAccounts
        var found: [AccountReference: Int] = [:]

        init(_ known: KnownAccounts) { self.known = known }

        func willCommit(_ transaction: PostgresTransaction) {}
        func didCommit() { known.learn(found) }
    }
}
