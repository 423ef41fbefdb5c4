import Logging
import PollThread
import Postgres
import ServiceLifecycle

/// Wakes the rounds of this process and of all others when an order waits, so that no order waits for the next regular
/// look. Calls at the same moment become one.
struct RoundNotifier: Service {
    /// Raised by a commit that rounds must look at.
    static let signal = "rounds"
    /// Raised for the rounds of this process.
    static let lanes = "round lanes"
    static let channel = "dispatch_rounds"
    /// Minimum pause between two notifications to other processes.
    static let interval: Duration = .milliseconds(5)

    let pool: PostgresPool
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let signal = pool.signal(Self.signal)
            while !Task.isCancelled {
                guard await signal.wait(until: .now + .seconds(60), on: pool.thread) else { continue }
                pool.signal(Self.lanes).raise()
                do {
                    _ = try await pool.query(NotifyRounds())
                    try await pool.thread.sleep(until: .now + Self.interval)
                } catch {
                    guard !Task.isCancelled else { return }
                    // The other processes look by themselves soon.
                    logger.debug("rounds not called", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}
