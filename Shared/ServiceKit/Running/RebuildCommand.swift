public import ArgumentParser
import Foundation
public import Postgres

/// A kind of copies that a service keeps of another one's rows, and that can be republished.
public struct CopiedKind: Sendable {
    public let name: String
    /// The command that tells it again, such as `identity republish --only accounts`.
    public let source: String
    let doubt: @Sendable (PostgresPool) async throws -> Void
    let empty: (@Sendable (PostgresPool) async throws -> Void)?

    /// - Parameters:
    ///   - empty: removes the rows; nil where they hold what is the service's own.
    ///   - doubt: lets whatever is told next replace them, also what is older. Until then they stay to be used.
    public init(
        _ name: String, from source: String, empty: (@Sendable (PostgresPool) async throws -> Void)? = nil,
        doubt: @escaping @Sendable (PostgresPool) async throws -> Void
    ) {
        self.name = name
        self.source = source
        self.doubt = doubt
        self.empty = empty
    }
}

/// A service that keeps copies of others' rows.
public protocol RebuildingService: SeraiService {
    static var copies: [CopiedKind] { get }
}

/// `SERVICE rebuild`
public struct RebuildCommand<Service: RebuildingService>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "rebuild",
            abstract: "Take what is kept of other services' rows for old, so that their owners can tell it anew.",
            discussion: """
                The service may run: what is there is used until its owner tells it again, by the commands that are \
                printed; run these next. They replace it whatever its version, as after a restore of an owner's older \
                backup. Without this command they replace what is as old as they are, or older. Kinds: \
                \(Service.copies.map(\.name).joined(separator: ", ")).
                """)
    }

    @Option(name: .customLong("only"), help: "A kind; may be given several times. All without it.")
    var only: [String] = []

    @Flag(help: "Remove the rows at once, where they hold nothing of the service's own.")
    var empty = false

    @Argument(parsing: .captureForPassthrough, help: "Configuration flags.")
    var flags: [String] = []

    public init() {}

    public func validate() throws {
        for name in only where !Service.copies.contains(where: { $0.name == name }) {
            throw ValidationError("nothing is kept by the name \(name)")
        }
    }

    public func run() async throws {
        if flags.contains("--help") || flags.contains("-h") { throw CleanExit.helpRequest(self) }
        try await Service.withDatabase(flags: flags, connections: 1) { pool, _, _ in
            for kind in Service.copies where only.isEmpty || only.contains(kind.name) {
                if empty, let remove = kind.empty {
                    try await remove(pool)
                } else {
                    try await kind.doubt(pool)
                }
                print("\(kind.name): next run \(kind.source)")
            }
        }
    }
}
