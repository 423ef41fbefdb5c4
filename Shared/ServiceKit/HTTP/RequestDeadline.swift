import HTTPTypes
import Hummingbird
import Locks
import NIOCore

/// The time at which a request is cancelled. It moves while a long body arrives: another rule limits the body's speed
/// (``RequestPace``), and the request's time counts from the last bytes.
final class RequestDeadline: Sendable {
    private let state: Mutex<ContinuousClock.Instant>

    init(_ instant: ContinuousClock.Instant) {
        state = Mutex(instant)
    }

    var instant: ContinuousClock.Instant { state.withLock { $0 } }

    func move(to instant: ContinuousClock.Instant) { state.withLock { $0 = max($0, instant) } }
}

extension Request {
    /// Whether the body may take longer than a moment on a slow connection.
    var isLong: Bool {
        headers[.transferEncoding] != nil || (headers[.contentLength].flatMap { Int($0) } ?? 0) > 65_536
    }

    /// The same request, whose deadline moves with each part of the body.
    func watched(by deadline: RequestDeadline, limit: Duration) -> Request {
        var request = self
        request.body = RequestBody(asyncSequence: WatchedBody(base: body, deadline: deadline, limit: limit))
        return request
    }
}

private struct WatchedBody: AsyncSequence, Sendable {
    let base: RequestBody
    let deadline: RequestDeadline
    let limit: Duration

    struct AsyncIterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator
        let deadline: RequestDeadline
        let limit: Duration

        @concurrent
        mutating func next() async throws -> ByteBuffer? {
            let buffer = try await base.next()
            deadline.move(to: .now + limit)
            return buffer
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), deadline: deadline, limit: limit)
    }
}
