import Foundation
import TestKit

/// A program that is run and waited for.
enum Child {
    struct Failure: Error, CustomStringConvertible { let description: String }

    static func start(
        _ program: URL, _ arguments: [String], _ environment: [String: String], output: Pipe? = nil
    ) throws -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        if let output { process.standardOutput = output } else { process.standardOutput = FileHandle.nullDevice }
        try process.runWithSignalsUnblocked()
        return process
    }

    /// Runs it to its end and returns what it printed, which must not exceed a pipe's 64 KB.
    @discardableResult
    static func run(_ program: URL, _ arguments: [String], _ environment: [String: String]) async throws -> String {
        let output = Pipe()
        let process = try start(program, arguments, environment, output: output)
        while process.isRunning { try await Task.sleep(for: .milliseconds(20)) }
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(program.lastPathComponent) \(arguments.first ?? ""): \(text)")
        }
        return text
    }
}
