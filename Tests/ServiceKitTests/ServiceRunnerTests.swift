import Logging
import SeraiJSON
import ServiceLifecycle
import Synchronization
import TestKit
import Testing

@testable import ServiceKit

@Suite("Running a service", .timeLimit(.minutes(15)))
struct ServiceRunnerTests {
    /// What happened, in order.
    final class Transcript: Sendable {
        private let entries = Mutex<[String]>([])
        func note(_ entry: String) { entries.withLock { $0.append(entry) } }
        var all: [String] { entries.withLock { $0 } }
    }

    struct Part: Service {
        let name: String
        let transcript: Transcript
        func run() async throws {
            transcript.note("start \(name)")
            try? await gracefulShutdown()
            transcript.note("stop \(name)")
        }
    }

    struct Broken: Error {}

    struct Failing: Service {
        let after: Transcript
        func run() async throws {
            try await eventually("all are ready") { after.all.contains("start http") }
            throw Broken()
        }
    }

    /// Ends at once, although nobody asked it to.
    struct Quitter: Service {
        func run() async throws {}
    }

    /// Ends only when it is cancelled.
    struct Deaf: Service {
        func run() async throws {
            let (stream, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in stream {}
        }
    }

    /// Ends when the stream does, whatever else happens.
    struct Stuck: Service {
        let stream: AsyncStream<Void>
        func run() async throws { await Task { for await _ in stream {} }.value }
    }

    let logs = LogCapture()
    let logger: Logger
    let health: Health

    init() {
        let logs = logs
        logger = Logger(label: "test") { _ in
            ServiceLogHandler(service: "test", level: .debug, format: .json, sink: logs.sink)
        }
        health = Health(logger: logger)
    }

    /// Runs the components and shuts them down once `ready` says so.
    func run(
        _ components: [ServiceComponent], grace: Duration = .seconds(10),
        terminate: @escaping @Sendable () -> Void = { Issue.record("ended by force") },
        until ready: @escaping @Sendable () async throws -> Void
    ) async throws -> ServiceRunner.Outcome {
        let runner = ServiceRunner(
            components: components, health: health, grace: grace, logger: logger, terminate: terminate)
        let result = Mutex<ServiceRunner.Outcome?>(nil)
        let group = ServiceGroup(
            services: [RunnerService(runner: runner) { outcome in result.withLock { $0 = outcome } }], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                // The runner's service ends by itself when a component fails; the outcome tells.
                try? await group.run()
            }
            try await ready()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        return try #require(result.withLock { $0 })
    }

    struct RunnerService: Service {
        let runner: ServiceRunner
        let done: @Sendable (ServiceRunner.Outcome) -> Void
        func run() async throws { done(await runner.run()) }
    }

    func untilReady() async throws {
        try await eventually("the service is ready") { health.phase == .ready }
    }

    @Test("components start stage by stage, each when the one before is of use, and stop in reverse")
    func order() async throws {
        let transcript = Transcript()
        let stages: [(String, ServiceComponent.Stage)] = [
            ("http", .http), ("relay", .relay), ("database", .database), ("events", .consumers),
            ("commands", .consumers),
            ("publisher", .publisher),
        ]
        let components = stages.map { name, stage in
            ServiceComponent(name, stage: stage, Part(name: name, transcript: transcript)) {
                try await eventually("\(name) runs") { transcript.all.contains("start \(name)") }
                transcript.note("of use \(name)")
            }
        }
        let outcome = try await run(components, until: untilReady)
        #expect(outcome == .success)
        let names = ["database", "publisher", "relay", "events", "commands", "http"]
        #expect(
            transcript.all == names.flatMap { ["start \($0)", "of use \($0)"] } + names.reversed().map { "stop \($0)" })
        #expect(health.phase == .draining)
    }

    @Test("a component that fails stops the others, and the outcome is a failure")
    func failing() async throws {
        let transcript = Transcript()
        let outcome = try await run([
            ServiceComponent("database", stage: .database, Part(name: "database", transcript: transcript)),
            ServiceComponent("relay", stage: .relay, Failing(after: transcript)),
            ServiceComponent("http", stage: .http, Part(name: "http", transcript: transcript)),
        ]) { try await eventually("the database has stopped") { transcript.all.contains("stop database") } }
        #expect(outcome == .failure)
        #expect(try await logs.line("component failed")["component"] == "relay")
    }

    @Test("a component that ends although nobody asked it to is a failure")
    func endsEarly() async throws {
        let outcome = try await run([ServiceComponent("relay", stage: .relay, Quitter())]) {
            // A shutdown before it has started would be a clean one.
            _ = try await logs.line("component failed")
        }
        #expect(outcome == .failure)
        let line = try await logs.line("component failed")
        #expect(line["error"] == "relay ended although nobody asked it to")
    }

    @Test("a component that does not hear is cancelled in time, and the outcome names it")
    func deaf() async throws {
        let transcript = Transcript()
        let start = ContinuousClock.now
        let outcome = try await run(
            [
                ServiceComponent("database", stage: .database, Part(name: "database", transcript: transcript)),
                ServiceComponent("consumer", stage: .consumers, Deaf()),
            ], grace: .seconds(5),
            // On a busy machine the cancellation, at four fifths, may come after the end of the whole.
            terminate: {}, until: untilReady)
        #expect(outcome == .failure)
        #expect(ContinuousClock.now - start < .seconds(45))
        let line = try await logs.line("components did not stop by themselves")
        #expect(line["components"]?.contains("consumer") == true)
    }

    @Test("a shutdown that does not end is ended, with a log line that says what did not stop")
    func stuck() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let outcome = try await run(
            [ServiceComponent("consumer", stage: .consumers, Stuck(stream: stream))], grace: .seconds(1),
            terminate: { continuation.finish() }, until: untilReady)
        #expect(outcome == .failure)
        let line = try await logs.line("shutdown not finished in time, ending the process")
        #expect(line["components"] == "consumer")
        #expect(line["level"] == "critical")
    }

    @Test("a shutdown before everything has started is a clean one")
    func beforeReady() async throws {
        let transcript = Transcript()
        let outcome = try await run([
            ServiceComponent("database", stage: .database, Part(name: "database", transcript: transcript)) {
                try await gracefulShutdown()
            },
            ServiceComponent("http", stage: .http, Part(name: "http", transcript: transcript)),
        ]) { try await eventually("the database runs") { transcript.all.contains("start database") } }
        #expect(outcome == .success)
        #expect(transcript.all == ["start database", "stop database"])
        #expect(health.phase == .draining)
    }
}
