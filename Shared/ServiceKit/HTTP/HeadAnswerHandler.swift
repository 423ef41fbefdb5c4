import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Sends nothing after the head of an answer to a HEAD request (RFC 9110, 9.3.2), whoever made the answer: a route, a
/// layer or the router for a path without a route.
///
/// A client takes bytes after such a head for the beginning of the next answer. A proxy, which shares its connections
/// between clients, then fails the request of somebody else. The router removes bodies of GET routes only, and NIO's
/// encoder, which does not know the method, ends an answer of unknown length with an empty chunk. `Content-Length` and
/// `Transfer-Encoding` stay in the head: they are those of GET.
final class HeadAnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Whether each request that waits for its answer is a HEAD: a client may send several before the first answer.
    private var waiting: CircularBuffer<Bool> = []
    /// Whether the answer that is being written is that to a HEAD.
    private var endsAfterHead = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) { waiting.append(head.method == .head) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head):
            // After a `100 Continue` the answer follows. Without a waiting request, the parser has refused a head.
            if head.status.kind != .informational { endsAfterHead = waiting.popFirst() ?? false }
            context.write(data, promise: promise)
        case .body, .end:
            guard endsAfterHead else { return context.write(data, promise: promise) }
            // An empty part is written as no byte, and completes the promise in order.
            if let promise { context.write(wrapOutboundOut(.body(ByteBuffer())), promise: promise) }
        }
    }
}
