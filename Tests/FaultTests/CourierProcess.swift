import Foundation
import Glibc
import Postgres
import TestKit

/// A process of the `Courier` fixture, which stands beside the test bundle.
final class CourierProcess {
    private let process: Process

    /// Brings the schema up to date, as a deployment does before it starts a service.
    static func migrate(database: String, broker: VirtualHost) async throws {
        let process = try CourierProcess("migrate", database: database, broker: broker)
        try await process.ended(within: .seconds(60))
        guard process.exitCode == 0 else { throw NotMigrated(exitCode: process.exitCode) }
    }

    struct NotMigrated: Error { let exitCode: Int32 }

    init(_ command: String = "serve", database: String, broker: VirtualHost, senders: Int = 0) throws {
        let process = Process()
        process.executableURL = try Self.executable()
        process.arguments = [command]
        var environment = ProcessInfo.processInfo.environment
        environment["SERAI_DATABASE_URL"] = database
        environment["SERAI_AMQP_URL"] = broker.url
        environment["SERAI_HTTP_PORT"] = "0"
        environment["SERAI_HTTP_SIGNING_KEY"] = String(repeating: "k", count: 64)
        environment["SERAI_COURIER_SENDERS"] = "\(senders)"
        environment["SERAI_LOG_LEVEL"] = "error"
        environment["SWIFT_BACKTRACE"] = "enable=no"
        process.environment = environment
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.runWithSignalsUnblocked()
        self.process = process
    }

    var isRunning: Bool { process.isRunning }
    var exitCode: Int32 { process.terminationStatus }

    /// Does nothing to a process that has ended.
    func kill() {
        guard process.isRunning else { return }
        _ = Glibc.kill(process.processIdentifier, SIGKILL)
    }

    func terminate() {
        _ = Glibc.kill(process.processIdentifier, SIGTERM)
    }

    /// The process does nothing until it is told to go on, and its sessions and connections stay open.
    func stop() { _ = Glibc.kill(process.processIdentifier, SIGSTOP) }
    func goOn() { _ = Glibc.kill(process.processIdentifier, SIGCONT) }

    func ended(within limit: Duration = .seconds(15)) async throws {
        try await eventually(within: limit, "the process has ended") { !process.isRunning }
    }

    private static func executable() throws -> URL {
        let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let candidates = [
            bundle.deletingLastPathComponent(),
            TestServers.projectDirectory.appending(path: ".build/debug"),
        ].map { $0.appending(path: "Courier") }
        guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path()) }) else {
            throw NotBuilt(tried: candidates.map { $0.path() })
        }
        return found
    }

    struct NotBuilt: Error { let tried: [String] }
}

struct CourierCounts: Statement {
    static let sql: SQL = """
        SELECT (SELECT count(*) FROM courier.sent), (SELECT count(*) FROM courier.received),
            (SELECT count(DISTINCT parcel) FROM courier.received JOIN courier.sent USING (parcel)),
            (SELECT count(*) FROM courier.overdue),
            (SELECT count(DISTINCT parcel) FROM courier.overdue JOIN courier.sent USING (parcel)),
            (SELECT count(*) FROM courier.outbox WHERE published_at IS NULL)
        """
    struct Row: Sendable, Equatable {
        let sent, received, receivedDistinct, overdue, overdueDistinct, waiting: Int
        /// Every committed parcel was handled exactly once, and its deadline fired exactly once.
        var isExact: Bool {
            [received, receivedDistinct, overdue, overdueDistinct].allSatisfy { $0 == sent } && waiting == 0
        }
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            sent: try row.next(), received: try row.next(), receivedDistinct: try row.next(),
            overdue: try row.next(), overdueDistinct: try row.next(), waiting: try row.next())
    }
}
