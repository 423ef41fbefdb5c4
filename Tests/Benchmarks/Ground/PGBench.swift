import Foundation
import TestKit

/// PostgreSQL's own benchmark program on a database of its own.
struct PGBench {
    enum Script: String {
        /// Its default: three updates, a select and an insert.
        case tpcb = "tpcb-like"
        /// `-S`
        case select = "select-only"
        /// `-N`: without the updates of the small tables.
        case simpleUpdate = "simple-update"
    }

    static let clients = 8
    private static let threads = 2
    /// 100 000 accounts, 10 tellers and 1 branch each.
    static let scale = 20

    static let conditions = "pgbench -M prepared -c \(clients) -j \(threads), scale \(scale)"

    private let program: URL
    private let environment: [String: String]

    /// Fills the database.
    init(_ database: TestDatabase) async throws {
        program = Self.find()
        // The password goes by the environment: arguments are for everybody to see.
        let parts = URLComponents(string: database.dsn)
        environment = [
            "PGHOST": parts?.host ?? "127.0.0.1", "PGPORT": "\(parts?.port ?? 5432)", "PGUSER": parts?.user ?? "",
            "PGPASSWORD": parts?.password ?? "", "PGDATABASE": database.name,
        ]
        Progress.tell("pgbench fills a database, scale \(Self.scale)")
        _ = try await run(["-i", "-q", "-s", "\(Self.scale)"], within: .seconds(300))
    }

    /// Runs a script. Vacuuming the small tables before, as pgbench would, is the caller's.
    func measure(_ script: Script, seconds: Int) async throws -> Sample {
        let answer = try await run(
            [
                "-n", "-M", "prepared", "-c", "\(Self.clients)", "-j", "\(Self.threads)", "-T", "\(seconds)",
                "-b", script.rawValue,
            ], within: .seconds(seconds + 60))
        // "number of transactions actually processed: 12345" and "tps = 2468.9 (without initial connection time)".
        guard let count = answer.output.firstMatch(of: /actually processed: ([0-9]+)/).flatMap({ Int($0.1) }),
            let rate = answer.output.firstMatch(of: /tps = ([0-9.]+)/).flatMap({ Double($0.1) }), rate > 0
        else { throw Child.Failure(program: "pgbench", text: "its answer has no tps") }
        return Sample(count: count, duration: .seconds(Double(count) / rate), clientCPU: answer.cpu)
    }

    private func run(_ arguments: [String], within limit: Duration) async throws -> Child.Answer {
        try await Child.run(program, arguments, environment: environment, within: limit)
    }

    /// The program itself. Debian's `/usr/bin/pgbench` is a script that would count as its CPU time.
    private static func find() -> URL {
        let versions = URL(filePath: "/usr/lib/postgresql")
        // Where the folder is missing it is not Debian, and there is no such script.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: versions.path())) ?? []
        let newest = names.compactMap { Int($0) }.sorted(by: >).map { versions.appending(path: "\($0)/bin/pgbench") }
        return newest.first { FileManager.default.isExecutableFile(atPath: $0.path()) }
            ?? URL(filePath: "/usr/bin/pgbench")
    }
}
