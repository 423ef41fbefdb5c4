import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit
import Synchronization
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Locks of the ledger", .timeLimit(.minutes(15)))
struct LedgerLockTests {
    @Test("W6: sets that open the same many wallets at once never wait for each other in a circle")
    func firstTime() async throws {
        try await TestDatabase.withDatabase(WalletService.migrations) { database in
            try await database.withPool(maximum: 8) { pool in
                let known = (0..<8).map { _ in UUID.timeOrdered() }
                let attempts = Counter()
                try await pool.withTransaction { _ = try await Ledger.post(known.map(Self.topUp), in: $0) }
                for _ in 0..<25 {
                    let new = (0..<30).map { _ in UUID.timeOrdered() }
                    try await withThrowingTaskGroup(of: Void.self) { tasks in
                        for _ in 0..<8 {
                            tasks.addTask {
                                let set = (known + new).shuffled().prefix(25).map(Self.topUp)
                                try await pool.withTransaction { transaction in
                                    attempts.add()
                                    _ = try await Ledger.post(set, in: transaction)
                                }
                            }
                        }
                        try await tasks.waitForAll()
                    }
                }
                // A circle is broken by the database, and the transaction tried again.
                #expect(attempts.value == 200)
                let check = try await LedgerCheck.whole(pool)
                #expect(check.isSound, "\(check.report)")
            }
        }
    }

    @Test("W7: wrong numbers of accounts are only hints: each transfer meets its own accounts")
    func wrongNumbers() async throws {
        try await TestDatabase.withDatabase(WalletService.migrations) { database in
            try await database.withPool { pool in
                let people = (0..<6).map { _ in UUID.timeOrdered() }
                try await pool.withTransaction { _ = try await Ledger.post(people.map(Self.topUp), in: $0) }
                // As after a database was set back: the numbers are another's, and one is gone.
                try await pool.withTransaction { transaction in
                    let wallets = people.map { AccountReference.wallet($0, "SAR") }
                    let numbers = try await transaction.query(
                        LockAccounts(numbers: [], others: PostingAccounts(wallets))
                    ).map(\.number)
                    var wrong = Dictionary(uniqueKeysWithValues: zip(wallets, numbers.dropFirst() + [999_999]))
                    wrong[.external("SAR", for: people[0])] = numbers[0]
                    transaction.hints(KnownAccounts.self) { KnownAccounts() }.learn(wrong, in: transaction)
                }
                for _ in 0..<2 {
                    try await pool.withTransaction { _ = try await Ledger.post(people.map(Self.topUp), in: $0) }
                }
                let found = try await pool.withTransaction { transaction in
                    try await transaction.query(
                        LockAccounts(
                            numbers: [], others: PostingAccounts(people.map { AccountReference.wallet($0, "SAR") })))
                }
                #expect(found.map(\.balance) == people.map { _ in 3 })
                let check = try await LedgerCheck.whole(pool)
                #expect(check.isSound, "\(check.report)")
            }
        }
    }

    @Test("W6: a hold whose placing and whose end are decided in the same moment ends, whichever is the first")
    func sameMoment() async throws {
        try await LedgerWorld.run { world in
            let person = UUID.timeOrdered()
            try await world.fund(person, 1_000)
            let (first, last) = (Self.hold(person), Self.hold(person))
            // The placing is not committed yet.
            try await world.pool.withTransaction { transaction in
                _ = try await Ledger.perform([.place(first)], in: transaction)
                _ = try await transaction.query(CountLockWaits())  // sends what was decided
                try await world.ask([ReleaseHold(hold: first.id)])
                try await Self.anotherWaits(world)
            }
            let answers = try await world.answers(to: .release, first.id, count: 1)
            #expect(answers.allSatisfy { if case .posted = $0 { true } else { false } }, "\(answers)")
            // Nor is the end.
            let place = PlaceHold(
                hold: last.id, account: person, amount: Money(amount: last.amount, currency: "SAR"),
                subject: last.subject,
                expiresAt: nil)
            try await world.pool.withTransaction { transaction in
                let outcomes = try await Ledger.perform([.release(hold: last.id)], in: transaction)
                #expect(outcomes == [.refused(.unknownHold)])
                _ = try await transaction.query(CountLockWaits())
                try await world.ask([place])
                try await Self.anotherWaits(world)
            }
            #expect(try await world.answers(to: .place, last.id, count: 1) == [.refused("hold-ended")])
            #expect(try await world.balance(person) == 1_000)
            let check = try await LedgerCheck.whole(world.pool)
            #expect(check.isSound, "\(check.report)")
        }
    }

    /// Asked outside the transaction: inside it the database keeps the list of sessions of the first question, and the
    /// other's session may be newer.
    private static func anotherWaits(_ world: LedgerWorld) async throws {
        try await eventually("the other waits") { try await world.pool.first(CountLockWaits()) == 1 }
    }

    private static func hold(_ person: UUID) -> Hold {
        Hold(id: .timeOrdered(), owner: person, currency: "SAR", amount: 500, subject: .timeOrdered(), expiresAt: nil)
    }

    private static func topUp(_ person: UUID) -> Transfer {
        Transfer(
            id: .timeOrdered(), .topUp, of: .timeOrdered(), currency: "SAR",
            [Move(1, from: .external("SAR", for: person), to: .wallet(person, "SAR"))])
    }
}

private final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.wrappingAdd(1, ordering: .relaxed) }
}
