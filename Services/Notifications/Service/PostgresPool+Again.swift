import Logging
import PollThread
import Postgres

extension PostgresPool {
    /// Takes a step again and again, with a pause in between, until the task is cancelled.
    ///
    /// - Parameter failure: what is logged of a step that fails; the next one comes after the pause all the same.
    func again(
        every pause: Duration, _ failure: Logger.Message, _ logger: Logger, _ step: () async throws -> Void
    ) async {
        while !Task.isCancelled {
            do {
                try await step()
            } catch {
                if !Task.isCancelled { logger.warning(failure, metadata: ["error": "\(error)"]) }
            }
            do { try await thread.sleep(until: .now + pause) } catch { return }
        }
    }
}
