import CRabbitMQ
import Glibc
import PollThread

/// One connection with its one channel, from login to its end. Never reused.
///
/// Not Sendable: it lives in the state of one actor, so only one thread uses librabbitmq's handle. Once the connection
/// is open, nothing here waits: the owner waits for the descriptor.
///
/// librabbitmq's own heartbeats are off, because it could write one into the middle of a frame that the socket has
/// taken only half of; ``checkHeartbeat(now:)`` sends them instead.
final class BrokerConnection {
    let state: amqp_connection_state_t
    let descriptor: Int32
    /// As agreed with the broker; nil if off.
    let heartbeat: Duration?
    let openedAt = ContinuousClock.now
    private let isTLS: Bool

    private static let sendFlags = Int32(Int(MSG_NOSIGNAL) | Int(MSG_DONTWAIT))

    var writer: FrameWriter
    var assembler: DeliveryAssembler
    var interner = Interner()
    private var pool = amqp_pool_t()
    private var framesSinceRelease = 0
    private var lastSent: ContinuousClock.Instant
    private var lastReceived: ContinuousClock.Instant

    /// Takes over an open connection and its memory.
    init(
        adopting state: amqp_connection_state_t, isTLS: Bool, heartbeatSeconds: Int, epoch: UInt64, bodyLimitBytes: Int
    ) {
        self.state = state
        self.isTLS = isTLS
        descriptor = amqp_get_sockfd(state)
        heartbeat = heartbeatSeconds > 0 ? .seconds(heartbeatSeconds) : nil
        // A TLS record holds 16 KB; a writable socket always has room for one (see `openTLS`).
        writer = FrameWriter(
            frameLimit: Int(amqp_get_frame_max(state)), fragmentLimit: isTLS ? 16_000 : .max)
        assembler = DeliveryAssembler(epoch: epoch, bodyLimitBytes: bodyLimitBytes)
        lastSent = openedAt
        lastReceived = openedAt
        init_amqp_pool(&pool, 4096)
    }

    deinit {
        empty_amqp_pool(&pool)
        amqp_destroy_connection(state)
    }

    /// Ends the connection without closing its descriptor: a task that waits to read sees the end at once.
    func interrupt() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    // MARK: Writing

    /// Writes as much as the socket accepts. Never waits.
    /// - Returns: whether everything was written.
    func flush() throws(AMQPError) -> Bool {
        if writer.output.count == 0 { return true }
        let isDone = isTLS ? try flushFrames() : try flushBytes()
        lastSent = .now
        return isDone
    }

    private func flushBytes() throws(AMQPError) -> Bool {
        while writer.output.count > 0 {
            let unsent = writer.output.unsent
            let sent = send(descriptor, unsent.baseAddress, unsent.count, Self.sendFlags)
            if sent >= 0 {
                writer.output.consume(sent)
            } else if errno == EAGAIN {
                return false
            } else if errno != EINTR {
                throw AMQPError(.connectionLost, "cannot write: \(String(cString: strerror(errno)))")
            }
        }
        return true
    }

