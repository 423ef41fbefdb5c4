import Foundation
import TestKit

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

    /// Runs the program and returns what it printed, which must not exceed a pipe's 64 KB.
    /// - Parameters:
    ///   - environment: added to this process's own.
    ///   - limit: then it is ended.
    /// - Throws: ``Failure`` if it cannot run or exits with another code than 0.
    static func run(
        _ program: URL, _ arguments: [String], environment: [String: String] = [:], within limit: Duration
    ) async throws -> Answer {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors

        let cpu = CPUTime.ofChildren
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.runWithSignalsUnblocked()
        let id = process.processIdentifier
        let watch = Task {
            // Cancelled means that it has ended.
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            kill(id, SIGKILL)
        }
        for await _ in ended {}
        watch.cancel()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let words = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            throw Failure(program: program.lastPathComponent, text: "code \(process.terminationStatus): \(words)")
        }
        return Answer(output: text, cpu: CPUTime.ofChildren - cpu)
    }
}
