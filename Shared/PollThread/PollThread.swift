import Glibc
import struct Synchronization.Atomic
import Locks

/// One pthread that runs actor jobs and waits for file descriptors with `poll(2)`.
///
/// An actor whose `unownedExecutor` is this thread runs only here, so a C handle in its state is never used by two
/// threads, and the compiler proves it. While the actor awaits ``readiness(of:for:until:)`` the thread serves other
/// actors. It is a `TaskExecutor` too: a task that prefers it reaches such actors without changing threads.
///
/// Jobs must not block for long, because everything pinned to the thread waits for them.
///
/// All state is behind one mutex, which is never held while a job or a continuation runs.
public final class PollThread: SerialExecutor, TaskExecutor, Sendable {
    /// The events to wait for, and the events that happened.
    public struct Interest: OptionSet, Sendable {
        public let rawValue: Int16
        public init(rawValue: Int16) { self.rawValue = rawValue }

        public static let read = Interest(rawValue: Int16(POLLIN))
        public static let write = Interest(rawValue: Int16(POLLOUT))
        /// Error, hang-up or a descriptor that is not open. Reported in any case.
        public static let failed = Interest(rawValue: Int16(POLLERR | POLLHUP | POLLNVAL))
    }

    /// Why a wait ended without its descriptor being ready.
    public enum WaitError: Error, Equatable {
        case deadlineExceeded
        /// The waiting task was cancelled.
        case cancelled
        /// The owner called ``forget(_:)`` because it closes the descriptor.
        case descriptorClosed
    }

    typealias Outcome = Result<Interest, WaitError>

    struct Wait {
        let id: UInt64
        let descriptor: Int32
        let interest: Interest
        /// On the clock of ``Nanoseconds/now``; ``Nanoseconds/never`` without a deadline. A plain number, because an
        /// `Instant` is copied and compared by calls into the runtime, for every wait in every round.
        let deadline: Int64
        let continuation: UnsafeContinuation<Outcome, Never>
    }

    struct State {
        var jobs: [UnownedJob] = []
        var waits: [Wait] = []
        /// Waits whose task was cancelled before their registration.
        var cancelledEarly: Set<UInt64> = []
        var thread: pthread_t?
        var isAsleep = false
        var isStopping = false
    }

    /// Rounds of jobs before descriptors are checked without waiting.
    private static let roundLimitWithoutPoll = 4

    /// The name in debuggers and `top -H`; Linux keeps 15 bytes of it.
    public let name: String
    private let state = Mutex(State())
    private let nextWaitID = Atomic<UInt64>(0)
    private let wake: WakePipe

    /// Starts the thread.
    public init(name: String) {
        self.name = name
        self.wake = WakePipe()
        state.withLock { startLocked(&$0) }
    }

    /// Lets the thread end once it has nothing to do. A later job starts it again, so no job is lost.
    public func stop() {
        let sleeps = state.withLock { state in
            state.isStopping = true
            return Self.takeSleepLocked(&state)
        }
        if sleeps { wake.signal() }
    }

    // MARK: Executor

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let sleeps = state.withLock { state in
            state.jobs.append(job)
            return startOrTakeSleepLocked(&state)
        }
        if sleeps { wake.signal() }
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

