import ArgumentParser
import Foundation
import LocalPlatform

@main
struct SeraiDev: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serai-dev",
        abstract: "Serai on this machine: all of it, or the servers that tests run against.",
        subcommands: [
            Run.self, Up.self, Down.self, WalkCommand.self, Restart.self, Doctor.self, Simulate.self, Chaos.self,
            RestoreDrillCommand.self,
            BenchLatency.self, BenchOrders.self, BenchCompare.self,
            EnvUp.self, EnvDown.self, WithEnv.self, WithRun.self, Requirements.self, FreePortsCommand.self,
        ])
}

/// A line for the terminal, at once.
@Sendable func say(_ line: String) {
    // try?: a terminal that is gone hears nothing, and all else goes on.
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
}

var variables: [String: String] { ProcessInfo.processInfo.environment }

extension LocalRun {
    /// The run of this project, by the environment.
    static func named(build: Build = .debug, dispatches: Int = 1) throws -> LocalRun {
        try LocalRun(project: .current, variables: variables, build: build, dispatches: dispatches)
    }

    /// Installs what is missing. In the terminal's own session, for it may ask for a password.
    func install() async throws {
        let child = try ChildProcess(Command([project.path("scripts/install")]), output: .inherited, session: .callers)
        // A cancelled task waits for it, too: half an installation is worse than a wait.
        let ending = try await Task { try await child.ended(within: .seconds(3_600)) }.value
        try Task.checkCancellation()
        guard ending == .exited(0) else { throw PlatformError("what is missing could not be installed") }
    }
}

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs all of Serai until Ctrl-C, and walks an order of each market through to its end.",
        discussion: """
            PostgreSQL, RabbitMQ, the five services, the sandbox that plays the outside world, and Caddy in front, on free \
            loopback ports. Ctrl-C or TERM stops everything and removes its data; the logs stay.
            SERAI_DISPATCH=3 starts three dispatch processes; SERAI_BUILD=release builds for speed. Other SERAI_… variables \
            reach the services. Addresses, the first admin and where the logs are: .local/run/env, for other tools; \
            SERAI_RUN_FOLDER takes the place of .local/run.
            """)

    @Flag(help: "Leave everything running and return; `down` ends it.")
    var detach = false

    @Flag(inversion: .prefixedNo, help: "Walk an order of each market.")
    var walk = true

    @Flag(inversion: .prefixedNo, help: "Build first.")
    var build = true

    func run() async throws { try await Self.run(detach: detach, walk: walk, build: build) }

    static func run(detach: Bool, walk: Bool, build: Bool) async throws {
        let run = try LocalRun.named()
        try await Ending.of(run, keeping: detach) {
            try await run.install()
            if build { try await run.compile(say) }
            let plan = try await run.start(say)
            if walk { try await run.walk() }
            tell(run, plan)
            if detach {
                say("make run-down stops all of it")
            } else {
                say("Ctrl-C stops all of it")
                try await run.watch(plan, say)
            }
        }
    }

    private static func tell(_ run: LocalRun, _ plan: DeploymentPlan) {
        say("\nthe app       \(plan.url ?? "")/")
        say("the console   \(plan.url ?? "")/console/")
        if let accounts = run.accounts { say("to sign in as somebody whom the walk has met:\n\n\(accounts)\n") }
        say("all services  \(plan.url ?? "")")
        for process in plan.processes where process.service != "caddy" {
            say(process.name.padding(toLength: 14, withPad: " ", startingAt: 0) + "http://127.0.0.1:\(process.port)")
        }
        let folder = run.project.short(run.state.path)
        say("first admin   \(LocalRun.adminLogin), password in \(folder)/env")
        say("second factor \(plan.secrets.adminSecondFactor), for an authenticator app")
        say("logs          \(folder)/logs")
    }
}

struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Starts all of Serai, leaves it running and returns; the same as `run --detach --no-walk`.")

    @Flag(inversion: .prefixedNo, help: "Build first.")
    var build = true

    func run() async throws { try await Run.run(detach: true, walk: false, build: build) }
}

struct Down: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ends all of Serai and removes its data. The logs stay in .local/run/logs.")

    func run() async throws { try await LocalRun.named().endFromOutside() }
}

struct WalkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "walk", abstract: "Walks an order of each market on what `run --detach` has left up.")

    func run() async throws {
        let run = try LocalRun.named()
        guard run.isUp else { throw PlatformError("nothing runs; `serai-dev up` starts it") }
        try await Ending.cancelling { try await run.walk() }
    }
}

struct Restart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Kills a process with -9 and starts it again as it was, as a container engine does with one that has ended."
    )

    @Argument(help: "dispatch-1, wallet, …")
    var name: String

    func run() async throws { try await LocalRun.named().restart(name, turns: Turns()) }
}

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says how what `run --detach` has left up stands: deploy/doctor, which does it for a deployment.")

    func run() async throws {
        let run = try LocalRun.named()
        guard run.isUp else { throw PlatformError("nothing runs; `serai-dev up` starts it") }
        let code = try await run.run([run.project.path("deploy/doctor"), "--local", run.state.path])
        if code != 0 { throw ExitCode(code) }
    }
}
