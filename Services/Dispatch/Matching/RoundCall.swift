import Logging
import PollThread
import Postgres
import ServiceLifecycle

/// Tells rounds that an order waits, in this process and in all others, so that nobody waits for the next look. Calls
/// of one moment are one.
struct RoundCall: Service {
    /// Raised by the commit of what has to be looked at.
    static let signal = "rounds"
    /// Raised for the rounds of this process.
    static let lanes = "round lanes"
    static let channel = "dispatch_rounds"
    /// Others are told at most this often.
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
                    // They look by themselves soon.
                    logger.debug("rounds not called", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}
