import ArgumentParser
import Foundation

struct MealDeliveryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mdrp",
        abstract: "Runs the food policy on instances of the Meal Delivery Routing Problem and writes its solutions.",
        discussion: "Each solution goes into a folder named as its instance, in the form of the field's evaluator.")

    @Option(help: "A folder with instances in it, at any depth.")
    var instances: String

    @Option(help: "Where the solutions, table.txt and report.json go.")
    var out: String

    func run() throws {
        let folder = URL(filePath: out)
        let report = try MealBenchmark.run(instances: URL(filePath: instances), out: folder)
        let table = MealTable.text(report)
        print(table)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        try Data((table + "\n").utf8).write(to: folder.appending(path: "table.txt"), options: .atomic)
        try encoder.encode(report).write(to: folder.appending(path: "report.json"), options: .atomic)
    }
}
