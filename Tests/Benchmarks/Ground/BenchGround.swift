import ArgumentParser
import Foundation
import TestKit

/// Measures the ground against a C program on librabbitmq and against pgbench, prints a table and writes it as JSON.
@main
struct BenchGround: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "BenchGround",
        abstract: "The figures of the ground: ratios to a C program and to pgbench, measured in turn on this machine.",
        discussion: "Nothing else may run meanwhile. The figures: "
            + Benchmark.all.flatMap(\.figures).joined(separator: ", ") + ".")

    @Option(help: "Rounds of each figure. The medians of fewer than 3 mean nothing.")
    var rounds = 5

    @Option(help: "Seconds of load in each measurement of a round.")
    var seconds = 5

    @Option(help: "Figures to measure, by name or beginning of it, separated by commas.")
    var only: String?

    @Option(help: "Where the JSON goes.")
    var out = TestServers.projectDirectory.appending(path: ".build/bench/ground.json").path(percentEncoded: false)

    func validate() throws {
        guard (1...99).contains(rounds) else { throw ValidationError("--rounds is 1 to 99") }
        guard (1...600).contains(seconds) else { throw ValidationError("--seconds is 1 to 600") }
        guard !chosen.isEmpty else { throw ValidationError("--only names no figure") }
    }

    func run() async throws {
        let settings = Settings(rounds: rounds, seconds: seconds)
        var report = Report(settings: settings, machine: try await Machine.describe())
        print(report.head)
        for benchmark in chosen { report.figures += try await benchmark.measure(settings) }
        report.machine.loadAverageAtEnd = Machine.loadAverage
        print(report.table)
        try report.write(to: URL(filePath: out))
        print("\nwritten to \(out)")
    }

    private var chosen: [Benchmark] {
        guard let only else { return Benchmark.all }
        let names = only.split(separator: ",")
        return Benchmark.all.filter { benchmark in
            benchmark.figures.contains { figure in names.contains { figure.hasPrefix($0) } }
        }
    }
}

/// How long to measure.
struct Settings: Sendable {
    let rounds: Int
    /// Of one measurement.
    let seconds: Int
}

/// Figures that are measured together.
struct Benchmark: Sendable {
    let figures: [String]
    let measure: @Sendable (Settings) async throws -> [Figure]

    static let all = [
        Benchmark(figures: ["amqp_publish_ratio"], measure: AMQPBenchmark.publish),
        Benchmark(figures: ["amqp_consume_ratio"], measure: AMQPBenchmark.consume),
        Benchmark(figures: ["postgres_tpcb_ratio"], measure: PostgresBenchmark.tpcb),
        Benchmark(figures: ["postgres_select_ratio"], measure: PostgresBenchmark.select),
        Benchmark(figures: ["outbox_ratio", "outbox_ratio_in_batches"], measure: OutboxBenchmark.throughput),
        Benchmark(figures: ["outbox_latency_p50_ms", "outbox_latency_p99_ms"], measure: OutboxBenchmark.latency),
    ]
}
