import Foundation
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Chains of transfers", .timeLimit(.minutes(15)))
struct ChainTests {
    private static func topUp(_ amount: Int = 5) -> Transfer {
        let person = UUID.timeOrdered()
        return Transfer(
            id: .timeOrdered(), .topUp, of: person, currency: "SAR",
            [Move(amount, from: .external("SAR", for: person), to: .wallet(person, "SAR"))])
    }

    /// Gives `body` a ledger of one chain with ten transfers.
    private static func withChain(_ body: (PostgresPool) async throws -> Void) async throws {
        try await TestDatabase.withDatabase(WalletService.migrations) { database in
            try await database.withPool { pool in
                let set = (1...10).map { topUp($0) }
                try await pool.withTransaction { _ = try await Ledger.post(set, in: $0) }
                #expect(try await LedgerCheck.whole(pool).isSound)
                for table in [AnyStatement.freeEntries, .freeTransfers] { try await table.run(pool) }
                try await body(pool)
            }
        }
    }

    /// What somebody with all rights does to the tables.
    enum AnyStatement: Sendable {
        case freeEntries, freeTransfers, amount, bothAmounts, entryGone, entryMore, balance, middleGone, lastGone
        case subject, transferMore, head, time, form, owner, accountCurrency
        case forgedAtNothing, forgedBeforeChains, forgedFirstOfAll

        func run(_ pool: PostgresPool) async throws {
            switch self {
            case .freeEntries: try await pool.execute(FreeEntries())
            case .freeTransfers: try await pool.execute(FreeTransfers())
            case .amount: try await pool.execute(ChangeAmount())
            case .bothAmounts: try await pool.execute(ChangeBothAmounts())
            case .entryGone: try await pool.execute(RemoveEntry())
            case .entryMore: try await pool.execute(AddEntries())
            case .balance: try await pool.execute(ChangeBalance())
            case .middleGone: try await pool.execute(RemoveTransfer(place: 5))
            case .lastGone: try await pool.execute(RemoveTransfer(place: 10))
            case .subject: try await pool.execute(ChangeSubject())
            case .transferMore: try await pool.execute(AddTransfer())
            case .head: try await pool.execute(ChangeHead())
            case .time: try await pool.execute(ChangeTime())
            case .form: try await pool.execute(ChangeForm())
            case .owner:
                try await pool.execute(FreeAccounts())
                try await pool.execute(ChangeOwner())
            case .accountCurrency:
                try await pool.execute(FreeAccounts())
                try await pool.execute(ChangeAccountCurrency())
            case .forgedAtNothing: try await forge(pool, chain: 1, place: 0)
            case .forgedBeforeChains: try await forge(pool, chain: 0, place: 1)
            case .forgedFirstOfAll: try await forge(pool, chain: Int(Int16.min), place: Int.min)
            }
        }

        private func forge(_ pool: PostgresPool, chain: Int, place: Int) async throws {
            try await pool.execute(FreeChains())
            try await pool.execute(ForgeTransfer(chain: chain, place: place))
        }
    }

    @Test(
        "W7: verify sees a forged transfer wherever it is put, also before the first place that a chain has",
        arguments: [AnyStatement.forgedAtNothing, .forgedBeforeChains, .forgedFirstOfAll])
    func forged(_ deed: AnyStatement) async throws {
        try await Self.withChain { pool in
            try await deed.run(pool)
            let check = try await LedgerCheck.whole(pool)
            #expect(!check.isSound && !check.chainFaults.isEmpty, "\(check.report)")
        }
    }

