import Foundation
import Hummingbird
import NIOCore
import ServiceKit

/// Writes one stream to its reader, from the first event to the last.
struct StreamSession: Sendable {
    let hub: StreamHub
    /// Held for as long as the answer is.
    let seat: StreamSeat
    let account: UUID
    let session: UUID?
    let start: StreamStart
    let language: Language
    let expires: Date
    let endConnection: @Sendable () -> Void

    /// The answer's body. It begins to live when it is written: a `HEAD` request has none.
    func body(of request: Request) -> ResponseBody {
        ResponseBody { writer in
            guard
                let stream = hub.open(
                    account: account, session: session, after: start.after, language: language, expires: expires,
                    endConnection: endConnection)
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
        // Its number is the one that the stream begins after, so that whoever is cut off now resumes at the same place.
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
        // Streams that replace each other should not do so without a pause.
        case .replaced: farewell = ServerSentEvent("replaced", retryMilliseconds: 60_000)
        }
        try await writer.write(ByteBuffer(string: farewell.text))
        try await writer.finish(nil)
    }

    /// Spread, so that the readers of a process that ends do not all come again at once.
    private static var retryMilliseconds: Int { Int.random(in: 500...3_000) }
}
