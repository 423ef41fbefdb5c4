import ArgumentParser
import BenchResults
import Foundation
import LocalPlatform

struct BenchCompare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-compare",
        abstract: "Prints what of .build/bench is worse than in the last recorded run, and records what is there now.",
        discussion: "The record is in .build/bench/recorded. Ends with 1 when something is worse and --strict is given."
    )

    @Option(help: "The part by which a figure may be worse without being told.")
    var tolerance = 0.15

    @Flag(inversion: .prefixedNo, help: "Take what is there for the record of the next time.")
    var record = true

    @Flag(help: "Fail when something is worse.")
    var strict = false

    func run() async throws {
        let folder = StateFolder(Project.current.path(".build/bench"))
        let recorded = StateFolder(folder.path("recorded"))
        try recorded.create()
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".json") && !$0.hasSuffix("-simulation.json") }.sorted()
        var worse = 0
        for file in files {
            worse += try compare(file, folder, recorded)
            if record { try recorded.write(folder.text(file) ?? "", to: file) }
        }
        say(worse == 0 ? "nothing is worse by more than \(Int(tolerance * 100)) %" : "\(worse) figures are worse")
        if strict, worse > 0 { throw ExitCode.failure }
    }

    private func compare(_ file: String, _ folder: StateFolder, _ recorded: StateFolder) throws -> Int {
        guard recorded.has(file) else {
            say("\(file): no earlier run is recorded")
            return 0
        }
        let comparison = Comparison(
            before: try Comparison.figures(of: URL(filePath: recorded.path(file))),
            now: try Comparison.figures(of: URL(filePath: folder.path(file))), tolerance: tolerance)
        say("\(file): \(comparison.changes.count) figures")
        for change in comparison.regressions {
            say("  WORSE \(change.name): \(change.before) before, \(change.now) now (\(Int(change.part * 100)) %)")
        }
        return comparison.regressions.count
    }
}
