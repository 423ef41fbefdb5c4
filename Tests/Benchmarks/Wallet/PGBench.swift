import BenchResults
import Foundation
import LocalPlatform
import TestKit

/// PostgreSQL's own benchmark program, on a database.
struct PGBench {
    private static let (clients, threads, scale) = (8, 2, 20)

    static let conditions = "pgbench -M prepared -c \(clients) -j \(threads), scale \(scale)"

    private let environment: [String: String]

    init(at database: TestDatabase) {
        // The password goes by the environment: arguments are for everybody to see.
        let parts = URLComponents(string: database.dsn)
        environment = [
            "PGHOST": parts?.host ?? "127.0.0.1", "PGPORT": "\(parts?.port ?? 5432)", "PGUSER": parts?.user ?? "",
            "PGPASSWORD": parts?.password ?? "", "PGDATABASE": database.name,
        ]
    }

    /// Makes the tables of TPC-B: three updates, a select and an insert.
    func fill() async throws {
        Progress.tell("pgbench fills a database, scale \(Self.scale)")
        try await run(["-i", "-q", "-s", "\(Self.scale)"])
    }

    /// Of TPC-B.
    func transactionsPerSecond(for seconds: Int) async throws -> Double {
        try await rate(["-c", "\(Self.clients)", "-j", "\(Self.threads)"], for: seconds)
    }

    /// Of statements of one's own, in a transaction for each.
    func transactionsPerSecond(of script: String, clients: Int, for seconds: Int) async throws -> Double {
        let file = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString).sql")
        try script.write(to: file, atomically: true, encoding: .utf8)
        // try?: a file that stays behind harms nothing.
        defer { try? FileManager.default.removeItem(at: file) }
        return try await rate(
            ["-n", "-f", file.path(percentEncoded: false), "-c", "\(clients)", "-j", "\(min(clients, Self.threads))"],
            for: seconds)
    }

    private func rate(_ arguments: [String], for seconds: Int) async throws -> Double {
        let output = try await run(["-M", "prepared", "-T", "\(seconds)"] + arguments)
        // "tps = 2468.9 (without initial connection time)"
        guard let rate = output.firstMatch(of: /tps = ([0-9.]+)/).flatMap({ Double($0.1) }), rate > 0 else {
            throw BenchmarkFailure(description: "pgbench's answer has no tps")
        }
        return rate
    }

    @discardableResult
    private func run(_ arguments: [String]) async throws -> String {
        // Debian's `/usr/bin/pgbench` is a script that starts it.
        try await Command(["/usr/bin/pgbench"] + arguments).with(environment).run(within: .seconds(3_600))
    }
}

/// A benchmark has no figure to give.
struct BenchmarkFailure: Error, CustomStringConvertible { let description: String }
