import ArgumentParser
import Foundation
import LocalPlatform

struct RestoreDrillCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore-drill",
        abstract: "People of all markets order while the database's files are destroyed and set back, twice.",
        discussion: """
            The database archives as a deployment's does (deploy/backup). It is killed with -9 and its files are removed: once it \
            comes back with all that was archived, once as it was some seconds before, while broker and payment provider stay \
            as they are. Each time all is done that docs/operations.md says of going back to a moment, what the payment provider \
            has too much is settled, and people go on. Then every order must have ended, all money be where it belongs, and \
            nothing wait. The time to be back is printed. The result is in .build/backup-drill.json.
            Takes what `run --detach` has left up, else starts everything in a release build. Needs root.
            """)

    @OptionGroup var crowd: CrowdOptions

    @Option(help: "For so many seconds people order before each end of the database.")
    var seconds = 30

    @Option(help: "So many seconds are undone by the second restore.")
    var undone = 10

    @Flag(inversion: .prefixedNo, help: "Build first.")
    var build = true

    func validate() throws {
        guard crowd.rate > 0, (10...600).contains(seconds), (5...600).contains(undone) else {
            throw ValidationError("A rate above zero, seconds from 10 to 600, undone from 5 to 600.")
        }
    }

    func run() async throws {
        let run = try Simulate.named()
        if run.isUp {
            try await Ending.cancelling {
                if build { try await run.compile(product: "Simulator", say) }
                try await drill(run)
            }
        } else {
            try await Simulate.started(run, isBuilt: build) { try await drill(run) }
        }
    }

    /// About what the way back takes, twice, and some orders afterwards.
    private static let allowance = 150

    private func drill(_ run: LocalRun) async throws {
        let seed = crowd.seed ?? .random(in: 1...999_999)
        let figures = run.project.path(".build/backup-drill-simulation.json")
        let orders = Int(Double(2 * seconds + undone + Self.allowance) * crowd.rate)
        let flags =
            crowd.flags(orders: orders, seed: seed) + ["--patience", "90", "--set-back", "--out", figures]
        let drill = RestoreDrill(
            run, .init(seed: seed, orderingSeconds: seconds, undoneSeconds: undone),
            out: run.project.path(".build/backup-drill.json"), say)
        let result = try await drill.run(figures: figures) { gathered in
            try await Simulate.once(run, flags + ["--gathered-file", gathered])
        }
        say(result.summary)
        if !result.isRight { throw ExitCode.failure }
    }
}
