import NIOCore
import NIOHTTPTypes

/// Ends requests whose head or body comes too slowly, so that a few clients cannot occupy all connections of the
/// process.
///
/// Nothing is scheduled for a request that arrives as a whole. Others are checked each second. A slow head closes the
/// connection; a slow body is an error for its reader (``SlowRequest``, a 408), or closes the connection when it has no
/// reader any more.
final class SlowRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    static let tick = TimeAmount.seconds(1)

    private var pace: RequestPace
    private var check: Scheduled<Void>?

    init(_ limits: PaceLimits) {
        pace = RequestPace(limits)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        // Before the parser, which passes nothing on while a head is incomplete.
        let observer = ByteObserver(
            onBytes: { [weak self] in self?.pace.received(at: .now) },
            onTurnEnd: { [weak self] in self?.watch(context) })
        do {
            try context.pipeline.syncOperations.addHandler(observer, position: .first)
        } catch {
            context.fireErrorCaught(error)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        check?.cancel()
        check = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        check?.cancel()
        check = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: pace.readHead()
        case .body(let bytes): pace.readBody(bytes: bytes.readableBytes)
        case .end: pace.readEnd()
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        pace.wants(at: .now)
        context.read()
    }

    private func watch(_ context: ChannelHandlerContext) {
        guard check == nil, pace.isUnderWay, context.channel.isActive else { return }
        let loop = context.eventLoop.assumeIsolatedUnsafeUnchecked()
        check = loop.scheduleTask(in: Self.tick) { [weak self] in
            guard let self else { return }
            self.check = nil
            guard context.channel.isActive else { return }
            if self.pace.isTooSlow(at: .now) { self.end(context) } else { self.watch(context) }
        }
    }

    private func end(_ context: ChannelHandlerContext) {
        let channel = context.channel
        context.fireErrorCaught(SlowRequest())
        // The answer is sent first, to a client that reads.
        context.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
    }
}

/// Observes when bytes come, before they are parsed.
private final class ByteObserver: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let onBytes: () -> Void
    private let onTurnEnd: () -> Void

    init(onBytes: @escaping () -> Void, onTurnEnd: @escaping () -> Void) {
        self.onBytes = onBytes
        self.onTurnEnd = onTurnEnd
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        onBytes()
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        onTurnEnd()
    }
}
