import CLibPQ
import Dispatch
import Locks
import PollThread

/// Asks the server to stop what a session runs.
///
/// `PQcancel` blocks and opens a connection of its own, for which libpq has no time limit: it runs on another thread, and
/// whoever waits for its end says until when.
final class CancelRequest: Sendable {
    private let isOver = Mutex(false)
    private let ended = Signal()

    /// - Parameter handle: the session's. libpq's copy of what the request needs is touched by the other thread alone.
    init(of handle: OpaquePointer) {
        // Without it, when there is no memory, the statement runs on to its timeout.
        guard let cancel = PQgetCancel(handle) else {
            end()
            return
        }
        let address = UInt(bitPattern: cancel)
        DispatchQueue.global().async {
            let cancel = OpaquePointer(bitPattern: address)
            var message = [CChar](repeating: 0, count: 256)
            // A request that fails is not told: the statement timeout ends the statement instead.
            _ = PQcancel(cancel, &message, Int32(message.count))
            PQfreeCancel(cancel)
            self.end()
        }
    }

    /// Whether it can hit no statement any more.
    var hasEnded: Bool { isOver.withLock { $0 } }

    private func end() {
        isOver.withLock { $0 = true }
        ended.raise()
    }

    /// Waits although the task is cancelled, which is why there is a request. For one waiter.
    /// - Returns: whether it has ended.
    func ends(by deadline: ContinuousClock.Instant, on thread: PollThread) async -> Bool {
        if hasEnded { return true }
        _ = await Task { await ended.wait(until: deadline, on: thread) }.value
        return hasEnded
    }
}
