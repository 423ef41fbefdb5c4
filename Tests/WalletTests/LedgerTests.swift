import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import Synchronization
import TestKit
import Testing

@testable import SeraiWallet

@Suite("The ledger", .timeLimit(.minutes(15)))
struct LedgerTests {
    /// The ledger again, written as simply as it can be.
    private struct Model {
        var balances: [AccountReference: Int] = [:]
        var keys: Set<String> = []

        /// - Returns: whether all were taken; none is if one cannot be.
        mutating func post(_ transfers: [Transfer]) -> Bool {
            var next = self
            for transfer in transfers where next.keys.insert(transfer.key).inserted {
                var debts = 0
                for move in transfer.moves {
                    let held = max(0, next.balances[move.from] ?? 0)
                    if move.overdraws, move.from.kind == .wallet, move.to.kind == .wallet, held < move.amount {
                        let debt = AccountReference.debt(transfer.id, transfer.currency, place: debts)
                        debts += 1
                        next.balances[move.from] = (next.balances[move.from] ?? 0) - move.amount
                        next.balances[move.to] = (next.balances[move.to] ?? 0) + held
                        next.balances[debt] = move.amount - held
                        continue
                    }
                    let left = (next.balances[move.from] ?? 0) - move.amount
                    if !move.overdraws, let floor = move.from.floor, left < floor { return false }
                    next.balances[move.from] = left
                    next.balances[move.to] = (next.balances[move.to] ?? 0) + move.amount
                }
            }
            self = next
            return true
        }
    }

    private static let people = (0..<5).map { _ in UUID.timeOrdered() }
    private static let orders = (0..<6).map { _ in UUID.timeOrdered() }

