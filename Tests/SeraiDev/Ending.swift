import ArgumentParser
import Dispatch
import Foundation
import LocalPlatform
import Synchronization

/// What signals do to a command.
enum Ending {
    /// Runs the body in the run's folder and then ends everything, however that comes: at its end, by an error, by Ctrl-C or
    /// another signal. Of all this only the exit code says which.
    /// - Parameter keeping: after a good end everything is left running.
    static func of(
        _ run: LocalRun, keeping: Bool = false, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let lock = try await run.begin()
        var failure: (any Error)?
        do {
            try await cancelling(body)
            if keeping { return withExtendedLifetime(lock) {} }
        } catch {
            failure = error
        }
        if let failure, !(failure is ExitCode) { complain(failure) }
        say("stopping")
        do {
            try await run.end()
        } catch {
            complain(error)
            failure = ExitCode.failure
        }
        withExtendedLifetime(lock) {}
        switch failure {
        case nil: return
        // Somebody else has called `down`.
        case let code as ExitCode where code == .success: return
        case let code as ExitCode: throw code
        default: throw ExitCode.failure
        }
    }

    /// Runs the body as a task that a signal cancels.
    /// - Throws: what the body throws; after a signal an `ExitCode`, as a shell has it.
    static func cancelling(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task { try await body() }
        let signals = Signals([SIGINT, SIGTERM, SIGHUP, SIGUSR1]) { _ in task.cancel() }
        defer { signals.forget() }
        do {
            try await task.value
        } catch {
            guard let number = signals.first else { throw error }
            // `down` asks for the end by this signal.
            throw number == SIGUSR1 ? ExitCode.success : ExitCode(128 + number)
        }
    }

    static func complain(_ error: any Error) {
        // try?: as `say`.
        try? FileHandle.standardError.write(contentsOf: Data("serai-dev: \(error)\n".utf8))
    }
}

/// Hears signals instead of being ended by them. They are ignored ever after: what has begun to end is not disturbed by a
/// second one.
final class Signals: Sendable {
    private typealias Listener = @Sendable (Int32) -> Void

    /// Who listens at the moment.
    private static let listeners = Mutex<[ObjectIdentifier: Listener]>([:])

    /// One for each signal, as long as the process lives: on Linux a second one, after the first was cancelled, hears nothing.
    private static let sources = Mutex<[Int32: any DispatchSourceSignal]>([:])

    private let heard = Mutex<Int32?>(nil)

    /// The one that came first.
    var first: Int32? { heard.withLock { $0 } }

    init(_ numbers: [Int32], _ body: @escaping @Sendable (Int32) -> Void) {
        // Whoever reads no more has heard enough.
        signal(SIGPIPE, SIG_IGN)
        Self.listeners.withLock { listeners in
            listeners[ObjectIdentifier(self)] = { [weak self] number in
                guard let self, numbers.contains(number) else { return }
                heard.withLock { known in known = known ?? number }
                body(number)
            }
        }
        for number in numbers { Self.listen(number) }
    }

    private static func listen(_ number: Int32) {
        sources.withLock { sources in
            guard sources[number] == nil else { return }
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                for listener in listeners.withLock({ Array($0.values) }) { listener(number) }
            }
            source.resume()
            sources[number] = source
        }
    }

    func forget() {
        Self.listeners.withLock { $0[ObjectIdentifier(self)] = nil }
    }
}
