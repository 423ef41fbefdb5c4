import BenchResults
import Foundation
import TestKit

/// PostgreSQL's own benchmark program on a database of its own: TPC-B, three updates, a select and an insert.
struct PGBench {
    private static let (clients, threads, scale) = (8, 2, 20)

    static let conditions = "pgbench -M prepared -c \(clients) -j \(threads), scale \(scale)"

    private let program: URL
    private let environment: [String: String]

    /// Fills the database.
    init(_ database: TestDatabase) async throws {
        // Debian's `/usr/bin/pgbench` is a script that starts it.
        program = URL(filePath: "/usr/bin/pgbench")
        // The password goes by the environment: arguments are for everybody to see.
        let parts = URLComponents(string: database.dsn)
        environment = [
            "PGHOST": parts?.host ?? "127.0.0.1", "PGPORT": "\(parts?.port ?? 5432)", "PGUSER": parts?.user ?? "",
            "PGPASSWORD": parts?.password ?? "", "PGDATABASE": database.name,
        ]
        Progress.tell("pgbench fills a database, scale \(Self.scale)")
        try await Child.run(program, ["-i", "-q", "-s", "\(Self.scale)"], environment)
    }

    func transactionsPerSecond(for seconds: Int) async throws -> Double {
        let output = try await Child.run(
            program,
            ["-M", "prepared", "-c", "\(Self.clients)", "-j", "\(Self.threads)", "-T", "\(seconds)"], environment)
        // "tps = 2468.9 (without initial connection time)"
        guard let rate = output.firstMatch(of: /tps = ([0-9.]+)/).flatMap({ Double($0.1) }), rate > 0 else {
            throw Child.Failure(description: "pgbench's answer has no tps")
        }
        return rate
    }
}
