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

    /// A thousand phones act from here, with one address, and one admin for all desks.
    private static let limits = [
        "SERAI_HTTP_RATE_ADDRESS_PER_SECOND": "100000", "SERAI_HTTP_RATE_ADDRESS_BURST": "100000",
        "SERAI_HTTP_RATE_CALLER_PER_SECOND": "1000", "SERAI_HTTP_RATE_CALLER_BURST": "2000",
        "SERAI_IDENTITY_RATE_ASK_PER_SECOND": "1000", "SERAI_IDENTITY_RATE_ASK_BURST": "10000",
        "SERAI_IDENTITY_RATE_REGISTER_PER_SECOND": "1000", "SERAI_IDENTITY_RATE_REGISTER_BURST": "10000",
        "SERAI_IDENTITY_RATE_LOGIN_PER_SECOND": "1000", "SERAI_IDENTITY_RATE_LOGIN_BURST": "10000",
        "SERAI_STREAMS_PER_ADDRESS": "5000",
        "SERAI_IDENTITY_SMS_PER_COUNTRY": "1000000", "SERAI_IDENTITY_SMS_PER_DAY": "1000000",
    ]

    static func named(build: LocalRun.Build = .release, dispatches: Int = 1) throws -> LocalRun {
        try LocalRun(
            project: .current, variables: variables.merging(limits) { $1 }, build: build, dispatches: dispatches)
    }

    /// Runs the body on a deployment of its own.
    /// - Parameter isBuilt: whether it is built first.
    static func started(
        _ run: LocalRun, isBuilt: Bool = true, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await Ending.of(run) {
            try await run.install()
            if isBuilt { try await run.compile(say) }
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