    @Test("W7: the database takes no transfer outside of the chains")
    func outside() async throws {
        try await Self.withChain { pool in
            for (chain, place) in [(1, 0), (0, 1), (17, 1)] {
                let error = await #expect(throws: PostgresError.self) {
                    try await pool.execute(ForgeTransfer(chain: chain, place: place))
                }
                #expect(error?.constraint == "transfers_in_chains")
            }
        }
    }

    @Test(
        "W7: verify names the transfer of whose rows one was changed, removed or added, by whomever",
        arguments: [
            AnyStatement.amount, .bothAmounts, .entryGone, .entryMore, .balance, .subject, .time, .form, .owner,
            .accountCurrency,
        ])
    func changed(_ deed: AnyStatement) async throws {
        try await Self.withChain { pool in
            let fifth = try #require(try await pool.first(FindTransfer(place: 5)))
            try await deed.run(pool)
            let check = try await LedgerCheck.whole(pool)
            guard case .differs(_, let place, let transfer)? = check.chainFaults.first else {
                Issue.record("\(check.report)")
                return
            }
            #expect(place == 5 && transfer == fifth, "\(check.report)")
            #expect(check.chainFaults.count == 1, "\(check.report)")
            #expect(!check.isSound && check.report.contains("NOT sound"))
        }
    }

    @Test("W7: verify tells of a transfer that was removed from the middle or the end of a chain, or put behind it")
    func removed() async throws {
        for (deed, isEnd) in [
            (AnyStatement.middleGone, false), (.lastGone, true), (.transferMore, true), (.head, true),
        ] {
            try await Self.withChain { pool in
                try await deed.run(pool)
                let check = try await LedgerCheck.whole(pool)
                #expect(!check.isSound)
                switch check.chainFaults.last {
                case .missing(_, let place): #expect(!isEnd && place == 5, "\(check.report)")
                case .end: #expect(isEnd, "\(check.report)")
                case .differs, .outside, .count, nil: Issue.record("\(check.report)")
                }
            }
        }
    }

    @Test("W7: posters that meet append to different chains, and verify finds all of them sound meanwhile")
    func concurrent() async throws {
        try await TestDatabase.withDatabase(WalletService.migrations) { database in
            try await database.withPool(maximum: 10) { pool in
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for _ in 0..<8 {
                        tasks.addTask {
                            for _ in 0..<30 {
                                let set = (0..<3).map { _ in Self.topUp() }
                                try await pool.withTransaction { _ = try await Ledger.post(set, in: $0) }
                            }
                        }
                    }
                    tasks.addTask {
                        for _ in 0..<5 {
                            let check = try await LedgerCheck.whole(pool)
                            #expect(check.isSound, "\(check.report)")
                        }
                    }
                    try await tasks.waitForAll()
                }
                let check = try await LedgerCheck.whole(pool)
                #expect(check.isSound, "\(check.report)")
                #expect(check.chains.count { $0.place > 0 } > 1)
                #expect(check.chains.map(\.place).reduce(0, +) == 720)
            }
        }
    }

    @Test("W7: more posters than chains wait for each other and lose nothing")
    func moreThanChains() async throws {
        try await TestDatabase.withDatabase(WalletService.migrations) { database in
            try await database.withPool(maximum: LockChain.count + 4) { pool in
                let count = LockChain.count + 4
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for _ in 0..<count {
                        tasks.addTask {
                            try await pool.withTransaction { transaction in
                                _ = try await Ledger.post([Self.topUp()], in: transaction)
                                // The chain stays locked for a while.
                                _ = try await transaction.query(Pause())
                            }
                        }
                    }
                    try await tasks.waitForAll()
                }
                let check = try await LedgerCheck.whole(pool)
                #expect(check.isSound, "\(check.report)")
                #expect(check.chains.map(\.place).reduce(0, +) == count)
            }
        }
    }

    @Test("W7: transfers from before the chains become the beginning of one")
    func migrated() async throws {
        let before = WalletService.migrations.filter { $0.component != "wallet" || $0.version < 8 }
        try await TestDatabase.withDatabase(before) { database in
            try await database.withPool { pool in
                try await pool.execute(OldAccounts())
                try await pool.execute(OldTransfers())
                try await pool.execute(OldEntries())
                try await Migrator(pool, WalletService.migrations, logger: TestThreads.logger).migrate()
                let old = try await LedgerCheck.whole(pool)
                #expect(old.isSound, "\(old.report)")
                #expect(old.chains.map(\.place).max() == 3)
                for _ in 0..<40 {
                    try await pool.withTransaction { _ = try await Ledger.post([Self.topUp()], in: $0) }
                }
                let new = try await LedgerCheck.whole(pool)
                #expect(new.isSound, "\(new.report)")
            }
        }
    }
}

