import PollThread
import Postgres
import TestKit

/// The PostgreSQL layer against pgbench, which is written in C on the same libpq.
enum PostgresBenchmark {
    static func tpcb(_ settings: Settings) async throws -> [Figure] {
        try await withAccounts { pool, pgbench in
            let series = try await settings.interleave([
                Contestant("ours", unit: "transactions") {
                    try await tidy(pool)
                    return try await load(settings, on: pool.thread) { generator in
                        try await Transfer.random(&generator).run(on: pool)
                    }
                },
                Contestant("pgbench", unit: "transactions") {
                    try await tidy(pool)
                    return try await pgbench.measure(.tpcb, seconds: settings.seconds)
                },
            ])
            return [
                Figure(
                    "postgres_tpcb_ratio", .atLeast(1), rounds: series[0].ratios(to: series[1]),
                    conditions: "TPC-B transactions, \(PGBench.clients) clients, five statements in one round trip"
                        + " and the commit in another / \(PGBench.conditions)",
                    series: series)
            ]
        }
    }

    static func select(_ settings: Settings) async throws -> [Figure] {
        try await withAccounts { pool, pgbench in
            let series = try await settings.interleave([
                Contestant("ours", unit: "selects") {
                    try await load(settings, on: pool.thread) { try await select(pool, &$0) }
                },
                Contestant("pgbench", unit: "selects") {
                    try await pgbench.measure(.select, seconds: settings.seconds)
                },
                Contestant("ours, tasks on other threads", unit: "selects") {
                    try await load(settings, on: nil) { try await select(pool, &$0) }
                },
            ])
            return [
                Figure(
                    "postgres_select_ratio", .atLeast(0.5), rounds: series[0].ratios(to: series[1]),
                    conditions:
                        "prepared select by primary key, \(PGBench.clients) clients on the pool's thread, as requests run / \(PGBench.conditions) -S",
                    series: series)
            ]
        }
    }

    private static func select(_ pool: PostgresPool, _ generator: inout SeededGenerator) async throws {
        let account = SelectBalance(account: Transfer.randomAccount(&generator))
        guard try await pool.first(account) != nil else { throw MissingRow() }
    }

    /// A database that pgbench has filled, and a pool on it with a connection for each client.
    static func withAccounts<R>(_ body: (PostgresPool, PGBench) async throws -> R) async throws -> R {
        try await TestDatabase.withDatabase { database in
            let pgbench = try await PGBench(database)
            return try await database.withPool(maximum: PGBench.clients) { try await body($0, pgbench) }
        }
    }

    /// What pgbench does before it measures.
    static func tidy(_ pool: PostgresPool) async throws {
        for command in ["VACUUM pgbench_branches", "VACUUM pgbench_tellers", "TRUNCATE pgbench_history"] {
            try await pool.runOutsideTransaction(command)
        }
    }

    /// Lets every client repeat `work` for the length of a measurement.
    /// - Parameter thread: the pool's, where requests and message handlers run; nil is the global executor.
    private static func load(
        _ settings: Settings, on thread: PollThread?,
        _ work: @escaping @Sendable (inout SeededGenerator) async throws -> Void
    ) async throws -> Sample {
        // Connections are open and statements prepared before the clock starts, as with pgbench's rate.
        _ = try await repeated(for: .milliseconds(200), on: thread, work)
        return try await measured { try await repeated(for: .seconds(settings.seconds), on: thread, work) }
    }

    private static func repeated(
        for duration: Duration, on thread: PollThread?,
        _ work: @escaping @Sendable (inout SeededGenerator) async throws -> Void
    ) async throws -> Int {
        let end = ContinuousClock.now + duration
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<PGBench.clients {
                group.addTask(executorPreference: thread) {
                    var generator = SeededGenerator()
                    var count = 0
                    while ContinuousClock.now < end {
                        try await work(&generator)
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
    }
}

/// pgbench's `tpcb-like` script.
struct Transfer {
    let account: Int32
    let branch: Int32
    let teller: Int32
    let delta: Int32

    static func random(_ generator: inout SeededGenerator) -> Transfer {
        Transfer(
            account: randomAccount(&generator), branch: .random(in: 1...Int32(PGBench.scale), using: &generator),
            teller: .random(in: 1...Int32(10 * PGBench.scale), using: &generator),
            delta: .random(in: -5000...5000, using: &generator))
    }

    static func randomAccount(_ generator: inout SeededGenerator) -> Int32 {
        .random(in: 1...Int32(100_000 * PGBench.scale), using: &generator)
    }

    func run(on pool: PostgresPool) async throws {
        let (_, balances, _, _, _) = try await pool.withTransaction { transaction in
            try await transaction.queryAll(
                UpdateAccount(transfer: self), SelectBalance(account: account), UpdateTeller(transfer: self),
                UpdateBranch(transfer: self), InsertHistory(transfer: self))
        }
        guard balances.count == 1 else { throw MissingRow() }
    }
}

/// A statement that must find a row has found none.
struct MissingRow: Error {}

private struct UpdateAccount: Statement {
    static let sql: SQL = "UPDATE pgbench_accounts SET abalance = abalance + $1 WHERE aid = $2"
    let transfer: Transfer
    func bind(_ bindings: inout Bindings) { bindings.append(transfer.delta, transfer.account) }
}

private struct SelectBalance: Statement {
    static let sql: SQL = "SELECT abalance FROM pgbench_accounts WHERE aid = $1"
    let account: Int32
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int32 { try row.next() }
}

private struct UpdateTeller: Statement {
    static let sql: SQL = "UPDATE pgbench_tellers SET tbalance = tbalance + $1 WHERE tid = $2"
    let transfer: Transfer
    func bind(_ bindings: inout Bindings) { bindings.append(transfer.delta, transfer.teller) }
}

private struct UpdateBranch: Statement {
    static let sql: SQL = "UPDATE pgbench_branches SET bbalance = bbalance + $1 WHERE bid = $2"
    let transfer: Transfer
    func bind(_ bindings: inout Bindings) { bindings.append(transfer.delta, transfer.branch) }
}

private struct InsertHistory: Statement {
    static let sql: SQL = """
        INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES ($1, $2, $3, $4, CURRENT_TIMESTAMP)
        """
    let transfer: Transfer
    func bind(_ bindings: inout Bindings) {
        bindings.append(transfer.teller, transfer.branch, transfer.account, transfer.delta)
    }
}
