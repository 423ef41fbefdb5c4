public import ArgumentParser
import Foundation
public import Logging
public import Messaging
public import Postgres

/// A service whose rows others keep copies of, and that can tell them again.
public protocol RepublishingService: SeraiService {
    /// The kinds of rows that it republishes, in their order.
    static func republished(_ pool: PostgresPool, _ logger: Logger) async throws -> [RepublishedKind]
}

/// `SERVICE republish`
public struct RepublishCommand<Service: RepublishingService>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "republish",
            abstract: "Tell the other services again how things stand, so that they can fill what they keep of it.",
            discussion: """
                Walks the service's own rows in the order of their ids and publishes what they are now, in small \
                transactions, while the service runs: its relay sends them. Nobody is notified, and nothing is charged or \
                counted twice. One that is ended in the middle goes on where it was when it is run again.
                """)
    }

    @Option(name: .customLong("only"), help: "A kind, such as accounts; may be given several times. All without it.")
    var only: [String] = []

    @Flag(help: "From the first row on, also where an earlier run has not come to its end.")
    var anew = false

    @Option(help: "Between two parts.")
    var pauseMilliseconds = 100

    @Argument(parsing: .captureForPassthrough, help: "Configuration flags.")
    var flags: [String] = []

    public init() {}

    public func run() async throws {
        if flags.contains("--help") || flags.contains("-h") { throw CleanExit.helpRequest(self) }
        try await Service.withDatabase(flags: flags, connections: 2) { pool, _, logger in
            var pace = Republication.Pace()
            pace.pause = .milliseconds(max(0, pauseMilliseconds))
            let kinds = try await Service.republished(pool, logger)
            let told = try await Republication(pool: pool, kinds: kinds, pace: pace, logger: logger)
                .run(only: only, anew: anew)
            for (kind, count) in told { print("told again: \(kind) \(count)") }
        }
    }
}