    public func checkIsolated() {
        precondition(isCurrent, "not on the poll thread \(name)")
    }

    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Whether the caller runs on this thread.
    public var isCurrent: Bool {
        state.withLock { state in state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    // MARK: Waiting

    /// Suspends until `descriptor` is ready for any of `interest`, or has failed.
    ///
    /// Resumes on the caller's executor. Cancelling the task ends the wait at once. Several waits for one descriptor
    /// may run at once. The descriptor must stay open during the wait, or be passed to ``forget(_:)`` before it is
    /// closed.
    /// - Parameters:
    ///   - deadline: without one the wait ends only by readiness, cancellation or ``forget(_:)``.
    ///   - isCancellable: false for clean-up that a cancelled task must still wait for.
    ///   - isolation: the caller's, so that no thread changes; leave it to the default.
    public func readiness(
        of descriptor: Int32, for interest: Interest, until deadline: ContinuousClock.Instant? = nil,
        isCancellable: Bool = true, isolation: isolated (any Actor)? = #isolation
    ) async throws(WaitError) -> Interest {
        let id = nextWaitID.wrappingAdd(1, ordering: .relaxed).newValue
        func register(_ continuation: UnsafeContinuation<Outcome, Never>) {
            self.register(
                Wait(
                    id: id, descriptor: descriptor, interest: interest, deadline: Nanoseconds.at(deadline),
                    continuation: continuation))
        }
        // A continuation resumes on the executor that its task prefers, else on the global one, and only then returns
        // to its actor. For an actor of this thread that would be two unnecessary changes of threads.
        guard isolation != nil, isCurrent else {
            return try await outcome(of: id, isCancellable, register).get()
        }
        return try await withTaskExecutorPreference(self) {
            _ = isolation
            return await outcome(of: id, isCancellable, register)
        }.get()
    }

    private func outcome(
        of id: UInt64, _ isCancellable: Bool, _ register: (UnsafeContinuation<Outcome, Never>) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) async -> Outcome {
        guard isCancellable else { return await withUnsafeContinuation { register($0) } }
        let outcome = await withTaskCancellationHandler {
            // A closure runs in its function's isolation only if it captures the isolation; otherwise it would leave
            // the thread.
            _ = isolation
            return await withUnsafeContinuation { register($0) }
        } onCancel: {
            cancel(id)
        }
        if Task.isCancelled { _ = state.withLock { $0.cancelledEarly.remove(id) } }
        return outcome
    }

    /// Suspends until `deadline`. Throws only ``WaitError/cancelled``.
    public func sleep(
        until deadline: ContinuousClock.Instant, isolation: isolated (any Actor)? = #isolation
    ) async throws(WaitError) {
        do {
            _ = try await readiness(of: -1, for: [], until: deadline)
        } catch .deadlineExceeded {
            return
        }
    }

    /// Ends every wait for `descriptor` with ``WaitError/descriptorClosed``. Must be called before closing it: the
    /// kernel gives the number to the next file, and an old wait would wake for a stranger's events.
    public func forget(_ descriptor: Int32) {
        // Sleeps have no descriptor, and a C library returns -1 for one that it has already closed.
        guard descriptor >= 0 else { return }
        let (ended, sleeps) = state.withLock { state in
            let ended = state.waits.filter { $0.descriptor == descriptor }
            state.waits.removeAll { $0.descriptor == descriptor }
            return (ended.map(\.continuation), !ended.isEmpty && Self.takeSleepLocked(&state))
        }
        if sleeps { wake.signal() }
        for continuation in ended { continuation.resume(returning: .failure(.descriptorClosed)) }
    }

    private func register(_ wait: Wait) {
        let (cancelled, sleeps) = state.withLock { state in
            if state.cancelledEarly.remove(wait.id) != nil { return (true, false) }
            state.waits.append(wait)
            return (false, startOrTakeSleepLocked(&state))
        }
        if sleeps { wake.signal() }
        if cancelled { wait.continuation.resume(returning: .failure(.cancelled)) }
    }

    private func cancel(_ id: UInt64) {
        let continuation: UnsafeContinuation<Outcome, Never>? = state.withLock { state in
            guard let index = state.waits.firstIndex(where: { $0.id == id }) else {
                state.cancelledEarly.insert(id)
                return nil
            }
            return state.waits.remove(at: index).continuation
        }
        continuation?.resume(returning: .failure(.cancelled))
    }

    // MARK: The thread

    private func startLocked(_ state: inout State) {
        let context = Unmanaged.passRetained(self).toOpaque()
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                Unmanaged<PollThread>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, context)
        // Without a thread nothing pinned to it can ever run, and there is no caller to tell.
        precondition(code == 0, "cannot start a thread: error \(code)")
        pthread_detach(thread)
        state.thread = thread
    }

    /// Whether the caller has to wake the thread: true for one of any number of callers, and only while the thread
    /// sleeps in `poll`. The caller wakes it after releasing the lock, or the woken thread would wait for the lock at
    /// once.
    private static func takeSleepLocked(_ state: inout State) -> Bool {
        defer { state.isAsleep = false }
        return state.isAsleep
    }

    private func startOrTakeSleepLocked(_ state: inout State) -> Bool {
        if state.thread != nil { return Self.takeSleepLocked(&state) }
        startLocked(&state)
        return false
    }

    private func run() {
        nameThread()
        var jobs: [UnownedJob] = []
        var polled: [pollfd] = []
        var identifiers: [UInt64] = []
        var roundsWithoutPoll = 0
        while true {
            jobs.removeAll(keepingCapacity: true)
            polled.removeAll(keepingCapacity: true)
            identifiers.removeAll(keepingCapacity: true)
            let takesJobs = roundsWithoutPoll < Self.roundLimitWithoutPoll
            let timeout = state.withLock { state in
                // Usually no more jobs come, and the next round waits for descriptors. But descriptors and sleeps must
                // not starve.
                takesJobs && Self.takeJobsLocked(&state, &jobs) ? 0 : prepareLocked(&state, &polled, &identifiers)
            }
            guard let timeout else { return }
            guard jobs.isEmpty else {
                roundsWithoutPoll += 1
                for job in jobs {
                    job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
                }
                continue
            }
            roundsWithoutPoll = 0
            poll(&polled, nfds_t(polled.count), timeout)
            resumeReady(polled, identifiers)
        }
    }

    /// glibc hides `pthread_setname_np` from Swift; Linux also takes the name from this file.
    private func nameThread() {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        let bytes = Array(name.utf8.prefix(15))
        _ = write(file, bytes, bytes.count)
        close(file)
    }

    /// Returns whether there were any jobs.
    private static func takeJobsLocked(_ state: inout State, _ jobs: inout [UnownedJob]) -> Bool {
        swap(&jobs, &state.jobs)
        return !jobs.isEmpty
    }

    /// Lists the descriptors. Returns `poll`'s timeout in milliseconds, 0 while there are jobs, or nil to end the
    /// thread.
    private func prepareLocked(
        _ state: inout State, _ polled: inout [pollfd], _ identifiers: inout [UInt64]
    ) -> Int32? {
        let hasJobs = !state.jobs.isEmpty
        if !hasJobs && state.waits.isEmpty && state.isStopping {
            state.thread = nil
            return nil
        }
        if !hasJobs {
            state.isAsleep = true
            polled.append(pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0))
            identifiers.append(0)
        }
        var earliest = Nanoseconds.never
        for wait in state.waits {
            // A sleep has no descriptor, and `poll` accepts a limited number of entries.
            if wait.descriptor >= 0 {
                polled.append(pollfd(fd: wait.descriptor, events: wait.interest.rawValue, revents: 0))
                identifiers.append(wait.id)
            }
            earliest = min(earliest, wait.deadline)
        }
        if hasJobs { return 0 }
        return earliest == Nanoseconds.never ? -1 : Nanoseconds.milliseconds(until: earliest)
    }

    private func resumeReady(_ polled: [pollfd], _ identifiers: [UInt64]) {
        var ended: [(UnsafeContinuation<Outcome, Never>, Outcome)] = []
        let now = Nanoseconds.now
        state.withLock { state in
            if state.isAsleep { state.isAsleep = false }
            for (index, entry) in polled.enumerated() where entry.revents != 0 {
                if identifiers[index] == 0 {
                    wake.drain()
                } else if let place = state.waits.firstIndex(where: { $0.id == identifiers[index] }) {
                    let wait = state.waits.remove(at: place)
                    ended.append((wait.continuation, .success(Interest(rawValue: entry.revents))))
                }
            }
            guard state.waits.contains(where: { $0.deadline <= now }) else { return }
            for wait in state.waits where wait.deadline <= now {
                ended.append((wait.continuation, .failure(.deadlineExceeded)))
            }
            state.waits.removeAll { $0.deadline <= now }
        }
        for (continuation, outcome) in ended { continuation.resume(returning: outcome) }
    }
}
