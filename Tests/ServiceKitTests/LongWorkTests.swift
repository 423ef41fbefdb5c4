import PollThread
import ServiceKit
import Testing

@Suite("Long work", .timeLimit(.minutes(5)))
struct LongWorkTests {
    private struct Fault: Error {}

    @Test("leaves the thread that its task prefers, and the task comes back to it")
    func leaves() async throws {
        let thread = PollThread(name: "long work")
        let places = await Task(executorPreference: thread) {
            let before = thread.isCurrent
            let during = await LongWork.run { thread.isCurrent }
            return (before, during, after: await current(thread))
        }.value
        #expect(places == (true, false, true))
        thread.stop()
    }

    @Test("throws what the work throws")
    func throwing() async {
        await #expect(throws: Fault.self) { try await LongWork.run { throw Fault() } }
    }

    @concurrent
    private func current(_ thread: PollThread) async -> Bool { thread.isCurrent }
}
