import ArgumentParser
import BenchResults
import Foundation
import LocalPlatform

struct BenchOrders: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-orders",
        abstract: "How many whole orders of all markets a second this machine sustains, beside pgbench's TPC-B.",
        discussion: """
            Starts everything in a release build. One rate after the other is tried for a minute each, until one is not \
            sustained: orders pile up, or something is not as it must be. Then half of the best one, for the times. Memory \
            and processor time are those of the best one. Into .build/bench/orders.json.
            """)

    @Option(help: "Wishes a second that are tried, with commas between, the lowest first.")
    var rates = "6,9,12,16,21,28,36,46,60"

    @Option(help: "For how long each is held.")
    var seconds = 60

    @OptionGroup var records: RecordOptions

    func validate() throws {
        let numbers = rates.split(separator: ",").map { Double($0) ?? 0 }
        guard !numbers.isEmpty, numbers.allSatisfy({ $0 > 0 }), (10...600).contains(seconds),
            numbers.allSatisfy({ $0 * Double(seconds) <= 60_000 })
        else { throw ValidationError("Rates are numbers above zero; seconds from 10 to 600.") }
    }

    func run() async throws {
        let run = try Simulate.named()
        let benchmark = OrdersBenchmark(
            run: run, rates: rates.split(separator: ",").compactMap { Double($0) }, seconds: seconds,
            records: records.flags)
        try await Simulate.started(run) {
            let results = try await benchmark.measure()
            say(results.table)
            let out = run.project.path(".build/bench/orders.json")
            try results.write(to: URL(filePath: out))
            say("written to \(out)")
        }
    }
}

private struct OrdersBenchmark: Sendable {
    let run: LocalRun
    let rates: [Double]
    let seconds: Int
    /// The Simulator's flags for the records whose people order.
    let records: [String]

    /// After its last wish an order takes some seconds; more of them is a queue.
    private static let tailSeconds = 20.0
    private static let pgbenchSeconds = 15
    private static let pgbench = "pgbench -M prepared -c 8 -j 2, scale 20"

    private struct Round: Sendable {
        let rate: Double
        let figures: Figures
        let isSustained: Bool
        /// From the first wish to the last.
        let used: [String: ProcessUse]
    }

    private struct Figures: Decodable, Sendable {
        struct Times: Decodable, Sendable { let p50, p99: Double }

        let orders: Int
        let seconds: Double
        let zeros: [String: Int]
        let times: Times

        enum CodingKeys: String, CodingKey {
            case orders, seconds, zeros
            case times = "request_to_provider_ms"
        }

        var isRight: Bool { zeros.values.allSatisfy { $0 == 0 } && orders > 0 }
    }

    func measure() async throws -> Results {
        var results = Results(rounds: 1, secondsPerMeasurement: seconds)
        // What starts is done by then.
        try await Task.sleep(for: .seconds(10))
        let rest = try run.use()
        _ = try await run.database(["createdb", "pgbench"], database: "postgres")
        _ = try await run.database(["/usr/bin/pgbench", "-i", "-q", "-s", "20"], database: "pgbench")
        let before = try await transactions()
        var best: Round?
        for rate in rates {
            guard let round = try await play(rate) else {
                say("\(rate) wishes a second: not sustained, the simulation failed")
                break
            }
            say(
                "\(rate) wishes a second: \(round.isSustained ? "sustained" : "not sustained"), "
                    + "\(round.figures.orders) orders in \(round.figures.seconds) s")
            guard round.isSustained else { break }
            best = round
        }
        guard let best else { throw PlatformError("not even \(rates[0]) wishes a second are sustained") }
        let after = try await transactions()
        guard let half = try await play(best.rate / 2) else { throw PlatformError("half of \(best.rate) failed") }
        add(best, half, rest, tpcb: [before, after], to: &results)
        results.end()
        return results
    }

    private func transactions() async throws -> Double {
        let output = try await run.database(
            ["/usr/bin/pgbench", "-M", "prepared", "-c", "8", "-j", "2", "-T", "\(Self.pgbenchSeconds)"],
            database: "pgbench")
        // "tps = 2468.9 (without initial connection time)"
        guard let rate = output.firstMatch(of: /tps = ([0-9.]+)/).flatMap({ Double($0.1) }), rate > 0 else {
            throw PlatformError("pgbench's answer has no tps")
        }
        say("pgbench: \(Int(rate)) transactions a second")
        return rate
    }

    /// - Returns: nil where the people did not come as far as telling figures.
    private func play(_ rate: Double) async throws -> Round? {
        let out = run.project.path(".build/bench/orders-simulation.json")
        let gathered = run.state.path("bench-gathered")
        try run.state.remove("bench-gathered")
        // Figures of an earlier one must not be taken for those of one that has failed.
        if FileManager.default.fileExists(atPath: out) { try FileManager.default.removeItem(atPath: out) }
        let flags =
            [
                "--market", "all", "--orders", "\(Int(rate * Double(seconds)))", "--rate", "\(rate)", "--out", out,
                "--gathered-file", gathered,
            ] + records
        async let watched = watch(gathered)
        var isRight = true
        do {
            try await Simulate.once(run, flags)
        } catch is ExitCode {
            isRight = false
        }
        guard isRight || FileManager.default.fileExists(atPath: out) else { return nil }
        let figures = try JSONDecoder().decode(Figures.self, from: try Data(contentsOf: URL(filePath: out)))
        let isKept = figures.seconds <= Double(seconds) + Self.tailSeconds
        return Round(
            rate: rate, figures: figures, isSustained: isRight && figures.isRight && isKept, used: try await watched)
    }

    /// What the processes have used while people wished for something: registering them is not counted.
    private func watch(_ gathered: String) async throws -> [String: ProcessUse] {
        while !FileManager.default.fileExists(atPath: gathered) { try await Task.sleep(for: .milliseconds(100)) }
        let begin = try run.use()
        try await Task.sleep(for: .seconds(seconds))
        return try run.use().reduce(into: [:]) { used, process in
            let (name, now) = process
            used[name] = ProcessUse(
                milliseconds: max(0, now.milliseconds - (begin[name]?.milliseconds ?? 0)), megabytes: now.megabytes)
        }
    }

    private func add(
        _ best: Round, _ half: Round, _ rest: [String: ProcessUse], tpcb: [Double], to results: inout Results
    ) {
        let mix = "all markets, \(best.rate) wishes a second for \(seconds) s"
        let orders = Double(best.figures.orders) / Double(seconds)
        results.add("orders_per_second", [orders], mix)
        results.add("tpcb_per_second", tpcb, "\(Self.pgbench), before and after")
        results.add("orders_ratio", [orders / max(tpcb.mean, 1)], "orders a second / TPC-B; aim 0.03")
        let halfLoad = "\(half.rate) wishes a second"
        results.add("request_to_provider_p50_ms", [half.figures.times.p50], halfLoad)
        results.add("request_to_provider_p99_ms", [half.figures.times.p99], halfLoad)
        func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        let count = max(1, Double(best.figures.orders))
        var total = 0.0
        for (name, use) in best.used.sorted(by: { $0.key < $1.key }) {
            let label = name.replacing("-", with: "_")
            total += use.milliseconds
            results.add("memory_at_rest_mb_\(label)", [rounded(rest[name]?.megabytes ?? 0)], "after the start; aim 60")
            results.add("memory_under_load_mb_\(label)", [rounded(use.megabytes)], mix)
            results.add("processor_ms_per_order_\(label)", [rounded(use.milliseconds / count)], mix)
        }
        results.add("processor_ms_per_order_all", [rounded(total / count)], "without the phones")
    }
}