    private static func account(_ currency: String, using generator: inout SeededGenerator) -> AccountReference {
        let person = people[Int.random(in: 0..<people.count, using: &generator)]
        let order = orders[Int.random(in: 0..<orders.count, using: &generator)]
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5: return .wallet(person, currency)
        case 5..<8: return .escrow(order, currency)
        case 8: return .platform(currency, for: order)
        default: return .external(currency, for: order)
        }
    }

    private static func transfer(using generator: inout SeededGenerator, keys: Int) -> Transfer {
        let currency = Bool.random(using: &generator) ? "SAR" : "EUR"
        let moves = (0..<Int.random(in: 1...3, using: &generator)).compactMap { _ -> Move? in
            let from = account(currency, using: &generator)
            let to = account(currency, using: &generator)
            guard from != to else { return nil }
            return Move(
                Int.random(in: 1...500, using: &generator), from: from, to: to,
                overdraws: Int.random(in: 0..<20, using: &generator) == 0)
        }
        // Few subjects, so that keys repeat.
        let subject = SequentialIDs(first: UInt64.random(in: 1...UInt64(keys), using: &generator)).next()
        return Transfer(id: .timeOrdered(), .hold, of: subject, currency: currency, moves)
    }

    @Test("W7: any sequence of transfers, alone and in sets, gives the balances of an independent model")
    func model() async throws {
        try await TestDatabase.withDatabase(WalletService.migrations) { database in
            try await database.withPool { pool in
                var generator = SeededGenerator()
                var model = Model()
                var refused = 0
                for _ in 0..<400 {
                    let count = Bool.random(using: &generator) ? 1 : Int.random(in: 2...12, using: &generator)
                    let set = (0..<count).map { _ in Self.transfer(using: &generator, keys: 3_000) }
                    let expected = model.post(set)
                    do {
                        try await pool.withTransaction { _ = try await Ledger.post(set, in: $0) }
                        #expect(expected, "\(generator)")
                    } catch LedgerError.insufficientFunds {
                        refused += 1
                        #expect(!expected, "\(generator)")
                    }
                }
                #expect(refused > 0 && refused < 400, "\(generator)")
                let found = try await pool.query(ListAccounts())
                let wanted = model.balances.filter { $0.value != 0 }
                #expect(Dictionary(uniqueKeysWithValues: found).filter { $0.value != 0 } == wanted, "\(generator)")
                let check = try await LedgerCheck.whole(pool)
                // There are no payments to these escrows.
                #expect(check.faults.allSatisfy { $0.what == "escrow" }, "\(check.report)")
                #expect(check.currencies.allSatisfy { $0.sum == 0 }, "\(check.report)")
            }
        }
    }

    @Test("P5, W7: the sum of a currency is zero at every moment while many post at once")
    func concurrent() async throws {
        try await TestDatabase.withDatabase(WalletService.migrations) { database in
            try await database.withPool(maximum: 12) { pool in
                let seed = SeededGenerator()
                let isDone = Atomic(false)
                async let reading = {
                    var looks = 0
                    while !isDone.load(ordering: .acquiring) {
                        let check = try await LedgerCheck.trialBalance(pool)
                        #expect(check.currencies.allSatisfy { $0.sum == 0 }, "\(check.report) \(seed)")
                        looks += 1
                    }
                    return looks
                }()
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for worker in 0..<8 {
                        tasks.addTask {
                            var generator = SeededGenerator(seed: seed.seed &+ UInt64(worker))
                            for _ in 0..<60 {
                                let set = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                                    Self.transfer(using: &generator, keys: 1_000_000)
                                }
                                do {
                                    try await pool.withTransaction { _ = try await Ledger.post(set, in: $0) }
                                } catch LedgerError.insufficientFunds {
                                    // As good an end as the other.
                                }
                            }
                        }
                    }
                    try await tasks.waitForAll()
                }
                isDone.store(true, ordering: .releasing)
                #expect(try await reading > 0)
                let faults = try await LedgerCheck.whole(pool).faults.filter { $0.what != "escrow" }
                #expect(faults.isEmpty, "\(faults) \(seed)")
            }
        }
    }

    @Test("W6: a transfer posted by ten at once is posted by one")
    func once() async throws {
        try await TestDatabase.withDatabase(WalletService.migrations) { database in
            try await database.withPool(maximum: 10) { pool in
                let person = UUID.timeOrdered()
                let topUp = TopUp(
                    id: .timeOrdered(), account: person, market: "assef", currency: "SAR", amount: 700, holder: "")
                let posted = try await withThrowingTaskGroup(of: Int.self) { tasks in
                    for _ in 0..<10 {
                        tasks.addTask {
                            try await pool.withTransaction { transaction in
                                let transfer = Transfers.topUp(topUp, id: .timeOrdered())
                                return try await Ledger.post([transfer], in: transaction).count
                            }
                        }
                    }
                    return try await tasks.reduce(0, +)
                }
                #expect(posted == 1)
                #expect(
                    try await pool.query(ListBalances(account: person)) == [WalletRow(currency: "SAR", amount: 700)])
            }
        }
    }

    @Test("W7: entries and transfers cannot be changed, deleted or truncated")
    func appendOnly() async throws {
        try await TestDatabase.withDatabase(WalletService.migrations) { database in
            try await database.withPool { pool in
                let topUp = TopUp(
                    id: .timeOrdered(), account: .timeOrdered(), market: "assef", currency: "SAR", amount: 5, holder: ""
                )
                try await pool.withTransaction {
                    _ = try await Ledger.post([Transfers.topUp(topUp, id: .timeOrdered())], in: $0)
                }
                try await expectRefused { try await pool.execute(ChangeEntries()) }
                try await expectRefused { try await pool.execute(DeleteEntries()) }
                try await expectRefused { try await pool.execute(TruncateEntries()) }
                try await expectRefused { try await pool.execute(ChangeTransfers()) }
                #expect(try await LedgerCheck.whole(pool).isSound)
            }
        }
    }

    @Test(
        "W7: of an account only the balance changes: the database refuses another owner, currency or floor, and its end"
    )
    func keepsOwner() async throws {
        try await TestDatabase.withDatabase(WalletService.migrations) { database in
            try await database.withPool { pool in
                let topUp = TopUp(
                    id: .timeOrdered(), account: .timeOrdered(), market: "assef", currency: "SAR", amount: 5, holder: ""
                )
                try await pool.withTransaction {
                    _ = try await Ledger.post([Transfers.topUp(topUp, id: .timeOrdered())], in: $0)
                }
                try await expectRefused { try await pool.execute(ChangeOwners()) }
                try await expectRefused { try await pool.execute(ChangeCurrencies()) }
                try await expectRefused { try await pool.execute(ChangeFloors()) }
                try await expectRefused { try await pool.execute(DeleteAccounts()) }
                try await expectRefused { try await pool.execute(TruncateAccounts()) }
            }
        }
    }

    @Test("W7: a role that is not the schema's owner may change balances and nothing else of an account")
    func rights() async throws {
        try await TestDatabase.withDatabase(WalletService.migrations) { database in
            try await database.withPool { pool in
                let rights = try await pool.query(ListAccountRights())
                #expect(rights == ["balance"], "\(rights)")
            }
        }
    }

    @Test("W7: a balance that would be more than the ledger can write is refused, and nothing of it is posted")
    func overflow() throws {
        let (one, other) = (
            AccountReference.wallet(.timeOrdered(), "SAR"), AccountReference.wallet(.timeOrdered(), "SAR")
        )
        let platform = AccountReference.platform("SAR", for: .timeOrdered())
        var book = LedgerBook(balances: [one: 100, other: Int.max - 10, platform: Int.min + 10])
        func transfer(_ moves: [Move?]) -> Transfer {
            Transfer(id: .timeOrdered(), .transfer, of: .timeOrdered(), currency: "SAR", moves)
        }
        #expect(throws: LedgerError.overflow) {
            try book.post(transfer([Move(5, from: one, to: platform), Move(20, from: one, to: other)]))
        }
        #expect(throws: LedgerError.overflow) { try book.post(transfer([Move(20, from: platform, to: one)])) }
        #expect(book.balances == [one: 100, other: Int.max - 10, platform: Int.min + 10])
        let asked = LedgerCommand.post(
            id: .timeOrdered(), subject: .timeOrdered(), currency: "SAR",
            legs: [.init(from: one, to: other, amount: 11)])
        #expect(book.perform(asked, asked: nil, id: .timeOrdered()) == .refused(.invalid))
        #expect(try book.post(transfer([Move(10, from: one, to: other)])))
    }

    @Test("W7: the database itself refuses a debit below the floor, whatever program writes it")
    func floor() async throws {
        try await TestDatabase.withDatabase(WalletService.migrations) { database in
            try await database.withPool { pool in
                let error = await #expect(throws: PostgresError.self) { try await pool.execute(Overdraw()) }
                #expect(error?.constraint == "entries_above_floor")
            }
        }
    }

    private func expectRefused(_ body: () async throws -> Void) async throws {
        let error = await #expect(throws: PostgresError.self) { try await body() }
        #expect(error?.sqlState?.rawValue == "23001")
    }

    @Test("W7: the check finds a balance, an entry and an escrow that somebody has tampered with")
    func tampering() async throws {
        try await TestDatabase.withDatabase(WalletService.migrations) { database in
            try await database.withPool { pool in
                let topUp = TopUp(
                    id: .timeOrdered(), account: .timeOrdered(), market: "assef", currency: "SAR", amount: 5, holder: ""
                )
                try await pool.withTransaction {
                    _ = try await Ledger.post([Transfers.topUp(topUp, id: .timeOrdered())], in: $0)
                }
                try await pool.execute(TamperWithBalance())
                let check = try await LedgerCheck.whole(pool)
                #expect(!check.isSound)
                #expect(check.faults.map(\.what) == ["balance"])
                #expect(check.currencies.first?.sum == 1)
                #expect(check.report.contains("NOT sound"))
            }
        }
    }
}

