import Foundation
import Glibc

/// A program with its arguments and its whole environment.
public struct Command: Sendable, Equatable {
    /// The program, by its path or by a name that is looked for in PATH, and its arguments. Seen by everybody: no secrets.
    public var words: [String]
    public var environment: [String: String]

    /// - Parameter environment: nil is that of this process.
    public init(_ words: [String], environment: [String: String]? = nil) {
        self.words = words
        self.environment = environment ?? ProcessInfo.processInfo.environment
    }

    /// This command, run by another one such as `nice`.
    public func run(by words: [String]) -> Command { Command(words + self.words, environment: environment) }

    /// This command, with variables besides or instead of its own.
    public func with(_ variables: [String: String]) -> Command {
        Command(words, environment: environment.merging(variables) { $1 })
    }

    /// Runs the command to its end, in a session of its own. Whoever cancels ends it.
    /// - Parameter limit: then it is ended, and that is a failure.
    /// - Returns: what it wrote to standard output.
    /// - Throws: ``CommandFailure``; `CancellationError`.
    @discardableResult
    public func run(within limit: Duration = .seconds(600)) async throws -> String {
        let (output, errors) = (try ScratchFile(), try ScratchFile())
        let child = try ChildProcess(self, output: .descriptors(output.descriptor, errors.descriptor))
        let ending = try await child.endedOrCancelled(within: limit)
        guard ending == .exited(0) else {
            throw CommandFailure(
                program: name, ending: ending, output: output.text(), errors: errors.text())
        }
        return output.text()
    }

    /// Runs the command to its end, as ``run(within:)`` does, with what it says appended to a file.
    public func run(log: String, within limit: Duration = .seconds(600)) async throws {
        let child = try ChildProcess(self, output: .appended(to: log))
        let ending = try await child.endedOrCancelled(within: limit)
        guard ending == .exited(0) else {
            let said = StateFolder(URL(filePath: log).deletingLastPathComponent().path(percentEncoded: false))
                .lastLines(URL(filePath: log).lastPathComponent)
            throw CommandFailure(program: name, ending: ending, output: "", errors: said)
        }
    }

    private var name: String { words.first.map { URL(filePath: $0).lastPathComponent } ?? "" }
}

/// A command ended with another code than 0, by a signal, or not in time.
public struct CommandFailure: Error, CustomStringConvertible {
    public let program: String
    public let ending: ChildProcess.Ending
    /// The text on standard output.
    public let output: String
    /// The text on standard error.
    public let errors: String

    public var description: String {
        "\(program) has ended with \(ending.code): \((errors + output).suffix(4_000))"
    }
}

/// A file without a name, for what a child writes: nobody has to read while the child runs, as with a pipe.
private final class ScratchFile: Sendable {
    let descriptor: Int32

    init() throws {
        var template = Array("\(NSTemporaryDirectory())serai-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw PlatformError("no file can be made in \(NSTemporaryDirectory())") }
        unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    func text() -> String {
        lseek(descriptor, 0, SEEK_SET)
        return String(decoding: ProcFile.bytes(of: descriptor), as: UTF8.self)
    }
}
