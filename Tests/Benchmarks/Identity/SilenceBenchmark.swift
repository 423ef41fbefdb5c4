import BenchResults
import Foundation
import NIOHTTP1

/// Whether the time of an answer tells that there is an account (I4): medians of what is asked of accounts that there are
/// and of some that there are not, in turns. 1 tells nothing.
struct SilenceBenchmark: Sendable {
    /// Each question comes from an address of its own: who asks often is slowed down.
    private static let pairs = 24

    let login: LoginBenchmark

    func measure(into results: inout Results) async throws {
        let wrong = try await ratio("identity/v1/sessions", answer: 401) { login in
            #"{"login": "\#(login)", "password": "Another-2026-secret"}"#
        }
        results.add(
            "unknown_login_ratio", [wrong], "an unknown account's median time to that of a wrong password")
        let reset = try await ratio("identity/v1/password-resets", answer: 202) { #"{"login": "\#($0)"}"# }
        results.add("unknown_reset_ratio", [reset], "the same, of a forgotten password")
    }

    private func ratio(_ path: String, answer: UInt, _ body: (String) -> String) async throws -> Double {
        var (known, unknown): ([Double], [Double]) = ([], [])
        for index in 0..<Self.pairs {
            let name = login.logins[index % login.logins.count]
            known.append(try await milliseconds(path, answer, body(name), from: "192.0.2.\(index)"))
            let nobody = "nobody.\(index)@example.com"
            unknown.append(try await milliseconds(path, answer, body(nobody), from: "198.51.100.\(index)"))
        }
        return unknown.percentile(50) / known.percentile(50)
    }

    private func milliseconds(
        _ path: String, _ answer: UInt, _ body: String, from address: String
    ) async throws -> Double {
        let start = ContinuousClock.now
        let (status, _) = try await LoginBenchmark.request(
            .POST, "\(login.service.url)/\(path)", body, from: address)
        guard status == answer else { throw LoginBenchmark.Unexpected(description: "\(path): \(status)") }
        return (ContinuousClock.now - start) / .milliseconds(1)
    }
}
