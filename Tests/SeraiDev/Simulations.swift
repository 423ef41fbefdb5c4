import ArgumentParser
import Foundation
import LocalPlatform

/// Simulations on all of Serai, whose flags are the Simulator's.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Customers and providers of a market on all of Serai, as phones do it.",
        discussion: """
            Takes what `run --detach` has left up, and then its limits for one address hold; else starts everything for as long, \
            in a release build (SERAI_BUILD=debug for the other). SERAI_DISPATCH=4 starts four dispatch processes.
            """)

    @Argument(parsing: .captureForPassthrough, help: "Flags of the Simulator.")
    var flags: [String] = []

    func run() async throws {
        let run = try Self.named()
        if run.isUp {
            try await Ending.cancelling {
                try await run.compile(product: "Simulator", say)
                try await Self.once(run, flags)
            }
        } else {
            try await Self.started(run) { try await Self.once(run, flags) }
        }
    }

    /// A thousand phones act from here, with one address.
    private static let limits = [
        "SERAI_HTTP_RATE_ADDRESS_PER_SECOND": "100000", "SERAI_HTTP_RATE_ADDRESS_BURST": "100000",
        "SERAI_IDENTITY_RATE_REGISTER_PER_SECOND": "1000", "SERAI_IDENTITY_RATE_REGISTER_BURST": "10000",
        "SERAI_IDENTITY_RATE_LOGIN_PER_SECOND": "1000", "SERAI_IDENTITY_RATE_LOGIN_BURST": "10000",
        "SERAI_IDENTITY_SMS_PER_COUNTRY": "1000000", "SERAI_IDENTITY_SMS_PER_DAY": "1000000",
    ]

    static func named(build: LocalRun.Build = .release, dispatches: Int = 1) throws -> LocalRun {
        try LocalRun(
            project: .current, variables: variables.merging(limits) { $1 }, build: build, dispatches: dispatches)
    }

    /// Runs the body on a deployment of its own.
    static func started(_ run: LocalRun, _ body: @escaping @Sendable () async throws -> Void) async throws {
        try await Ending.of(run) {
            try await run.install()
            try await run.compile(say)
            _ = try await run.start(say)
            try await body()
        }
    }

    /// - Throws: `ExitCode`, the Simulator's own.
    static func once(_ run: LocalRun, _ flags: [String]) async throws {
        let known = try run.environment()
        let address = [
            "--url", known["SERAI_URL"] ?? "", "--sandbox-url", known["SERAI_SANDBOX_URL"] ?? "", "--admin-login",
            known["SERAI_ADMIN_LOGIN"] ?? "",
        ]
        // Phones take no turn from whoever answers them.
        let code = try await run.run("Simulator", address + flags, runner: try await Turns().batch)
        guard code == 0 else { throw ExitCode(code) }
    }
}

struct WithRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a command with all of Serai up, and its addresses and the first admin in the environment.",
        discussion: """
            Takes what `run --detach` has left up, else starts everything for as long, with limits that many phones with one \
            address do not reach. Exits with the command's code.
            """)

    @Argument(parsing: .captureForPassthrough, help: "The command.")
    var command: [String]

    func run() async throws {
        let run = try Simulate.named(build: .debug)
        let command = command
        let body: @Sendable () async throws -> Void = {
            let code = try await run.run(command)
            guard code == 0 else { throw ExitCode(code) }
        }
        if run.isUp { try await Ending.cancelling(body) } else { try await Simulate.started(run, body) }
    }
}

