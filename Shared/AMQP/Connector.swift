import CRabbitMQ
import Glibc
import PollThread

/// Opens one connection: name resolution, TCP, TLS, login, channel, topology. All of this blocks, so it runs on a
/// thread of its own, which ends afterwards. Deadlines of callers that wait for the connection are kept in the
/// meantime.
actor Connector {
    /// The use of the channel.
    enum Purpose: Sendable {
        case publishing
        case consuming(queue: String, prefetch: Int)
    }

    /// One consumer for each channel, so any name will do.
    static let consumerTag = "consumer"

    private let thread = PollThread(name: "amqp-open")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    deinit { thread.stop() }

    func open(
        _ configuration: AMQPConfiguration, _ topology: Topology, _ purpose: Purpose, epoch: UInt64
    ) throws(AMQPError) -> sending BrokerConnection {
        try Opening(configuration: configuration, epoch: epoch).run(topology, purpose)
    }
}

/// The steps of opening a connection. Blocks, at most for the configured timeouts and the resolver's own.
private struct Opening {
    let configuration: AMQPConfiguration
    let epoch: UInt64

    func run(_ topology: Topology, _ purpose: Connector.Purpose) throws(AMQPError) -> BrokerConnection {
        let connection = try connect()
        let state = connection.state
        amqp_channel_open(state, 1)
        try check(state, "opening a channel")
        let missing = try declare(topology, connection)
        switch purpose {
        case .publishing:
            // A publisher does not wait for missing exchanges; a consumer does.
            amqp_confirm_select(state, 1)
            try check(state, "asking for confirms")
        case .consuming(let queue, let prefetch):
            guard missing.isEmpty else {
                let names = missing.joined(separator: ", ")
                throw AMQPError(.exchangeMissing, "not declared by their services yet: \(names)")
            }
            amqp_basic_qos(state, 1, 0, UInt16(clamping: prefetch), 0)
            try check(state, "setting the prefetch")
            try withScratch { scratch throws(AMQPError) in
                let tag = scratch.put(Connector.consumerTag)
                amqp_basic_consume(state, 1, scratch.put(queue), tag, 0, 0, 0, amqp_empty_table)
                try check(state, "consuming from \(queue)")
            }
        }
        // All this may have taken longer than two heartbeats, and was answered.
        connection.noteReceived(at: .now)
        return connection
    }

    // MARK: Connecting

    /// Tries the hosts in a random order, so that the clients of a node that has ended spread over the others.
    private func connect() throws(AMQPError) -> BrokerConnection {
        var failure = AMQPError(.misconfigured, "there is no host")
        for host in configuration.url.hosts.shuffled() {
            do throws(AMQPError) {
                return try connect(to: host)
            } catch {
                // Each node has the same users and permissions.
                if error.isFatalAtStart { throw error }
                failure = error
            }
        }
        throw failure
    }

    private func connect(to host: AMQPURL.Host) throws(AMQPError) -> BrokerConnection {
        guard let state = amqp_new_connection() else { throw AMQPError(.misconfigured, "librabbitmq is out of memory") }
        do throws(AMQPError) {
            // From here on the connection's deinit frees the state.
            return try connect(state, to: host)
        } catch {
            amqp_destroy_connection(state)
            throw error
        }
    }

    private func connect(
        _ state: amqp_connection_state_t, to host: AMQPURL.Host
    ) throws(AMQPError) -> BrokerConnection {
        var connectTimeout = timeval(configuration.hostTimeout)
        var requestTimeout = timeval(configuration.requestTimeout)
        amqp_set_handshake_timeout(state, &connectTimeout)
        amqp_set_rpc_timeout(state, &requestTimeout)
        let url = configuration.url
        let socket: OpaquePointer?
        if let tls = url.tls { socket = try tlsSocket(state, tls) } else { socket = amqp_tcp_socket_new(state) }
        guard let socket else { throw AMQPError(.misconfigured, "librabbitmq is out of memory") }
        let status = amqp_socket_open_noblock(socket, host.name, Int32(host.port), &connectTimeout)
        guard status == 0 else { throw openError(status) }
        prepare(amqp_get_sockfd(state))
        try login(state)
        let heartbeat = Int(amqp_get_heartbeat(state))
        // Switches librabbitmq's heartbeats off; ours go on.
        let tuned = amqp_tune_connection(state, amqp_get_channel_max(state), amqp_get_frame_max(state), 0)
        guard tuned == 0 else { throw AMQPError(status: tuned, while: "tuning") }
        return BrokerConnection(
            adopting: state, isTLS: url.tls != nil, heartbeatSeconds: heartbeat, epoch: epoch,
            bodyLimitBytes: configuration.bodyLimitBytes)
    }