private struct ListAccounts: Statement {
    static let sql: SQL = "SELECT kind, owner, currency, shard, balance FROM accounts"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (AccountReference, Int) {
        let account = AccountReference(
            kind: try row.choice(AccountReference.Kind.self), owner: try row.next(), currency: try row.next(),
            shard: try row.next())
        return (account, try row.next())
    }
}

private struct Overdraw: Statement {
    static let sql: SQL = """
        INSERT INTO entries (account, transfer, amount, balance, floor) VALUES (1, gen_random_uuid(), -6, -1, 0)
        """
}
private struct ChangeEntries: Statement { static let sql: SQL = "UPDATE entries SET amount = 6" }
private struct DeleteEntries: Statement { static let sql: SQL = "DELETE FROM entries" }
private struct TruncateEntries: Statement { static let sql: SQL = "TRUNCATE entries" }
private struct ChangeTransfers: Statement { static let sql: SQL = "UPDATE transfers SET key = 'x'" }
private struct ChangeOwners: Statement {
    static let sql: SQL = "UPDATE accounts SET owner = gen_random_uuid()"
}
private struct ChangeCurrencies: Statement { static let sql: SQL = "UPDATE accounts SET currency = 'EUR'" }
private struct ChangeFloors: Statement { static let sql: SQL = "UPDATE accounts SET floor = NULL" }
private struct DeleteAccounts: Statement { static let sql: SQL = "DELETE FROM accounts" }
private struct TruncateAccounts: Statement { static let sql: SQL = "TRUNCATE accounts" }
/// Columns of accounts that may be updated, by what is granted.
private struct ListAccountRights: Statement {
    static let sql: SQL = """
        SELECT DISTINCT column_name::text FROM information_schema.column_privileges
        WHERE table_schema = current_schema() AND table_name = 'accounts' AND privilege_type = 'UPDATE'
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
private struct TamperWithBalance: Statement {
    static let sql: SQL = "UPDATE accounts SET balance = balance + 1 WHERE kind = 'wallet'"
}
