import Foundation
import Locks
import Postgres

/// A per-process cache of account numbers, which saves the lookup by kind, owner, currency and shard.
///
/// A number is only a hint: the locked row's own columns say which account it is.
final class KnownAccounts: Sendable {
    /// About 7 MB. When the limit is exceeded the whole cache is cleared: most entries belong to finished orders.
    static let limit = 98_000

    /// How to find each account of a set.
    struct Lookup {
        /// Accounts whose number is cached.
        var numbers: [Int] = []
        /// Accounts to look up by their columns; they may have to be opened first.
        var unknown: [AccountReference] = []
    }

    private let numbers = Mutex<[AccountReference: Int]>([:])

    func ways(to references: Set<AccountReference>) -> Lookup {
        numbers.withLock { numbers in
            var ways = Lookup()
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

    /// Caches numbers after the commit, since accounts opened by an uncommitted transaction may not exist.
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