    private func tlsSocket(_ state: amqp_connection_state_t, _ tls: AMQPURL.TLS) throws(AMQPError) -> OpaquePointer? {
        guard let socket = amqp_ssl_socket_new(state) else { return nil }
        amqp_ssl_socket_set_verify_peer(socket, tls.verifiesPeer ? 1 : 0)
        amqp_ssl_socket_set_verify_hostname(socket, tls.verifiesPeer ? 1 : 0)
        guard amqp_ssl_socket_set_ssl_versions(socket, AMQP_TLSv1_2, AMQP_TLSvLATEST) == 0,
            serai_amqp_require_tls13(socket) != 0
        else { throw AMQPError(.misconfigured, "this OpenSSL has no TLS 1.3") }
        if tls.verifiesPeer || tls.authorityFile != nil {
            let file = tls.authorityFile ?? "/etc/ssl/certs/ca-certificates.crt"
            guard amqp_ssl_socket_set_cacert(socket, file) == 0 else {
                throw AMQPError(.misconfigured, "no authority certificates can be read from \(file)")
            }
        }
        if let certificate = tls.certificateFile {
            guard amqp_ssl_socket_set_key(socket, certificate, tls.keyFile ?? certificate) == 0 else {
                throw AMQPError(.misconfigured, "no certificate and key can be read from \(certificate)")
            }
        }
        return socket
    }

    /// A refused certificate will be refused again; other errors may be temporary.
    private func openError(_ status: Int32) -> AMQPError {
        let error = AMQPError(status: status, while: "connecting")
        return error.code == .tlsFailed ? error : AMQPError(.unreachable, error.message)
    }