private struct FreeEntries: Statement {
    static let sql: SQL = "ALTER TABLE entries DISABLE TRIGGER entries_append_only"
}
private struct FreeTransfers: Statement {
    static let sql: SQL = "ALTER TABLE transfers DISABLE TRIGGER transfers_append_only"
}
private struct ChangeAmount: Statement {
    static let sql: SQL = """
        UPDATE entries SET amount = amount + 1
        WHERE amount > 0 AND transfer = (SELECT id FROM transfers WHERE place = 5)
        """
}
/// So that the transfer's sum, and the currency's, are nothing still.
private struct ChangeBothAmounts: Statement {
    static let sql: SQL = """
        UPDATE entries SET amount = amount + sign(amount)::bigint
        WHERE transfer = (SELECT id FROM transfers WHERE place = 5)
        """
}
private struct RemoveEntry: Statement {
    static let sql: SQL = """
        DELETE FROM entries WHERE amount < 0 AND transfer = (SELECT id FROM transfers WHERE place = 5)
        """
}
private struct AddEntries: Statement {
    static let sql: SQL = """
        INSERT INTO entries (account, transfer, amount, balance)
        SELECT account, transfer, amount, balance + amount FROM entries
        WHERE transfer = (SELECT id FROM transfers WHERE place = 5)
        """
}
private struct ChangeBalance: Statement {
    static let sql: SQL = """
        UPDATE entries SET balance = balance + 1
        WHERE amount > 0 AND transfer = (SELECT id FROM transfers WHERE place = 5)
        """
}
private struct ChangeSubject: Statement {
    static let sql: SQL = "UPDATE transfers SET subject = gen_random_uuid() WHERE place = 5"
}
private struct ChangeTime: Statement {
    static let sql: SQL = "UPDATE transfers SET at = at - interval '1 microsecond' WHERE place = 5"
}
private struct ChangeForm: Statement {
    static let sql: SQL = "UPDATE transfers SET form = 1 WHERE place = 5"
}
private struct FreeAccounts: Statement {
    static let sql: SQL = "ALTER TABLE accounts DISABLE TRIGGER accounts_keep_their_owner"
}
/// Of the wallet that the fifth transfer filled.
private struct ChangeOwner: Statement {
    static let sql: SQL = """
        UPDATE accounts SET owner = gen_random_uuid() WHERE id = (
            SELECT account FROM entries WHERE amount > 0 AND transfer = (SELECT id FROM transfers WHERE place = 5))
        """
}
private struct ChangeAccountCurrency: Statement {
    static let sql: SQL = """
        UPDATE accounts SET currency = 'EUR' WHERE id = (
            SELECT account FROM entries WHERE amount > 0 AND transfer = (SELECT id FROM transfers WHERE place = 5))
        """
}
private struct FreeChains: Statement {
    static let sql: SQL = "ALTER TABLE transfers DROP CONSTRAINT transfers_in_chains"
}
/// As complete as a chain's last one, of which it has the hash.
private struct ForgeTransfer: Statement {
    static let sql: SQL = """
        INSERT INTO transfers (id, key, kind, currency, subject, chain, place, hash)
        SELECT gen_random_uuid(), 'forged', kind, currency, subject, $1, $2, hash FROM transfers WHERE place = 10
        """
    let chain: Int
    let place: Int
    func bind(_ bindings: inout Bindings) { bindings.append(chain, place) }
}
private struct RemoveTransfer: Statement {
    static let sql: SQL = "DELETE FROM transfers WHERE place = $1"
    let place: Int
    func bind(_ bindings: inout Bindings) { bindings.append(place) }
}
private struct AddTransfer: Statement {
    static let sql: SQL = """
        INSERT INTO transfers (id, key, kind, currency, subject, chain, place, hash)
        SELECT gen_random_uuid(), 'mine', kind, currency, subject, chain, 11, hash FROM transfers WHERE place = 10
        """
}
private struct ChangeHead: Statement {
    static let sql: SQL = "UPDATE chains SET hash = decode(repeat('11', 32), 'hex') WHERE place = 10"
}
private struct FindTransfer: Statement {
    static let sql: SQL = "SELECT id FROM transfers WHERE place = $1"
    let place: Int
    func bind(_ bindings: inout Bindings) { bindings.append(place) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
private struct Pause: Statement {
    static let sql: SQL = "SELECT pg_sleep(0.2)::text"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
private struct OldAccounts: Statement {
    static let sql: SQL = """
        INSERT INTO accounts (kind, owner, currency, shard, balance, floor)
        VALUES ('wallet', '00000000-0000-7000-8000-000000000001', 'SAR', 0, 60, 0),
            ('external', '00000000-0000-0000-0000-000000000000', 'SAR', 1, -60, NULL)
        """
}
private struct OldTransfers: Statement {
    static let sql: SQL = """
        INSERT INTO transfers (id, key, kind, currency, subject)
        SELECT gen_random_uuid(), 'topUp:' || n, 'topUp', 'SAR', gen_random_uuid() FROM generate_series(1, 3) AS n
        """
}
private struct OldEntries: Statement {
    static let sql: SQL = """
        INSERT INTO entries (account, transfer, amount, balance, floor)
        SELECT accounts.id, transfers.id, sign(accounts.balance)::bigint * 20,
            sign(accounts.balance)::bigint * 20 * row_number() OVER (PARTITION BY accounts.id ORDER BY transfers.id), floor
        FROM transfers CROSS JOIN accounts ORDER BY transfers.id, accounts.id
        """
}
