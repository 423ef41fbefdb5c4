import Hummingbird
import NIOCore

/// Refuses bodies above the route's limit with a 413: at once when the head announces the length, else when the limit
/// is passed, however slowly the body comes. The connection is closed two seconds after the answer: until then further
/// bytes are read, so that the client can receive the answer.
struct BodyLimitMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    let defaultLimitBytes: Int
    /// By the route's template, for uploads.
    let routeLimitBytes: [String: Int]

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let limit = context.endpointPath.flatMap { routeLimitBytes[$0] } ?? defaultLimitBytes
        var context = context
        context.maxUploadSize = limit
        if let announced = request.headers[.contentLength].flatMap(Int.init) {
            guard announced <= limit else { throw Problem.bodyTooLarge(limitBytes: limit) }
            // The parser enforces the announced length.
            return try await next(request, context)
        }
        guard request.headers[.transferEncoding] != nil else { return try await next(request, context) }
        var limited = request
        limited.body = RequestBody(asyncSequence: LimitedBody(base: request.body, limitBytes: limit))
        return try await next(limited, context)
    }
}

/// A body that fails when it exceeds its limit.
struct LimitedBody: AsyncSequence, Sendable {
    let base: RequestBody
    let limitBytes: Int

    struct AsyncIterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator
        let limitBytes: Int
        var receivedBytes = 0

        @concurrent
        mutating func next() async throws -> ByteBuffer? {
            guard let buffer = try await base.next() else { return nil }
            receivedBytes += buffer.readableBytes
            guard receivedBytes <= limitBytes else { throw Problem.bodyTooLarge(limitBytes: limitBytes) }
            return buffer
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), limitBytes: limitBytes)
    }
}
