import Metrics
import PollThread
import ServiceKit
import Synchronization

/// Hashes passwords on threads of its own, so that no other request waits: a hash takes tens of milliseconds and 19
/// MiB. The number of waiting hashes is limited, and further ones are refused at once, because in a growing queue no
/// request would be answered in time.
final class PasswordHasher: Sendable {
    /// Too many hashes are waiting.
    struct Busy: ProblemConvertible {
        var problem: Problem { .unavailable }
    }

    /// An actor whose work runs on its thread, one piece after the other.
    private actor Worker {
        private let thread: PollThread
        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

        init(thread: PollThread) { self.thread = thread }

        func run<Value: Sendable>(_ work: @Sendable () throws -> Value) throws -> Value {
            // The caller may have gone while this was waiting.
            try Task.checkCancellation()
            return try work()
        }
    }

    private struct State {
        /// Waiting and running hashes, by worker.
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
    /// The hash of a random password, for accounts without one.
    private let dummy: String

    /// - Parameters:
    ///   - threadCount: hashes that are computed at once.
    ///   - limit: hashes that wait or run.
    ///   - argon2id: the parameters of new hashes.
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

    /// The number of computed hashes, including comparisons.
    var computed: Int { state.withLock { $0.computed } }
    /// The number of waiting and running hashes.
    var pending: Int { state.withLock { $0.loads.reduce(0, +) } }

    /// - Returns: the encoded hash, with parameters and a new salt.
    /// - Throws: ``Busy``; `CancellationError`.
    func hash(_ password: Redacted<String>) async throws -> String {
        let bytes = Self.bytes(password)
        let salt = Self.randomBytes(Argon2id.saltBytes)
        return try await run { [argon2id] in try argon2id.hash(bytes, salt: salt) }
    }

    /// Whether a hash has the parameters of new ones.
    func isCurrent(_ encoded: String) -> Bool { argon2id.made(encoded) }

    /// - Parameter encoded: nil when the account does not exist or has no password. The work is the same then, and the
    ///   answer is false.
    /// - Throws: ``Busy``; `CancellationError`.
    func verify(_ password: Redacted<String>, against encoded: String?) async throws -> Bool {
        let bytes = Self.bytes(password)
        let hash = encoded ?? dummy
        if try await run({ try Argon2id.verify(bytes, encoded: hash) }) { return encoded != nil }
        // A password with unusual spaces may have been hashed before spaces were normalized.
        let former = Array(PasswordRule.former(password.revealed).utf8)
        guard former != bytes else { return false }
        return try await run { try Argon2id.verify(former, encoded: hash) } && encoded != nil
    }

    /// Runs other blocking work on one of the threads, within the same limit.
    ///
    /// - Throws: ``Busy``; `CancellationError`; the errors of `work`.
    func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await run(isHash: false, work)
    }

    /// Ends the threads when their work is done.
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

    /// Random bytes of the system's cryptographic generator.
    private static func randomBytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max) }
    }
}
