public import AsyncHTTPClient
public import NIOCore

/// An answer had begun, and had not ended in time.
public struct AnswerTooSlow: Error {}

extension HTTPClient {
    /// Asks, and reads the whole answer, within one limit. The client's own deadline ends at the head, and its limit of
    /// silence begins anew with each byte: an answer that comes drop by drop would never end.
    ///
    /// - Throws: ``AnswerTooSlow``, `NIOTooManyBytesError`, and the client's own errors.
    public func whole(
        _ request: HTTPClientRequest, within limit: Duration, upTo maximumBytes: Int
    ) async throws -> (head: HTTPClientResponse, body: ByteBuffer) {
        let end = ContinuousClock.now + limit
        let response = try await execute(request, timeout: TimeAmount(limit))
        return (response, try await response.wholeBody(until: end, upTo: maximumBytes))
    }
}

extension HTTPClientResponse {
    /// The body. When the time is over, the rest is not waited for.
    ///
    /// - Throws: ``AnswerTooSlow``, `NIOTooManyBytesError`, and the client's own errors.
    public func wholeBody(until end: ContinuousClock.Instant, upTo maximumBytes: Int) async throws -> ByteBuffer {
        let body = body
        return try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
            group.addTask { try await body.collect(upTo: maximumBytes) }
            group.addTask {
                try await Task.sleep(until: end, clock: .continuous)
                throw AnswerTooSlow()
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw AnswerTooSlow() }
            return first
        }
    }
}