struct Chaos: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "A simulation while every few seconds one process is killed with -9 and started again.",
        discussion: """
            On four dispatch processes. Ends with 1 when an order was lost, assigned twice or left open, money is missing, or a \
            notification was lost or came twice.
              SERAI_KILL_SERVICES="dispatch wallet"   which services' processes are killed (default: dispatch)
              SERAI_KILL_EVERY=5                      seconds from one to the next
              SERAI_SEED=7                            which of them is next, the same again
            """)

    @Argument(parsing: .captureForPassthrough, help: "Flags of the Simulator.")
    var flags: [String] = []

    func run() async throws {
        let run = try Simulate.named(dispatches: 4)
        let services = (variables.named("SERAI_KILL_SERVICES") ?? "dispatch").split(separator: " ").map(String.init)
        guard let every = Double(variables.named("SERAI_KILL_EVERY") ?? "5"), every > 0 else {
            throw PlatformError("SERAI_KILL_EVERY is a number of seconds")
        }
        let notes = run.project.path(".build/chaos.log")
        let killed = Killed(notes)
        let flags = flags + ["--tolerate-restarts"]
        let simulate: @Sendable () async throws -> Void = {
            try await Self.whileKilling(run, services, every: every, killed) { try await Simulate.once(run, flags) }
        }
        if run.isUp {
            try await Ending.cancelling {
                try await run.compile(product: "Simulator", say)
                try await simulate()
            }
        } else {
            try await Simulate.started(run, simulate)
        }
    }

    /// Which processes have been killed, and when.
    private actor Killed {
        private let path: String
        private var lines: [String] = []

        init(_ path: String) { self.path = path }

        func add(_ name: String) throws {
            lines.append("\(Date.now.formatted(.iso8601.time(includingFractionalSeconds: false))) \(name)\n")
            try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
        }

        var count: Int { lines.count }
    }

    private static func whileKilling(
        _ run: LocalRun, _ services: [String], every: Double, _ killed: Killed,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let killing = Task {
            var generator = Generator(seed: variables.named("SERAI_SEED"))
            let turns = try await Turns()
            let names = try run.plan().processes.filter { services.contains($0.service) }.map(\.name)
            guard !names.isEmpty else { throw PlatformError("nothing runs of \(services.joined(separator: " "))") }
            while true {
                try await Task.sleep(for: .seconds(every))
                guard let name = names.randomElement(using: &generator) else { continue }
                try await run.restart(name, turns: turns)
                try await killed.add(name)
            }
        }
        let simulation = Task { try await body() }
        let result = await withTaskCancellationHandler {
            await simulation.result
        } onCancel: {
            simulation.cancel()
        }
        // However it has ended, nothing goes on killing.
        killing.cancel()
        if case .failure(let error) = await killing.result, !(error is CancellationError) { throw error }
        let count = await killed.count
        say("killed with -9 and started again: \(count) processes (.build/chaos.log)")
        try result.get()
        guard count > 0 else {
            throw PlatformError("nothing was killed: the simulation was too short for SERAI_KILL_EVERY=\(every)")
        }
    }

    /// SplitMix64; without a seed by chance.
    private struct Generator: RandomNumberGenerator {
        private var state: UInt64

        init(seed: String?) {
            let hexadecimal = seed.flatMap { $0.hasPrefix("0x") ? UInt64($0.dropFirst(2), radix: 16) : nil }
            state = seed.flatMap { UInt64($0) } ?? hexadecimal ?? .random(in: 0 ... .max)
        }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }
}

struct BenchLatency: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What `simulate` says of a deployment that is warm.",
        discussion: """
            Starts everything in a release build, lets ROUNDS simulations (5) run on it one after the other, and keeps each one's \
            figures in .build/bench/latency-N.json. The first is of processes that have just been started: caches of the \
            database's sessions are empty, and memory is new.
            """)

    @Argument(parsing: .captureForPassthrough, help: "Flags of the Simulator.")
    var flags: [String] = []

    func run() async throws {
        guard let rounds = Int(variables.named("ROUNDS") ?? "5"), (1...99).contains(rounds) else {
            throw PlatformError("ROUNDS is a number from 1 to 99")
        }
        let run = try Simulate.named()
        let flags = flags
        try await Simulate.started(run) {
            try StateFolder(run.project.path(".build/bench")).create()
            for round in 1...rounds {
                say("round \(round) of \(rounds)")
                let out = run.project.path(".build/bench/latency-\(round).json")
                try await Simulate.once(run, ["--seed", "\(round)", "--out", out] + flags)
            }
        }
    }
}
