import HTTPTypes
import Hummingbird
import PollThread
import ServiceLifecycle
import Locks

/// Cancels requests that take too long.
///
/// One timer serves all of them, because a sleeping task for each request would outlive it by the whole limit.
/// Deadlines are therefore kept within a quarter of a second. The answer waits until the handler stops, which a handler
/// that ignores cancellation can delay.
final class RequestDeadlines: Service {
    private struct Entry {
        let deadline: RequestDeadline
        let cancel: @Sendable () -> Void
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var nextID: UInt64 = 0
    }

    static let tick = Duration.milliseconds(250)
    private let state = Mutex(State())

    func add(_ deadline: RequestDeadline, cancel: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.nextID += 1
            state.entries[state.nextID] = Entry(deadline: deadline, cancel: cancel)
            return state.nextID
        }
    }

    func remove(_ id: UInt64) { state.withLock { _ = $0.entries.removeValue(forKey: id) } }

    func run() async throws {
        // Ends by cancellation: requests keep their deadlines while the server drains.
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                self.cancelOverdue(now: .now)
                // A cancelled sleep ends the loop by its condition.
                try? await Task.sleep(for: Self.tick, tolerance: .milliseconds(50))
            }
        }
    }

    func cancelOverdue(now: ContinuousClock.Instant) {
        let overdue = state.withLock { state in
            let overdue = state.entries.filter { $0.value.deadline.instant <= now }
            for id in overdue.keys { state.entries[id] = nil }
            return overdue.values.map(\.cancel)
        }
        for cancel in overdue { cancel() }
    }
}

/// Answers by another responder, in a task of its own that ``RequestDeadlines`` can cancel.
struct DeadlineResponder<Base: HTTPResponder>: HTTPResponder where Base.Context == SeraiRequestContext {
    let base: Base
    let limit: Duration
    let deadlines: RequestDeadlines
    /// The thread of requests; nil for the global executor.
    let thread: PollThread?

    func respond(to received: Request, context: SeraiRequestContext) async throws -> Response {
        // Before the router, which compares bytes.
        let request = received.withPlainPath
        var timed = context
        timed.deadline = .now + limit
        let deadline = RequestDeadline(timed.deadline)
        let watched = request.isLong ? request.watched(by: deadline, limit: limit) : request
        let task = Task(executorPreference: thread) { [base, timed] in
            try await base.respond(to: watched, context: timed)
        }
        let id = deadlines.add(deadline) { task.cancel() }
        defer { deadlines.remove(id) }
        let response = try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
        return request.method == .head ? response.withoutFalseLength : response
    }
}

extension Response {
    /// Corrects answers to HEAD. The router drops the body outside all middleware, and then sets the length 0 for a
    /// streamed body, where GET has no length (RFC 9110, 8.6).
    fileprivate var withoutFalseLength: Response {
        guard headers[.contentLength] == "0", headers[.contentType] != nil else { return self }
        var response = self
        response.headers[.contentLength] = nil
        return response
    }
}
