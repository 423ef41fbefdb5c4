import Foundation
import LocalPlatform

/// A program that is run and waited for.
enum Child {
    struct Answer: Sendable {
        /// Standard output.
        let output: String
        /// User and system time of the program. Only right if no other child ended meanwhile.
        let cpu: Duration
    }

    struct Failure: Error, CustomStringConvertible {
        let program: String
        let text: String

        var description: String { "\(program): \(text)" }
    }

    /// Runs the program and returns what it printed.
    /// - Parameters:
    ///   - environment: added to this process's own.
    ///   - limit: then it is ended.
    /// - Throws: `CommandFailure` if it exits with another code than 0.
    static func run(
        _ program: URL, _ arguments: [String], environment: [String: String] = [:], within limit: Duration
    ) async throws -> Answer {
        let cpu = CPUTime.ofChildren
        let command = Command([program.path(percentEncoded: false)] + arguments).with(environment)
        let output = try await command.run(within: limit)
        return Answer(output: output, cpu: CPUTime.ofChildren - cpu)
    }
}
