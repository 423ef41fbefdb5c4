import PollThread
import ServiceLifecycle

/// Ends all streams when the process shuts down, before the HTTP server waits for its requests.
struct StreamCloser: Service {
    let hub: StreamHub
    let thread: PollThread

    func run() async throws {
        // Ends by graceful shutdown or by cancellation; both mean to close.
        try? await gracefulShutdown()
        hub.close()
        let limit = ContinuousClock.now + hub.limits.farewell
        while hub.count > 0, .now < limit {
            do { try await thread.sleep(until: .now + .milliseconds(10)) } catch { break }
        }
        // Who has not even read the farewell by now.
        for stream in hub.all { stream.cut() }
    }
}
