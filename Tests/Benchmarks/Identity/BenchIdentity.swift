import ArgumentParser
import BenchResults
import Foundation
import TestKit

/// Measures the identity service against the bare cryptography that it is made of, prints a table and writes it as JSON.
@main
struct BenchIdentity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "BenchIdentity",
        abstract: "Checks of access tokens and logins, as ratios to a bare Ed25519 verify and to bare argon2id.",
        discussion: "Nothing else may run meanwhile. The service is a process of its own, beside this program's.")

    @Option(help: "Rounds of each figure. The medians of fewer than 3 mean nothing.")
    var rounds = 5

    @Option(help: "Seconds of load in each measurement of a round.")
    var seconds = 5

    @Option(help: "Logins at once.")
    var crowd = 200

    @Option(help: "Where the JSON goes.")
    var out = TestServers.projectDirectory.appending(path: ".build/bench/identity.json").path(percentEncoded: false)

    func validate() throws {
        guard (1...99).contains(rounds) else { throw ValidationError("--rounds is 1 to 99") }
        guard (1...600).contains(seconds) else { throw ValidationError("--seconds is 1 to 600") }
        guard (1...1_000).contains(crowd) else { throw ValidationError("--crowd is 1 to 1000") }
    }

    func run() async throws {
        let limit = Duration.seconds(seconds)
        var results = Results(rounds: rounds, secondsPerMeasurement: seconds)
        try await TokenBenchmark.measure(rounds: rounds, for: limit, into: &results)
        try await IdentityProcess.withService { service in
            let login = try await LoginBenchmark(service: service, crowd: crowd)
            try await login.measure(rounds: rounds, for: limit, into: &results)
            // Last: wrong passwords slow their address down.
            try await SilenceBenchmark(login: login).measure(into: &results)
        }
        results.end()
        print(results.table)
        try results.write(to: URL(filePath: out))
        print("\nwritten to \(out)")
    }
}