    /// Writes by librabbitmq's TLS, which takes whole frames in decoded form.
    private func flushFrames() throws(AMQPError) -> Bool {
        defer { recycle_amqp_pool(&pool) }
        while writer.output.count > 0 {
            var socket = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&socket, 1, 0) == 1 else { return false }
            let bytes = writer.output.unsent
            let size = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 3, as: UInt32.self)))
            var frame = amqp_frame_t()
            frame.frame_type = bytes[0]
            frame.channel = UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt16.self))
            var status = decode(UnsafeRawBufferPointer(rebasing: bytes[7..<7 + size]), into: &frame)
            if status == 0 { status = amqp_send_frame(state, &frame) }
            guard status == 0 else { throw AMQPError(status: status, while: "writing") }
            writer.output.consume(size + 8)
        }
        return true
    }

    private func decode(_ payload: UnsafeRawBufferPointer, into frame: inout amqp_frame_t) -> Int32 {
        let start = UnsafeMutableRawPointer(mutating: payload.baseAddress)
        switch Int32(frame.frame_type) {
        case AMQP_FRAME_METHOD:
            frame.payload.method.id = UInt32(bigEndian: payload.loadUnaligned(as: UInt32.self))
            let arguments = amqp_bytes_t(len: payload.count - 4, bytes: start.map { $0 + 4 })
            return amqp_decode_method(frame.payload.method.id, &pool, arguments, &frame.payload.method.decoded)
        case AMQP_FRAME_HEADER:
            frame.payload.properties.class_id = UInt16(AMQP_BASIC_CLASS)
            frame.payload.properties.body_size = UInt64(
                bigEndian: payload.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
            let properties = amqp_bytes_t(len: payload.count - 12, bytes: start.map { $0 + 12 })
            return amqp_decode_properties(
                UInt16(AMQP_BASIC_CLASS), &pool, properties, &frame.payload.properties.decoded)
        case AMQP_FRAME_BODY:
            frame.payload.body_fragment = amqp_bytes_t(len: payload.count, bytes: start)
            return 0
        default:
            return 0
        }
    }

    // MARK: Reading

    /// The next complete frame, without waiting. Its memory is valid until the next call.
    func nextFrame() throws(AMQPError) -> amqp_frame_t? {
        // Between two frames nothing of the previous ones is needed. Not after each, because this walks librabbitmq's
        // queue.
        if framesSinceRelease >= 64 {
            framesSinceRelease = 0
            amqp_maybe_release_buffers_on_channel(state, 1)
        }
        var frame = amqp_frame_t()
        var now = timeval(tv_sec: 0, tv_usec: 0)
        let status = amqp_simple_wait_frame_noblock(state, &frame, &now)
        if status == AMQP_STATUS_OK.rawValue {
            framesSinceRelease += 1
            return frame
        }
        guard status == AMQP_STATUS_TIMEOUT.rawValue else { throw AMQPError(status: status, while: "reading") }
        return nil
    }

    /// Whether a frame may be available without reading the socket again. With TLS this is unknown, so true.
    var mayHoldFrames: Bool { isTLS || amqp_data_in_buffer(state) != 0 || amqp_frames_enqueued(state) != 0 }

    // MARK: Heartbeats

    /// Records that the socket had data. librabbitmq does not pass heartbeat frames on.
    func noteReceived(at now: ContinuousClock.Instant) { lastReceived = now }

    /// When to call ``checkHeartbeat(now:)`` next.
    var nextHeartbeatCheck: ContinuousClock.Instant? {
        heartbeat.map { min(lastSent + $0 / 2, lastReceived + $0 * 2) }
    }

    /// Sends a heartbeat if half the interval passed without a write, and fails if nothing came for two intervals. AMQP
    /// 0-9-1 specification, section 4.2.7.
    func checkHeartbeat(now: ContinuousClock.Instant) throws(AMQPError) {
        guard let heartbeat else { return }
        if now >= lastReceived + heartbeat * 2 {
            throw AMQPError(.connectionLost, "nothing from the broker for two heartbeats, \(heartbeat * 2)")
        }
        guard now >= lastSent + heartbeat / 2 else { return }
        lastSent = now
        // Bytes that already wait for the socket replace a heartbeat.
        guard writer.output.count == 0 else { return }
        writer.heartbeat()
        _ = try flush()
    }
}

extension AMQPError {
    /// The error for a status of librabbitmq.
    init(status: Int32, while activity: String) {
        let code: AMQPError.Code =
            switch amqp_status_enum(rawValue: status) {
            case AMQP_STATUS_TIMEOUT: .timedOut
            case AMQP_STATUS_HOSTNAME_RESOLUTION_FAILED: .unreachable
            case AMQP_STATUS_SSL_HOSTNAME_VERIFY_FAILED, AMQP_STATUS_SSL_PEER_VERIFY_FAILED: .tlsFailed
            case AMQP_STATUS_BAD_AMQP_DATA, AMQP_STATUS_UNKNOWN_CLASS, AMQP_STATUS_UNKNOWN_METHOD,
                AMQP_STATUS_WRONG_METHOD, AMQP_STATUS_INCOMPATIBLE_AMQP_VERSION, AMQP_STATUS_UNEXPECTED_STATE:
                .protocolError
            default: .connectionLost
            }
        self.init(code, "\(activity): \(String(cString: amqp_error_string2(status)))")
    }
}
