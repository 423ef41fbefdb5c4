import ArgumentParser
import BenchResults
import Foundation
import TestKit

/// Measures the wallet's ledger against pgbench, prints a table and writes it as JSON.
@main
struct BenchWallet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "BenchWallet",
        abstract:
            "Transfers a second, by commands over the broker and alone, as ratios to pgbench's TPC-B; latency of holds.",
        discussion: "Nothing else may run meanwhile. The wallet is a process of its own, beside this program's.")

    @Option(help: "Rounds of each figure. The medians of fewer than 3 mean nothing.")
    var rounds = 5

    @Option(help: "Seconds of load in each measurement of a round.")
    var seconds = 5

    @Option(help: "Where the JSON goes.")
    var out = TestServers.projectDirectory.appending(path: ".build/bench/wallet.json").path(percentEncoded: false)

    func validate() throws {
        guard (1...99).contains(rounds) else { throw ValidationError("--rounds is 1 to 99") }
        guard (1...600).contains(seconds) else { throw ValidationError("--seconds is 1 to 600") }
    }

    func run() async throws {
        var results = Results(rounds: rounds, secondsPerMeasurement: seconds)
        try await TestDatabase.withDatabase { database in
            let pgbench = PGBench(at: database)
            try await pgbench.fill()
            try await WalletProcess.withService { service in
                try await Ceiling.withCeiling(database) { ceiling in
                    try await measure(pgbench, service, ceiling, into: &results)
                }
            }
        }
        results.end()
        print(results.table)
        try results.write(to: URL(filePath: out))
        print("\nwritten to \(out)")
    }

    private func measure(
        _ pgbench: PGBench, _ service: WalletProcess, _ ceiling: Ceiling, into results: inout Results
    ) async throws {
        var rates: [String: [Double]] = [:]
        var costs: [Ceiling.Cost] = []
        var (halves, tails) = ([Double](), [Double]())
        func note(_ name: String, _ round: Int, _ rate: Double) {
            rates[name, default: []].append(rate)
            Progress.tell("round \(round) of \(rounds): \(name): \(Int(rate))/s")
        }
        try await CommandLoad.withLoad(service) { load in
            for round in 1...rounds {
                note("tpcb", round, try await pgbench.transactionsPerSecond(for: seconds))
                note("transfers", round, try await load.transfersPerSecond(for: seconds, isHot: false))
                note("hot", round, try await load.transfersPerSecond(for: seconds, isHot: true))
                costs.append(try await ceiling.cost(for: seconds))
                note("ledger", round, costs.last?.transfersPerSecond ?? 0)
                let waits = try await load.holdMilliseconds(for: seconds, perSecond: 100)
                halves.append(waits.percentile(50))
                tails.append(waits.percentile(99))
                Progress.tell(
                    "round \(round) of \(rounds): holds: p50 \(halves.last ?? 0) ms, p99 \(tails.last ?? 0) ms")
            }
            try await load.checkExactness()
            for round in 1...rounds {
                note("commits", round, try await ceiling.commitsPerSecond(for: seconds))
                note("rows", round, try await ceiling.rowsPerSecond(for: seconds, clients: 1))
            }
        }
        try await service.verify()

        let tpcb = rates["tpcb"] ?? []
        func ratios(_ name: String) -> [Double] { zip(rates[name] ?? [], tpcb).map { $0 / $1 } }
        results.add("tpcb_per_second", tpcb, PGBench.conditions)
        results.add("transfers_per_second", rates["transfers"] ?? [], CommandLoad.conditions)
        results.add("transfers_ratio", ratios("transfers"), "at least 2: \(CommandLoad.conditions) / pgbench")
        results.add("hot_per_second", rates["hot"] ?? [], "each with one account of the platform")
        results.add("hot_ratio", ratios("hot"), "at least 2: each with one account of the platform / pgbench")
        results.add(
            "ledger_per_second", rates["ledger"] ?? [],
            "wallet measure: batches of \(WalletProcess.batch), 4 clients, no broker")
        results.add("ledger_ratio", ratios("ledger"), "at least 4: wallet measure / pgbench")
        results.add("hold_p50_ms", halves, "at most 5: 100 a second, one by one, from publishing to the posted event")
        results.add("hold_p99_ms", tails, "at most 25")
        results.add(
            "rows_per_second", rates["rows"] ?? [], "the ledger's rows by one function of the server, one client")
        results.add("rows_ratio", ratios("rows"), "the server's own ceiling: that / pgbench")
        results.add("commit_ms", (rates["commits"] ?? []).map { 1_000 / $0 }, "the smallest commit alone: one fsync")
        results.add("wal_bytes_per_transfer", costs.map(\.walBytes), "of the posting core")
        results.add(
            "client_cpu_us", costs.map(\.clientMicroseconds), "for each transfer of the posting core, the wallet's")
        results.add("server_cpu_us", costs.map(\.serverMicroseconds), "the same, PostgreSQL's")
    }
}
