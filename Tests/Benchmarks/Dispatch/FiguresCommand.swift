import ArgumentParser
import BenchResults
import Foundation

struct FiguresCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "figures", abstract: "All figures of the matching core, as a table and as JSON.",
        discussion:
            "Nothing else may run meanwhile, or the times mean little. Gains and deliveries do not depend on it.")

    @Option(help: "Rounds of each time measured; the median counts.")
    var rounds = 5

    @Option(help: "The folder with the real records: uber-pickups-nyc-2014-04.csv.gz and mdrp.")
    var data = "../shared/data"

    @Option(help: "Where the solutions of the meal deliveries go.")
    var solutions = ".build/bench/mdrp"

    @Option(help: "Where the JSON goes.")
    var out = ".build/bench/dispatch.json"

    func validate() throws {
        guard (1...99).contains(rounds) else { throw ValidationError("--rounds is 1 to 99") }
    }

    func run() async throws {
        var results = Results(rounds: rounds)
        let records = URL(filePath: data)
        try await NearestBenchmark.measure(rounds: rounds, into: &results)
        try PostGISBenchmark.measure(into: &results)
        try RoundBenchmark.measure(rounds: rounds, into: &results)
        try PickupBenchmark.measure(records.appending(path: "uber-pickups-nyc-2014-04.csv.gz"), into: &results)
        try await ScaleBenchmark.measure(rounds: rounds, into: &results)
        let meals = try MealBenchmark.run(
            instances: records.appending(path: "mdrp"), out: URL(filePath: solutions))
        results.end()
        print(results.table)
        print("\n" + MealTable.text(meals))
        try Results.write(Report(results: results, mealDeliveries: meals), to: URL(filePath: out))
        print("\nwritten to \(out)")
    }
}

/// The figures, and beside them the meal deliveries.
private struct Report: Encodable {
    let results: Results
    let mealDeliveries: MealBenchmark.Report

    private enum CodingKeys: CodingKey { case mealDeliveries }

    func encode(to encoder: any Encoder) throws {
        try results.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(mealDeliveries, forKey: .mealDeliveries)
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
}
