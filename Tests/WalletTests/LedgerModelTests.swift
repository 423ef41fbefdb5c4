import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("The ledger against a model", .timeLimit(.minutes(120)))
struct LedgerModelTests {
    /// The whole million takes minutes.
    private let count =
        ProcessInfo.processInfo.environment["SERAI_LEDGER_COMMANDS"].flatMap(Int.init) ?? 30_000

    @Test("P5, W6, W7: random commands in batches have the outcomes, balances and statements of an independent model")
    func model() async throws {
        let generator = SeededGenerator()
        try await TestDatabase.withDatabase(WalletService.migrations) { database in
            try await database.withPool { pool in
                var source = CommandSource(people: 12, generator)
                var models = Models()
                try await fund(source.people, &models.ledger, pool)
                var sizes = SeededGenerator(seed: generator.seed &+ 1)
                var tally: [String: Int] = [:]
                var done = 0
                while done < count {
                    let size = min(count - done, Int.random(in: 1...300, using: &sizes))
                    let commands = (0..<size).map { _ in source.next() }
                    let outcomes = try await AskedCommands.perform(commands, pool)
                    let expected = commands.map { models.perform($0) }
                    let found = outcomes.map(Self.plain)
                    if found != expected, let index = found.indices.first(where: { found[$0] != expected[$0] }) {
                        Issue.record(
                            "command \(done + index) \(commands[index]): \(found[index]), not \(expected[index]) (\(generator))"
                        )
                        return
                    }
                    for outcome in found { tally["\(outcome)", default: 0] += 1 }
                    done += size
                }
                // Every kind of outcome was seen, or the commands show little.
                #expect(tally.count == 2 + LedgerRefusal.allCases.count - 1, "\(tally) \(generator)")
                try await compare(models.ledger, pool, generator)
                try await compare(models.statements, pool, generator)
                let check = try await LedgerCheck.whole(pool)
                #expect(check.isSound, "\(check.report) \(generator)")
                print("\(done) commands as the model has them: \(tally)")
            }
        }
    }

    /// What the accounts hold, and what people read of it.
    private struct Models {
        var ledger = LedgerModel()
        var statements = StatementModel()

        mutating func perform(_ command: LedgerCommand) -> LedgerModel.Outcome {
            let outcome = ledger.perform(command)
            statements.hear(command, outcome, isNoted: AskedCommands.isNoted(command))
            return outcome
        }
    }

    private static func plain(_ outcome: LedgerOutcome) -> LedgerModel.Outcome {
        switch outcome {
        case .posted: .posted
        case .refused(let reason): .refused(reason)
        }
    }

    private func fund(_ people: [UUID], _ model: inout LedgerModel, _ pool: PostgresPool) async throws {
        for person in people {
            for currency in CommandSource.currencies {
                let transfer = Transfer(
                    id: .timeOrdered(), .topUp, of: .timeOrdered(), currency: currency,
                    [Move(5_000, from: .external(currency, for: person), to: .wallet(person, currency))])
                model.fund(.wallet(person, currency), 5_000, from: .external(currency, for: person))
                try await pool.withTransaction { _ = try await Ledger.post([transfer], in: $0) }
            }
        }
    }

    /// Every account's lines, and by their last one its balance.
    private func compare(_ model: LedgerModel, _ pool: PostgresPool, _ generator: SeededGenerator) async throws {
        let accounts = Dictionary(
            uniqueKeysWithValues: try await pool.query(ListAccountStates()).map { ($0.account, $0) })
        for (account, lines) in model.statements {
            let state = try #require(accounts[account], "\(account) \(generator)")
            #expect(state.balance == lines.last?.balance, "\(account) \(generator)")
            let found = try await pool.query(ListLines(account: state.number))
            #expect(found == lines, "the statement of \(account) \(generator)")
        }
        #expect(accounts.values.allSatisfy { $0.balance == 0 || model.statements[$0.account] != nil }, "\(generator)")
    }

    /// Everybody's statement: what each line says now, in the order in which they came to be.
    private func compare(_ model: StatementModel, _ pool: PostgresPool, _ generator: SeededGenerator) async throws {
        let rows = try await pool.query(ListStatementLines())
        let found = Dictionary(grouping: rows, by: \.account).mapValues { $0.map(\.line) }
        #expect(Set(found.keys) == Set(model.lines.keys), "\(generator)")
        for (account, lines) in model.lines {
            let differences = zip(found[account] ?? [], lines).filter { $0 != $1 }
            #expect(found[account]?.count == lines.count, "\(account) \(generator)")
            #expect(differences.isEmpty, "\(account): \(differences.prefix(3)) \(generator)")
        }
        // Every state and reason was seen, or the lines show little.
        let all = model.lines.values.joined()
        #expect(Set(all.map(\.state)) == ["waiting", "accepted", "rejected"], "\(generator)")
        let reasons: Set = ["insufficient-funds", "hold-released", "hold-expired", "reversed"]
        #expect(Set(all.compactMap(\.reason)) == reasons, "\(generator)")
    }
}

private struct ListAccountStates: Statement {
    static let sql: SQL = "SELECT id, balance, kind, owner, currency, shard FROM accounts"
    struct Row: Sendable {
        let number: Int
        let balance: Int
        let account: AccountReference
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            number: try row.next(), balance: try row.next(),
            account: AccountReference(
                kind: try row.choice(AccountReference.Kind.self), owner: try row.next(), currency: try row.next(),
                shard: try row.next()))
    }
}

private struct ListStatementLines: Statement {
    static let sql: SQL = """
        SELECT account, source, currency, amount, state, reason FROM statement_lines ORDER BY account, at, id
        """
    struct Row: Sendable {
        let account: UUID
        let line: StatementModel.Line
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            account: try row.next(),
            line: StatementModel.Line(
                source: try row.next(), currency: try row.next(), amount: try row.next(), state: try row.next(),
                reason: try row.next()))
    }
}

private struct ListLines: Statement {
    static let sql: SQL = "SELECT amount, balance FROM entries WHERE account = $1 ORDER BY id"
    let account: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LedgerModel.Line {
        LedgerModel.Line(amount: try row.next(), balance: try row.next())
    }
}
