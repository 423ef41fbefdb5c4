public import Logging
import ServiceLifecycle

/// Does something again and again, with a pause after each, until the task is cancelled or the service group shuts down.
/// A failure is logged as a warning and waits for the next time.
///
/// - Parameters:
///   - interval: the pause.
///   - failure: what the log line says.
public func repeatedly(
    every interval: Duration, logger: Logger, orLog failure: Logger.Message,
    _ work: @escaping @Sendable () async throws -> Void
) async {
    await cancelWhenGracefulShutdown {
        while !Task.isCancelled {
            do {
                try await work()
            } catch {
                logger.warning(failure, metadata: [LogKeys.error: "\(error)"])
            }
            // Cancelled sleep means the end of the loop, which the condition sees.
            try? await Task.sleep(for: interval)
        }
    }
}