    /// TLS writes by librabbitmq, which waits without limit for a full socket. So the send buffer is large enough that
    /// a writable socket (Linux: a third of the buffer free) accepts a whole record. The kernel does not lower a fixed
    /// size later.
    private func prepare(_ descriptor: Int32) {
        guard configuration.url.tls != nil else { return }
        var bytes: Int32 = 256 << 10
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    private func login(_ state: amqp_connection_state_t) throws(AMQPError) {
        let url = configuration.url
        let capabilities = [
            "consumer_cancel_notify", "connection.blocked", "publisher_confirms", "basic.nack",
            "authentication_failure_close",
        ]
        var scratch = Scratch()
        scratch.reset(room: 1024 + configuration.connectionName.utf8.count)
        var flags = capabilities.map { tableEntry($0, .bool(true), &scratch) }
        let reply = flags.withUnsafeMutableBufferPointer { flags in
            var entries = [
                tableEntry("connection_name", .string(configuration.connectionName), &scratch),
                tableEntry("product", "serai", &scratch),
                amqp_table_entry_t(),
            ]
            entries[2].key = scratch.put("capabilities")
            entries[2].value.kind = UInt8(AMQP_FIELD_KIND_TABLE.rawValue)
            entries[2].value.value.table = amqp_table_t(num_entries: Int32(flags.count), entries: flags.baseAddress)
            return entries.withUnsafeMutableBufferPointer { entries in
                var properties = amqp_table_t(num_entries: Int32(entries.count), entries: entries.baseAddress)
                return serai_amqp_login(
                    state, url.virtualHost, 1, Int32(AMQPConfiguration.frameLimitBytes), Int32(url.heartbeatSeconds),
                    &properties, url.user, url.password)
            }
        }
        do {
            try check(reply, "logging in")
        } catch {
            throw loginError(error)
        }
    }

    /// With `authentication_failure_close`, a wrong password gives a `connection.close` 403 with this text.
    private func loginError(_ error: AMQPError) -> AMQPError {
        if error.replyCode == 403 && error.message.contains("Login was refused") {
            return AMQPError(.authenticationFailed, error.message, replyCode: 403)
        }
        if error.replyCode == 530 && error.message.contains("vhost") {
            return AMQPError(.misconfigured, error.message, replyCode: 530)
        }
        return error
    }

    // MARK: Declaring

    /// Declares our own objects first, so that two services that wait for each other's exchanges both get them.
    /// Bindings to existing exchanges are made even if others are missing.
    /// - Returns: the missing exchanges of other services.
    private func declare(_ topology: Topology, _ connection: BrokerConnection) throws(AMQPError) -> [String] {
        let state = connection.state
        for exchange in topology.exchanges where !exchange.isForeign { try declare(exchange, passive: false, state) }
        for queue in topology.queues { try declare(queue, state) }
        var missing: [String] = []
        for exchange in topology.exchanges where exchange.isForeign {
            if try !find(exchange, connection) { missing.append(exchange.name) }
        }
        for binding in topology.bindings where !missing.contains(binding.exchange) { try bind(binding, state) }
        return missing
    }

    /// - Returns: whether the exchange exists now.
    private func find(_ exchange: Exchange, _ connection: BrokerConnection) throws(AMQPError) -> Bool {
        for passive in [true, false] {
            do throws(AMQPError) {
                try declare(exchange, passive: passive, connection.state)
                return true
            } catch {
                guard error.code == (passive ? .notFound : .accessRefused) else { throw error }
                try reopenChannel(connection)
            }
        }
        return false
    }

    /// Reopens the channel, which the broker closed because of an error.
    private func reopenChannel(_ connection: BrokerConnection) throws(AMQPError) {
        try connection.writer.confirmChannelClose()
        // The socket is idle, so it accepts these few bytes at once.
        _ = try connection.flush()
        amqp_channel_open(connection.state, 1)
        try check(connection.state, "opening a channel again")
    }

    private func declare(
        _ exchange: Exchange, passive: Bool, _ state: amqp_connection_state_t
    ) throws(AMQPError) {
        try withScratch { scratch throws(AMQPError) in
            let name = scratch.put(exchange.name)
            amqp_exchange_declare(
                state, 1, name, scratch.put(exchange.kind.rawValue), passive ? 1 : 0, exchange.isDurable ? 1 : 0,
                exchange.isAutoDelete ? 1 : 0, 0, amqp_empty_table)
            try check(state, "declaring the exchange \(exchange.name)")
        }
    }

    private func declare(_ queue: Queue, _ state: amqp_connection_state_t) throws(AMQPError) {
        try withScratch { scratch throws(AMQPError) in
            let name = scratch.put(queue.name)
            var entries = queue.arguments.map { tableEntry($0.name, $0.value, &scratch) }
            entries.withUnsafeMutableBufferPointer { entries in
                let arguments = amqp_table_t(num_entries: Int32(entries.count), entries: entries.baseAddress)
                _ = amqp_queue_declare(
                    state, 1, name, 0, queue.isDurable ? 1 : 0, queue.isExclusive ? 1 : 0, queue.isAutoDelete ? 1 : 0,
                    arguments)
            }
            try check(state, "declaring the queue \(queue.name)")
        }
    }

    private func bind(_ binding: Binding, _ state: amqp_connection_state_t) throws(AMQPError) {
        try withScratch { scratch throws(AMQPError) in
            let (queue, exchange) = (scratch.put(binding.queue), scratch.put(binding.exchange))
            amqp_queue_bind(state, 1, queue, exchange, scratch.put(binding.routingKey), amqp_empty_table)
            try check(state, "binding the queue \(binding.queue) to \(binding.exchange)")
        }
    }

    private func withScratch(_ body: (inout Scratch) throws(AMQPError) -> Void) throws(AMQPError) {
        var scratch = Scratch()
        // Names have at most 255 bytes, and a declaration has only a few.
        scratch.reset(room: 8192)
        try body(&scratch)
    }

    // MARK: Replies

    private func check(_ state: amqp_connection_state_t, _ activity: String) throws(AMQPError) {
        try check(amqp_get_rpc_reply(state), activity)
    }

    private func check(_ reply: amqp_rpc_reply_t, _ activity: String) throws(AMQPError) {
        switch reply.reply_type {
        case AMQP_RESPONSE_NORMAL: return
        case AMQP_RESPONSE_SERVER_EXCEPTION:
            guard let decoded = reply.reply.decoded else { break }
            if reply.reply.id == AMQP_CONNECTION_CLOSE_METHOD {
                let close = decoded.assumingMemoryBound(to: amqp_connection_close_t.self).pointee
                throw AMQPError(closedWith: Int(close.reply_code), "\(activity): \(String(close.reply_text))")
            }
            if reply.reply.id == AMQP_CHANNEL_CLOSE_METHOD {
                let close = decoded.assumingMemoryBound(to: amqp_channel_close_t.self).pointee
                throw AMQPError(closedWith: Int(close.reply_code), "\(activity): \(String(close.reply_text))")
            }
        case AMQP_RESPONSE_LIBRARY_EXCEPTION: throw AMQPError(status: reply.library_error, while: activity)
        default: break
        }
        throw AMQPError(.connectionLost, "\(activity): the broker closed the connection")
    }
}

extension String {
    init(_ bytes: amqp_bytes_t) {
        self.init(decoding: UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.len), as: UTF8.self)
    }
}

extension timeval {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    }
}
