import Metrics
import PollThread
import ServiceKit
import Synchronization

/// Hashes passwords on threads of its own, so that no request waits behind one: a hash takes tens of milliseconds and
/// 19 MiB. Threads and waiting hashes are limited; what comes on top is refused at once, because a queue that grows
/// would answer nobody in time.
final class PasswordHasher: Sendable {
    /// Too many wait already.
    struct Busy: ProblemConvertible {
        var problem: Problem { .unavailable }
    }

    /// Everything on it runs on its thread, one after the other.
    private actor Worker {
        private let thread: PollThread
        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

        init(thread: PollThread) { self.thread = thread }

        func run<Value: Sendable>(_ work: @Sendable () throws -> Value) throws -> Value {
            // Whoever asked may have gone while this waited.
            try Task.checkCancellation()
            return try work()
        }
    }

    private struct State {
        /// Hashes that wait or run, by worker.
        var loads: [Int]
        var computed = 0
    }

    private let threads: [PollThread]
    private let workers: [Worker]
    private let limit: Int
    private let argon2id: Argon2id
    private let state: Mutex<State>
    private let computedCounter: Counter
    private let refusedCounter: Counter
    /// Of a password that nobody has.
    private let dummy: String

    /// - Parameters:
    ///   - threadCount: hashes that are computed at once.
    ///   - limit: hashes that wait or run.
    ///   - argon2id: what new hashes cost.
    init(threadCount: Int, limit: Int, argon2id: Argon2id = .owasp) throws {
        let threads = (1...max(1, threadCount)).map { PollThread(name: "argon2-\($0)") }
        self.threads = threads
        self.limit = limit
        self.argon2id = argon2id
        workers = threads.map { Worker(thread: $0) }
        state = Mutex(State(loads: Array(repeating: 0, count: threads.count)))
        computedCounter = Counter(label: "identity.password.hashes")
        refusedCounter = Counter(label: "identity.password.refused")
        dummy = try argon2id.hash(Self.randomBytes(32), salt: Self.randomBytes(Argon2id.saltBytes))
    }

    /// How many hashes were computed, those to compare with included.
    var computed: Int { state.withLock { $0.computed } }
    /// How many wait or run.
    var pending: Int { state.withLock { $0.loads.reduce(0, +) } }

    /// - Returns: the encoded hash, with parameters and a new salt.
    /// - Throws: ``Busy``; `CancellationError`.
    func hash(_ password: Redacted<String>) async throws -> String {
        let bytes = Self.bytes(password)
        let salt = Self.randomBytes(Argon2id.saltBytes)
        return try await run { [argon2id] in try argon2id.hash(bytes, salt: salt) }
    }

    /// Whether a hash costs what new ones do.
    func isCurrent(_ encoded: String) -> Bool { argon2id.made(encoded) }

    /// - Parameter encoded: nil when there is no such account or it has no password. The work is the same then, and
    ///   the answer false.
    /// - Throws: ``Busy``; `CancellationError`.
    func verify(_ password: Redacted<String>, against encoded: String?) async throws -> Bool {
        let bytes = Self.bytes(password)
        let hash = encoded ?? dummy
        if try await run({ try Argon2id.verify(bytes, encoded: hash) }) { return encoded != nil }
        // One with other spaces may have been hashed before they were alike.
        let former = Array(PasswordRule.former(password.revealed).utf8)
        guard former != bytes else { return false }
        return try await run { try Argon2id.verify(former, encoded: hash) } && encoded != nil
    }

    /// Runs something else that blocks for a moment on one of the threads, within the same limit.
    ///
    /// - Throws: ``Busy``; `CancellationError`; what `work` throws.
    func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await run(isHash: false, work)
    }

    /// Ends the threads when they have nothing more to do.
    func stop() {
        for thread in threads { thread.stop() }
    }

    private func run<Value: Sendable>(
        isHash: Bool = true, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let chosen = state.withLock { state -> Int? in
            guard state.loads.reduce(0, +) < limit else { return nil }
            let index = state.loads.indices.min { state.loads[$0] < state.loads[$1] } ?? 0
            state.loads[index] += 1
            return index
        }
        guard let chosen else {
            refusedCounter.increment()
            throw Busy()
        }
        defer { state.withLock { $0.loads[chosen] -= 1 } }
        let value = try await workers[chosen].run(work)
        if isHash {
            state.withLock { $0.computed += 1 }
            computedCounter.increment()
        }
        return value
    }

    private static func bytes(_ password: Redacted<String>) -> [UInt8] {
        Array(PasswordRule.normalized(password.revealed).utf8)
    }

    /// From the system's cryptographic generator.
    private static func randomBytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max) }
    }
}
