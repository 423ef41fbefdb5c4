import PollThread
import ServiceLifecycle

/// Ends all streams at shutdown, before the HTTP server waits for its requests.
struct StreamCloser: Service {
    let hub: StreamHub
    let thread: PollThread

    func run() async throws {
        // try?: graceful shutdown and cancellation both lead to closing.
        try? await gracefulShutdown()
        hub.close()
        let limit = ContinuousClock.now + hub.limits.farewell
        while hub.count > 0, .now < limit {
            do { try await thread.sleep(until: .now + .milliseconds(10)) } catch { break }
        }
        // Cuts the readers that have not accepted the farewell.
        for stream in hub.all { stream.cut() }
    }
}
