@testable import Phones
import Testing

@Suite("What a stream has said")
struct StreamLogTests {
    private let log = StreamLog()

    private func say(_ name: String) {
        log.append(StreamLog.Entry(id: nil, at: .now, event: .unknown(name: name)))
    }

    private func wait(for name: String, within limit: Duration) async throws -> String {
        try await log.first(name, within: limit) { entry in
            if case .unknown(name: name) = entry.event { name } else { nil }
        }
    }

    @Test("N3: a phone hears what its stream says, before and after it listens")
    func hears() async throws {
        say("early")
        #expect(try await wait(for: "early", within: .zero) == "early")
        async let late = wait(for: "late", within: .seconds(60))
        for number in 0..<200 { say("other \(number)") }
        say("late")
        #expect(try await late == "late")
        #expect(try await log.entries(from: 200, within: .zero).count == 2)
    }

    @Test("N3: a phone that hears nothing says so at its limit")
    func endsAtTheLimit() async throws {
        say("other")
        await #expect(throws: StreamLog.Silence.self) { try await wait(for: "never", within: .milliseconds(30)) }
        #expect(try await log.entries(from: 1, within: .milliseconds(30)).isEmpty)
    }

    @Test("N3: a phone that is put away waits no longer")
    func isCancelled() async {
        let waiting = Task { try await wait(for: "never", within: .seconds(600)) }
        let reading = Task { try await log.entries(from: 0, within: .seconds(600)) }
        waiting.cancel()
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await #expect(throws: CancellationError.self) { try await reading.value }
    }
}
