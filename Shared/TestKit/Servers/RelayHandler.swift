import DequeModule
import Glibc
import NIOCore
import NIOPosix

/// Reads one side of a proxied connection and writes what it read to the other side. Both sides' handlers live on one
/// event loop and are touched there only.
///
/// Reading is by hand: a side is read only while the proxy forwards, the other side takes bytes and little is waiting.
final class RelayHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private enum Item {
        case bytes(ByteBuffer)
        /// This side has ended; the other is closed in its turn.
        case end
    }

    /// Forwarded in this order, each when due.
    private var waiting: Deque<(due: NIODeadline, item: Item)> = []
    private var waitingBytes = 0
    private let waitingBytesLimit = 1 << 20
    private var context: ChannelHandlerContext?
    private var readIsOwed = false
    private var wakeUp: Scheduled<Void>?
    private var started = false
    private(set) var other: RelayHandler?
    var faults = ProxyFaults()

    func pair(with other: RelayHandler) {
        self.other = other
        other.other = self
    }

    /// Both sides are connected.
    func start() {
        for side in [self, other] {
            side?.started = true
            side?.forward()
            side?.readMore()
        }
    }

    func follow(_ faults: ProxyFaults) {
        for side in [self, other] {
            side?.faults = faults
            side?.forward()
        }
    }

    func resetBoth() {
        let channels = [context?.channel, other?.context?.channel]
        for channel in channels.compactMap({ $0 }) { reset(channel) }
    }

    /// Closes with RST instead of FIN: that is what a zero linger time does.
    func reset(_ channel: any Channel) {
        // Done at once on the channel's own loop; it fails only on a socket that is closed already.
        _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        channel.close(promise: nil)
    }

    // MARK: Events of this side's channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        releaseIfEnded()
    }

    func channelActive(context: ChannelHandlerContext) {
        // A read that was asked for earlier is forgotten.
        readMore()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        waitingBytes += bytes.readableBytes
        waiting.append((.now() + faults.delay, .bytes(bytes)))
        forward()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        readMore()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        other?.forward()
    }

    func channelInactive(context: ChannelHandlerContext) {
        waiting.append((.now() + faults.delay, .end))
        forward()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    // MARK: Forwarding

    private func forward() {
        guard started, !faults.stalled, let target = other?.context?.channel else { return }
        let now = NIODeadline.now()
        while target.isWritable || isEnding, let first = waiting.first, first.due <= now {
            waiting.removeFirst()
            switch first.item {
            case .bytes(let bytes):
                waitingBytes -= bytes.readableBytes
                target.write(bytes, promise: nil)
                target.flush()
            case .end:
                target.close(promise: nil)
            }
        }
        wakeUp?.cancel()
        wakeUp = nil
        if let first = waiting.first, first.due > now {
            wakeUp = target.eventLoop.assumeIsolated().scheduleTask(deadline: first.due) { self.forward() }
        }
        if readIsOwed { readMore() }
    }

    private var isEnding: Bool {
        if case .end? = waiting.first?.item { true } else { false }
    }

    private func readMore() {
        let targetIsWritable = other?.context?.channel.isWritable ?? false
        guard started, !faults.stalled, targetIsWritable, waitingBytes < waitingBytesLimit else {
            readIsOwed = true
            return
        }
        readIsOwed = false
        context?.read()
    }

    /// The two handlers hold each other until both channels are gone.
    private func releaseIfEnded() {
        guard let other, other.context == nil else { return }
        other.other = nil
        self.other = nil
    }
}
