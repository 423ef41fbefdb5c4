import Foundation
import Hummingbird
import NIOCore
import ServiceKit

/// Writes one stream to its reader.
struct StreamSession: Sendable {
    let hub: StreamHub
    /// Held until the answer ends.
    let seat: StreamSeat
    let account: UUID
    let session: UUID?
    /// The markets whose admins or support the reader is one of; `*` for all.
    var adminOf: Set<String> = []
    let start: StreamStart
    let language: Language
    let expires: Date
    let endConnection: @Sendable () -> Void

    /// The answer's body. The stream opens when the body is written, because a `HEAD` request has none.
    func body(of request: Request) -> ResponseBody {
        ResponseBody { writer in
            guard
                let stream = hub.open(
                    account: account, session: session, adminOf: adminOf, after: start.after, language: language,
                    expires: expires, endConnection: endConnection)
            else { return try await say(.closing, to: &writer) }
            defer { hub.remove(stream) }
            try await request.body.consumeWithInboundCloseHandler { _ in
                try await run(stream, &writer)
            } onInboundClosed: {
                stream.end(.gone)
            }
        }
    }

    @concurrent
    private func run(_ stream: ConnectedStream, _ writer: inout any ResponseBodyWriter) async throws {
        // `ready` has the number before the first event, so that a reader that is cut off now resumes at the same
        // place.
        let ready = ServerSentEvent.ready(
            after: start.after, hasMissed: start.hasMissed, retryMilliseconds: Self.retryMilliseconds)
        try await writer.write(ByteBuffer(string: ready.text))
        stream.written()
        while true {
            switch await stream.next() {
            case .text(let text):
                try await writer.write(ByteBuffer(string: text))
                stream.written()
                hub.read([stream], hasNews: false)
            case .end(let end):
                return try await say(end, to: &writer)
            }
        }
    }

    @concurrent
    private func say(_ end: ConnectedStream.End, to writer: inout any ResponseBodyWriter) async throws {
        let farewell: ServerSentEvent
        switch end {
        // Throwing ends the connection.
        case .gone: throw CancellationError()
        case .expired: farewell = ServerSentEvent("expired")
        case .closing: farewell = ServerSentEvent("closing", retryMilliseconds: Self.retryMilliseconds)
        // The long retry keeps two streams from replacing each other without a pause.
        case .replaced: farewell = ServerSentEvent("replaced", retryMilliseconds: 60_000)
        }
        try await writer.write(ByteBuffer(string: farewell.text))
        try await writer.finish(nil)
    }

    /// Random, so that the readers of a stopped process do not all reconnect at the same time.
    private static var retryMilliseconds: Int { Int.random(in: 500...3_000) }
}
