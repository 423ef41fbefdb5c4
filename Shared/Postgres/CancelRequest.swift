import CLibPQ
import Dispatch
import Locks
import PollThread

/// Asks the server to cancel a session's statement.
///
/// `PQcancel` blocks and opens a connection of its own, for which libpq has no time limit. It therefore runs on another
/// thread, and a caller that waits for its end sets a deadline.
final class CancelRequest: Sendable {
    private let isOver = Mutex(false)
    private let ended = Signal()

    /// - Parameter handle: the session's handle. Only the other thread uses libpq's copy of the data that the request
    ///   needs.
    init(of handle: OpaquePointer) {
        // Nil when memory is exhausted: the statement then runs until its timeout.
        guard let cancel = PQgetCancel(handle) else {
            end()
            return
        }
        let address = UInt(bitPattern: cancel)
        DispatchQueue.global().async {
            let cancel = OpaquePointer(bitPattern: address)
            var message = [CChar](repeating: 0, count: 256)
            // A failed request is not reported: the statement timeout ends the statement instead.
            _ = PQcancel(cancel, &message, Int32(message.count))
            PQfreeCancel(cancel)
            self.end()
        }
    }

    /// Whether the request can no longer cancel any statement.
    var hasEnded: Bool { isOver.withLock { $0 } }

    private func end() {
        isOver.withLock { $0 = true }
        ended.raise()
    }

    /// Waits even though the task is cancelled, since that is the reason for the request. For one waiter.
    /// - Returns: whether the request has ended.
    func ends(by deadline: ContinuousClock.Instant, on thread: PollThread) async -> Bool {
        if hasEnded { return true }
        _ = await Task { await ended.wait(until: deadline, on: thread) }.value
        return hasEnded
    }
}
