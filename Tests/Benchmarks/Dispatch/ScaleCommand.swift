import ArgumentParser
import BenchResults

struct ScaleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale", abstract: "Orders a second through matching with 1, 2 and 4 workers, alone.")

    @Option(help: "How often each is measured; the median counts.")
    var rounds = 3

    func validate() throws {
        guard (1...99).contains(rounds) else { throw ValidationError("--rounds is 1 to 99") }
    }

    func run() async throws {
        var results = Results(rounds: rounds)
        try await ScaleBenchmark.measure(rounds: rounds, into: &results)
        results.end()
        print(results.table)
    }
}
