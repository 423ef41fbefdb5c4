import Glibc
import PollThread
import Locks
import TestKit
import Testing

/// An actor pinned to a thread, as the database's and the broker's connections are.
private actor Pinned {
    nonisolated let thread: PollThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private(set) var count = 0

    init(_ thread: PollThread) { self.thread = thread }

    func increment() { count += 1 }

    func isOnThread() -> Bool { thread.isCurrent }

    func staysOnThreadAfterWait() async -> Bool {
        do { try await thread.sleep(until: .now + .milliseconds(1)) } catch { return false }
        return thread.isCurrent
    }

    func wait(
        _ descriptor: Int32, _ interest: PollThread.Interest, until deadline: ContinuousClock.Instant? = nil
    ) async throws(PollThread.WaitError) -> PollThread.Interest {
        try await thread.readiness(of: descriptor, for: interest, until: deadline)
    }
}

private struct SocketPair {
    let a: Int32
    let b: Int32

    init() {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        (a, b) = (ends[0], ends[1])
    }

    func closeBoth() {
        close(a)
        close(b)
    }
}

@Suite("PollThread", .timeLimit(.minutes(15)))
struct PollThreadTests {
    @Test("an actor pinned to a thread runs there, before and after a wait")
    func pinned() async {
        let thread = PollThread(name: "test")
        defer { thread.stop() }
        let pinned = Pinned(thread)
        #expect(await pinned.isOnThread())
        #expect(await pinned.staysOnThreadAfterWait())
        #expect(!thread.isCurrent)
    }

    @Test("jobs from many tasks at once all run, one at a time")
    func manyJobs() async {
        let thread = PollThread(name: "test")
        defer { thread.stop() }
        let pinned = Pinned(thread)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 { group.addTask { for _ in 0..<1000 { await pinned.increment() } } }
        }
        #expect(await pinned.count == 16_000)
    }

    @Test("a wait ends when its descriptor becomes readable")
    func readable() async throws {
        let thread = PollThread(name: "test")
        defer { thread.stop() }
        let pinned = Pinned(thread)
        let sockets = SocketPair()
        defer { sockets.closeBoth() }
        async let ready = pinned.wait(sockets.a, .read, until: .now + .seconds(30))
        #expect(write(sockets.b, "x", 1) == 1)
        #expect(try await ready == .read)
    }

    @Test("a wait ends when the other side closes")
    func hangUp() async throws {
        let thread = PollThread(name: "test")
        defer { thread.stop() }
        let pinned = Pinned(thread)
        let sockets = SocketPair()
        async let ready = pinned.wait(sockets.a, .read, until: .now + .seconds(30))
        close(sockets.b)
        #expect(try await ready.contains(.read))
        close(sockets.a)
    }

    @Test("a wait ends at its deadline")
    func deadline() async {
        let thread = PollThread(name: "test")
        defer { thread.stop() }
        let pinned = Pinned(thread)
        let sockets = SocketPair()
        defer { sockets.closeBoth() }
        let deadline = ContinuousClock.now + .milliseconds(20)
        await #expect(throws: PollThread.WaitError.deadlineExceeded) {
            _ = try await pinned.wait(sockets.a, .read, until: deadline)
        }
        #expect(ContinuousClock.now >= deadline)
    }

    @Test("a cancelled task stops waiting, whether it waits already or not")
    func cancelled() async {
        let thread = PollThread(name: "test")
        defer { thread.stop() }
        let pinned = Pinned(thread)
        let sockets = SocketPair()
        defer { sockets.closeBoth() }
        for round in 0..<200 {
            let task = Task { () throws(PollThread.WaitError) in try await pinned.wait(sockets.a, .read) }
            if round % 2 == 0 { await Task.yield() }
            task.cancel()
            guard case .failure(let error) = await task.result else {
                Issue.record("the wait was not ended")
                return
            }
            #expect(error as? PollThread.WaitError == .cancelled)
        }
    }

    @Test("closing a descriptor ends its waits and no others")
    func forget() async throws {
        let thread = PollThread(name: "test")
        defer { thread.stop() }
        let pinned = Pinned(thread)
        let closing = SocketPair()
        let staying = SocketPair()
        defer { staying.closeBoth() }
        let gone = Task { try await pinned.wait(closing.a, .read) }
        let kept = Task { try await pinned.wait(staying.a, .read, until: .now + .seconds(30)) }
        let isOver = Mutex(false)
        let watcher = Task {
            _ = await gone.result
            isOver.withLock { $0 = true }
        }
        try await eventually("the wait on the forgotten descriptor ends") {
            thread.forget(closing.a)
            return isOver.withLock { $0 }
        }
        await watcher.value
        closing.closeBoth()
        #expect(write(staying.b, "x", 1) == 1)
        #expect(try await kept.value == .read)
    }

    @Test("a thread that was stopped runs what still comes")
    func restart() async throws {
        let thread = PollThread(name: "test")
        let pinned = Pinned(thread)
        thread.stop()
        for _ in 0..<50 { await pinned.increment() }
        #expect(await pinned.count == 50)
        #expect(await pinned.staysOnThreadAfterWait())
    }

    @Test("a task that prefers the thread runs there, and reaches its actors without leaving")
    func preference() async {
        let thread = PollThread(name: "test")
        defer { thread.stop() }
        let pinned = Pinned(thread)
        let places: [Bool] = await withTaskExecutorPreference(thread) { await self.places(thread, pinned) }
        #expect(places == [true, true, true])
    }

    @concurrent
    private func places(_ thread: PollThread, _ pinned: Pinned) async -> [Bool] {
        let before = thread.isCurrent
        let inside = await pinned.isOnThread()
        return [before, inside, thread.isCurrent]
    }

    @Test("a sleep ends although jobs keep coming and no descriptor is waited for")
    func sleepAmongJobs() async throws {
        let thread = PollThread(name: "busy")
        defer { thread.stop() }
        let busy = (0..<2).map { _ in
            Task(executorPreference: thread) { while !Task.isCancelled { await Task.yield() } }
        }
        let sleeping = Task(executorPreference: thread) { try await thread.sleep(until: .now + .milliseconds(10)) }
        let ended = Mutex(false)
        let watching = Task {
            _ = await sleeping.result
            ended.withLock { $0 = true }
        }
        try await eventually("the sleep has ended") { ended.withLock { $0 } }
        for task in busy { task.cancel() }
        for task in busy { await task.value }
        await watching.value
    }

    @Test("two threads waiting for each other's work do not block")
    func twoThreads() async {
        let first = PollThread(name: "first")
        let second = PollThread(name: "second")
        defer {
            first.stop()
            second.stop()
        }
        let (a, b) = (Pinned(first), Pinned(second))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500 {
                        await a.increment()
                        await b.increment()
                    }
                }
            }
        }
        #expect(await a.count + b.count == 8000)
    }
}
