import Foundation
import Glibc
import Postgres
import TestKit

/// What the figures were measured on.
struct Machine: Encodable {
    let cores: Int
    let processor: String
    let system: String
    /// By name.
    let versions: [String: String]
    /// Over 1, 5 and 15 minutes.
    let loadAverageAtStart: [Double]
    var loadAverageAtEnd: [Double] = []

    static func describe() async throws -> Machine {
        // Before the servers are started, should they not run.
        let load = loadAverage
        var versions = await packageVersions()
        let server = try await TestDatabase.withDatabase { database in
            try await database.withPool(maximum: 1) { try await $0.first(ServerVersion()) }
        }
        versions["PostgreSQL"] = server ?? "unknown"
        return Machine(
            cores: ProcessInfo.processInfo.activeProcessorCount, processor: processor,
            system: ProcessInfo.processInfo.operatingSystemVersionString, versions: versions, loadAverageAtStart: load)
    }

    static var loadAverage: [Double] {
        var averages = [0.0, 0.0, 0.0]
        let count = getloadavg(&averages, 3)
        return Array(averages.prefix(max(0, Int(count))))
    }

    private static var processor: String {
        // Without the file the name is unknown, and nothing else depends on it.
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
    }

    /// As Debian knows them. The broker's is that of the installed package.
    private static func packageVersions() async -> [String: String] {
        var versions: [String: String] = [:]
        for (name, package) in [("RabbitMQ", "rabbitmq-server"), ("librabbitmq", "librabbitmq4"), ("libpq", "libpq5")] {
            // Another system has no dpkg; then the version is not told.
            let answer = try? await Child.run(
                URL(filePath: "/usr/bin/dpkg-query"), ["-W", "-f", "${Version}", package], within: .seconds(10))
            versions[name] = answer?.output ?? "unknown"
        }
        return versions
    }
}

private struct ServerVersion: Statement {
    static let sql: SQL = "SELECT current_setting('server_version')"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
