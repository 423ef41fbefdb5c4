import ArgumentParser
import Foundation
import LocalPlatform

struct Chaos: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "People of all markets order while things go wrong, by a schedule that the seed decides.",
        discussion: """
            Processes are killed with -9, stopped, updated one after the other, and started with a wrong clock; database and \
            broker restart, their connections are cut and stand still; the broker says that memory or disk are full; what was \
            published comes again, late; the payment provider is down or slow; migrations run. Then all is put right, and \
            every order must have ended, all money be where it belongs, each notice be there once, and nothing wait.
            The result is in .build/chaos.json; with --seeds also in .build/chaos-summary.json, each in .build/chaos/SEED.json.
            Takes what `run --detach` has left up, else starts everything in a release build; after a seed that went wrong \
            the next one has a deployment of its own. Needs root for PostgreSQL's sessions.
            """)

    @Option(help: "How long people order and things go wrong.")
    var minutes = 2.0

    @OptionGroup var crowd: CrowdOptions

    @Option(help: "So many drills with one seed after the other.")
    var seeds = 1

    @Option(help: "Dispatch's processes.")
    var dispatches = 2

    @Option(help: "Only these faults, by their names with commas between.")
    var faults: String?

    @Flag(help: "Print the schedule of the seed, and do nothing.")
    var dry = false

    /// The simulator takes no more orders than this.
    private static let orderLimit = 60_000.0

    func validate() throws {
        guard (0.5...600).contains(minutes), (1...10_000).contains(seeds), crowd.rate > 0, (1...16).contains(dispatches)
        else {
            throw ValidationError(
                "Minutes from 0.5 to 600, seeds from 1 to 10000, dispatches from 1 to 16, a rate above zero.")
        }
        guard minutes * 60 * crowd.rate <= Self.orderLimit else {
            throw ValidationError("That would be more than \(Int(Self.orderLimit)) orders.")
        }
        _ = try kinds()
    }

    private func kinds() throws -> Set<ChaosSchedule.Kind> {
        guard let faults else { return Set(ChaosSchedule.Kind.allCases) }
        let names = faults.split(separator: ",").map(String.init)
        let found = names.compactMap { ChaosSchedule.Kind(rawValue: $0) }
        guard found.count == names.count, !found.isEmpty else {
            let known = ChaosSchedule.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("Faults are \(known).")
        }
        return Set(found)
    }

    func run() async throws {
        let first = crowd.seed ?? .random(in: 1...999_999)
        let drills = Drills(command: self, kinds: try kinds(), left: (0..<UInt64(seeds)).map { first &+ $0 })
        let run = try Simulate.named(dispatches: dispatches)
        if dry { return try drills.tell(run) }
        if run.isUp {
            try await Ending.cancelling {
                try await run.compile(product: "Simulator", say)
                while await drills.isUnfinished { _ = try await drills.next(run) }
            }
        } else {
            while await drills.isUnfinished {
                try await Simulate.started(run) {
                    // What a wrong one has left is not the next one's.
                    while await drills.isUnfinished { guard try await drills.next(run) else { return } }
                }
            }
        }
        try await drills.end(run)
    }
}

/// One drill after the other, and what came of them.
private actor Drills {
    private struct Summary: Encodable {
        struct Failure: Encodable {
            let seed: UInt64
            let checks: [String]
        }
        let minutes: Double
        let rate: Double
        let seeds: Int
        let right: Int
        let failures: [Failure]
    }

    private nonisolated let command: Chaos
    private nonisolated let kinds: Set<ChaosSchedule.Kind>
    private var left: [UInt64]
    private var results: [ChaosResult] = []

    init(command: Chaos, kinds: Set<ChaosSchedule.Kind>, left: [UInt64]) {
        (self.command, self.kinds, self.left) = (command, kinds, left)
    }

    var isUnfinished: Bool { !left.isEmpty }

    private nonisolated func schedule(_ seed: UInt64, _ processes: [String]) -> ChaosSchedule {
        ChaosSchedule(
            seed: seed, seconds: Int((command.minutes * 60).rounded()), processes: processes, kinds: kinds)
    }

    /// The schedule of the first seed on a run as it would be started.
    nonisolated func tell(_ run: LocalRun) throws {
        let dispatches = (1...command.dispatches).map { "dispatch-\($0)" }
        let others = DeploymentPlan.services.filter { $0 != "dispatch" }
        let processes = ["identity"] + dispatches + others.filter { $0 != "identity" } + ["caddy"]
        for entry in schedule(command.crowd.seed ?? 1, processes).entries {
            say("\(entry.second) s: \(entry.kind.rawValue) \(entry.target) for \(entry.length) s")
        }
    }

    /// - Returns: whether all was right.
    func next(_ run: LocalRun) async throws -> Bool {
        let seed = left.removeFirst()
        let schedule = schedule(seed, try ChaosDrill.processes(of: run))
        say("seed \(seed): \(schedule.entries.count) faults in \(schedule.seconds) s")
        let figures = run.project.path(".build/chaos-simulation.json")
        let flags = flags(schedule, figures)
        let drill = ChaosDrill(run, schedule, out: run.project.path(".build/chaos.json"), say)
        let result = try await drill.run(figures: figures) { gathered in
            try await Simulate.once(run, flags + ["--gathered-file", gathered])
        }
        results.append(result)
        say(result.summary)
        if command.seeds > 1 {
            let folder = run.project.path(".build/chaos")
            try ChaosDrill(run, schedule, out: "\(folder)/\(seed).json", say).write(result)
            if !result.isRight {
                try await Command(["cp", "-r", run.state.path("logs"), "\(folder)/\(seed)-logs"]).run()
            }
            try summarise(run)
        }
        return result.isRight
    }

    private func flags(_ schedule: ChaosSchedule, _ figures: String) -> [String] {
        let orders = max(1, Int(Double(schedule.seconds) * command.crowd.rate))
        // A wallet whose clock is ahead puts off what it will try again, as long as its clock was ahead.
        let patience = schedule.skews("wallet") ? 180 : 90
        return command.crowd.flags(orders: orders, seed: schedule.seed) + [
            "--patience", "\(patience)", "--tolerate-restarts", "--skew", schedule.skews("dispatch") ? "90" : "0",
            "--out", figures,
        ]
    }

    private func summarise(_ run: LocalRun) throws {
        let failures = results.filter { !$0.isRight }.map { Summary.Failure(seed: $0.seed, checks: $0.failures) }
        let summary = Summary(
            minutes: command.minutes, rate: command.crowd.rate, seeds: results.count,
            right: results.count - failures.count, failures: failures)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(summary).write(to: URL(filePath: run.project.path(".build/chaos-summary.json")))
    }

    func end(_ run: LocalRun) throws {
        let wrong = results.filter { !$0.isRight }.map { "\($0.seed)" }
        if results.count > 1 { say("\(results.count - wrong.count) of \(results.count) seeds are right") }
        guard wrong.isEmpty else {
            say("not right: \(wrong.joined(separator: ", ")); SEED=\(wrong[0]) repeats it")
            throw ExitCode.failure
        }
    }
}
