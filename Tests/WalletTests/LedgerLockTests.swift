import Foundation
import Messaging
import Postgres
import Synchronization
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Locks of the ledger", .timeLimit(.minutes(5)))
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
