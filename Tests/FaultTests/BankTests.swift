import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@Suite("The bank", .timeLimit(.minutes(15)))
struct BankTests {
    private let seconds = ProcessInfo.processInfo.environment["SERAI_KILL_SECONDS"].flatMap(Int.init) ?? 60

    @Test(
        "W6, W7: while wallets are killed, connections cut and the database restarted, the total never changes, and every command has one outcome"
    )
    func bank() async throws {
        var generator = SeededGenerator()
        try await PrivatePostgres.withPrivatePostgres { server in
            try await TestBroker.withVirtualHost { host in
                try await FaultProxy.withFaultProxy(to: server.url) { database in
                    try await FaultProxy.withFaultProxy(to: host.url) { broker in
                        try await run(server, host, database, broker, &generator)
                    }
                }
            }
        }
    }

    /// What happens to the wallets while they are asked.
    private enum Fault: CaseIterable {
        case databaseCut, brokerCut, processKilled, databaseRestarted

        /// Each once first, however short the time is; then by chance, the database's restart, which takes longest, seldom.
        ///
        /// - Parameter count: how many there were.
        static func next(after count: Int, _ generator: inout SeededGenerator) -> Fault {
            if count < allCases.count { return allCases[count] }
            return switch Int.random(in: 0..<10, using: &generator) {
            case 0..<3: .databaseCut
            case 3..<5: .brokerCut
            case 5..<9: .processKilled
            default: .databaseRestarted
            }
        }
    }

    private func run(
        _ server: PrivatePostgres, _ host: VirtualHost, _ database: FaultProxy, _ broker: FaultProxy,
        _ generator: inout SeededGenerator
    ) async throws {
        try await WalletProcess.run("migrate", database: server.url, broker: host.url)
        var configuration = PostgresPool.Configuration(
            PostgresConfiguration(dsn: server.url, schema: "wallet", applicationName: "bank"))
        configuration.maximumConnections = 3
        let pool = PostgresPool(configuration, thread: TestThreads.postgres, logger: TestThreads.logger)
        let bank = try Bank(broker: host.url)
        try await bank.fund(pool)
        let (databaseURL, brokerURL) = (database.url(rewriting: server.url), broker.url(rewriting: host.url))
        func wallet() throws -> Program { try WalletProcess.start(database: databaseURL, broker: brokerURL) }
        var wallets = [try wallet(), try wallet()]
        defer { for wallet in wallets { wallet.kill() } }

        let readers = Readers()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await bank.runPublisher() }
            tasks.addTask { try await bank.runListener() }
            tasks.addTask { try await bank.listen() }
            for _ in 0..<2 {
                tasks.addTask { [seed = generator.description] in
                    await readers.read(pool) { totals in
                        #expect(totals.people == bank.people.count * Bank.fortune, "\(seed)")
                        #expect(totals.all == 0, "\(seed)")
                    }
                }
            }
            try await eventually("commands are answered") {
                if bank.askedCount == 0 {
                    try await bank.client(until: .now + .milliseconds(100), SeededGenerator(seed: generator.seed))
                }
                return bank.isAnswered
            }

            let end = ContinuousClock.now + .seconds(seconds)
            try await withThrowingTaskGroup(of: Void.self) { clients in
                for client in 1...8 {
                    clients.addTask { [seed = generator.seed] in
                        try await bank.client(until: end, SeededGenerator(seed: seed &+ UInt64(client)))
                    }
                }
                var (faults, count) = ([Fault: Int](), 0)
                while ContinuousClock.now < end || count < Fault.allCases.count {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 50...1_000, using: &generator)))
                    let fault = Fault.next(after: count, &generator)
                    switch fault {
                    case .databaseCut: await database.cutAll()
                    case .brokerCut: await broker.cutAll()
                    case .processKilled:
                        let victim = Int.random(in: 0..<wallets.count, using: &generator)
                        wallets[victim].kill()
                        try await wallets[victim].ended()
                        wallets[victim] = try wallet()
                    case .databaseRestarted:
                        try await server.kill()
                        try await server.start()
                    }
                    faults[fault, default: 0] += 1
                    count += 1
                }
                for fault in Fault.allCases { #expect(faults[fault, default: 0] >= 1, "\(fault) (\(generator))") }
                try await clients.waitForAll()
            }

            try await expectAnswered(bank, pool, host, readers, generator)
            tasks.cancelAll()
        }
        for wallet in wallets { wallet.kill() }
        // Ends with 0 if the ledger is sound.
        try await WalletProcess.run("verify", database: server.url, broker: host.url)
        await pool.close()
    }

    private func expectAnswered(
        _ bank: Bank, _ pool: PostgresPool, _ host: VirtualHost, _ readers: Readers, _ generator: SeededGenerator
    ) async throws {
        try await eventually("every command is answered and nothing waits (\(generator))", poll: .milliseconds(200)) {
            let waiting = try await pool.first(CountWaiting())
            return bank.isAnswered && waiting == 0
        }
        readers.stop()
        try await expectOneOutcome(bank, pool, generator)
        for queue in ["wallet.dead", "wallet.events.dead", "wallet.commands.dead"] {
            #expect(try await host.queueDepth(queue) ?? 0 == 0, "\(generator)")
        }
        #expect(try await DeadMessages.waiting(in: pool) == 0, "\(generator)")
        #expect(readers.looks > 10)
        print("\(bank.askedCount) commands, \(readers.looks) looks at the total")
    }

    /// What was answered, and what the database has, are the same one thing. Each message of each command has one answer.
    /// Of a capture, a release and a reversal only what was posted is kept: they may be asked again after a refusal, by
    /// another message.
    private func expectOneOutcome(_ bank: Bank, _ pool: PostgresPool, _ generator: SeededGenerator) async throws {
        let stored = try await pool.query(ReadOutcomes())
        let byKey = Dictionary(grouping: stored, by: \.key)
        #expect(byKey.values.allSatisfy { $0.count == 1 }, "\(generator)")
        let wrong = bank.answers.filter { $0.count != 1 }
        #expect(wrong.isEmpty, "\(wrong.count) messages, such as \(wrong.first ?? [:]) (\(generator))")
        #expect(try await pool.first(CountWrongEnds()) == 0, "a hold ends once (\(generator))")
        let outcomes = bank.outcomes
        var keys: Set<String> = []
        for (wish, answers) in outcomes {
            let key = Self.key(wish)
            let (found, what) = (byKey[key]?.first, "\(key): \(answers) \(generator)")
            if found != nil { keys.insert(key) }
            let posted = answers.compactMap { if case .posted(let transfer) = $0 { transfer } else { nil } }
            #expect(posted.count <= 1 && found?.transfer == posted.first, "\(what)")
            guard wish.command == .place || wish.command == .post else { continue }
            #expect(answers.count == 1 && found != nil, "\(what)")
        }
        #expect(keys.count == stored.count, "something was done that nobody was told of (\(generator))")
        for command in [LedgerCommandKind.place, .post, .capture, .release, .reverse] {
            #expect(
                outcomes.contains { wish, answers in
                    wish.command == command && answers.contains { if case .posted = $0 { true } else { false } }
                }, "no \(command) was posted (\(generator))")
        }
        #expect(outcomes.values.contains { if case .refused? = $0.first { true } else { false } }, "\(generator)")
    }

    private static func key(_ wish: Bank.Wish) -> String {
        let what =
            switch wish.command {
            case .place, .capture, .release, .expire: "hold"
            case .post, .reverse: "transfer"
            }
        return "\(what).\(wish.command.rawValue):\(wish.id.text)"
    }
}
