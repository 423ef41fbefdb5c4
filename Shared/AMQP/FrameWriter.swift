import CRabbitMQ
import Glibc

/// Encodes frames into one buffer, so that many messages go out with one system call.
///
/// librabbitmq encodes methods and properties; only the envelope of a frame is written here: type, channel, size,
/// payload, end byte (AMQP 0-9-1 specification, section 4.2.3). `amqp_basic_publish` needs three system calls for a
/// message, and may wait for the socket without limit in each.
struct FrameWriter: ~Copyable {
    var output = OutputBuffer()
    /// The largest frame, including its envelope.
    let frameLimit: Int
    /// The largest fragment of a body.
    private let fragmentLimit: Int
    private var scratch = Scratch()
    private var entries: [amqp_table_entry_t] = []

    private static let tooLarge = AMQPError(.protocolError, "a method or properties that fit into no frame")
    private static let headBytes = 7
    private static let envelopeBytes = 8
    private static let channel: UInt16 = 1

    init(frameLimit: Int, fragmentLimit: Int) {
        self.frameLimit = frameLimit
        self.fragmentLimit = min(fragmentLimit, frameLimit - Self.envelopeBytes)
    }

    // MARK: Methods

    mutating func publish(_ message: OutboundMessage) throws(AMQPError) {
        // A message that turns out not to fit must leave nothing in the buffer.
        let before = output.count
        do {
            scratch.reset(room: message.exchange.utf8.count + message.routingKey.utf8.count)
            var method = amqp_basic_publish_t()
            method.exchange = scratch.put(message.exchange)
            method.routing_key = scratch.put(message.routingKey)
            method.mandatory = message.isMandatory ? 1 : 0
            try self.method(AMQP_BASIC_PUBLISH_METHOD, &method)
            try header(message)
        } catch {
            output.truncate(to: before)
            throw error
        }
        message.body.withUnsafeBytes { body($0) }
    }

    mutating func ack(_ tag: UInt64, multiple: Bool) throws(AMQPError) {
        var method = amqp_basic_ack_t(delivery_tag: tag, multiple: multiple ? 1 : 0)
        try self.method(AMQP_BASIC_ACK_METHOD, &method)
    }

    mutating func reject(_ tag: UInt64, requeue: Bool) throws(AMQPError) {
        var method = amqp_basic_reject_t(delivery_tag: tag, requeue: requeue ? 1 : 0)
        try self.method(AMQP_BASIC_REJECT_METHOD, &method)
    }

    /// Asks the broker to stop delivering, without an answer.
    mutating func cancelConsumer(_ consumerTag: String) throws(AMQPError) {
        scratch.reset(room: consumerTag.utf8.count)
        var method = amqp_basic_cancel_t(consumer_tag: scratch.put(consumerTag), nowait: 1)
        try self.method(AMQP_BASIC_CANCEL_METHOD, &method)
    }

    mutating func closeConnection(_ text: String) throws(AMQPError) {
        scratch.reset(room: text.utf8.count)
        var method = amqp_connection_close_t()
        method.reply_code = UInt16(AMQP_REPLY_SUCCESS)
        method.reply_text = scratch.put(text)
        try self.method(AMQP_CONNECTION_CLOSE_METHOD, &method, channel: 0)
    }

    mutating func confirmConnectionClose() throws(AMQPError) {
        var method = amqp_connection_close_ok_t()
        try self.method(AMQP_CONNECTION_CLOSE_OK_METHOD, &method, channel: 0)
    }

    mutating func confirmChannelClose() throws(AMQPError) {
        var method = amqp_channel_close_ok_t()
        try self.method(AMQP_CHANNEL_CLOSE_OK_METHOD, &method)
    }

    mutating func heartbeat() {
        begin(UInt8(AMQP_FRAME_HEARTBEAT), channel: 0, room: 0)
        end(payloadBytes: 0)
    }

    // MARK: Frames

    private mutating func method<Method>(
        _ id: amqp_method_number_t, _ method: inout Method, channel: UInt16 = Self.channel
    ) throws(AMQPError) {
        // At most two names of at most 255 bytes.
        let room = 1024
        let payload = begin(UInt8(AMQP_FRAME_METHOD), channel: channel, room: room)
        payload.storeBytes(of: UInt32(id).bigEndian, as: UInt32.self)
        let encoded = withUnsafeMutablePointer(to: &method) {
            amqp_encode_method(id, $0, amqp_bytes_t(len: room - 4, bytes: payload + 4))
        }
        guard encoded >= 0 else { throw Self.tooLarge }
        end(payloadBytes: 4 + Int(encoded))
    }

    private mutating func header(_ message: OutboundMessage) throws(AMQPError) {
        let (bytes, headerBytes) = Self.propertyBytes(message.properties)
        scratch.reset(room: bytes)
        var properties = basicProperties(message)
        // Flags, delivery mode, timestamp, and the length and kind of each value.
        let room = bytes + headerBytes + 128
        let payload = begin(UInt8(AMQP_FRAME_HEADER), channel: Self.channel, room: room)
        payload.storeBytes(of: UInt16(AMQP_BASIC_CLASS).bigEndian, as: UInt16.self)
        payload.storeBytes(of: 0, toByteOffset: 2, as: UInt16.self)
        payload.storeBytes(of: UInt64(message.body.count).bigEndian, toByteOffset: 4, as: UInt64.self)
        let encoded = entries.withUnsafeMutableBufferPointer { entries in
            properties.headers = amqp_table_t(num_entries: Int32(entries.count), entries: entries.baseAddress)
            return amqp_encode_properties(
                UInt16(AMQP_BASIC_CLASS), &properties, amqp_bytes_t(len: room - 12, bytes: payload + 12))
        }
        guard encoded >= 0, 12 + Int(encoded) + Self.envelopeBytes <= frameLimit else { throw Self.tooLarge }
        end(payloadBytes: 12 + Int(encoded))
    }

    private mutating func body(_ body: UnsafeRawBufferPointer) {
        var rest = body
        while !rest.isEmpty {
            let count = min(rest.count, fragmentLimit)
            let payload = begin(UInt8(AMQP_FRAME_BODY), channel: Self.channel, room: count)
            payload.copyMemory(from: rest.baseAddress!, byteCount: count)
            end(payloadBytes: count)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Writes type and channel. Returns the address of the payload.
    @discardableResult
    private mutating func begin(_ type: UInt8, channel: UInt16, room: Int) -> UnsafeMutableRawPointer {
        let frame = output.room(for: room + Self.envelopeBytes)
        frame.storeBytes(of: type, as: UInt8.self)
        frame.storeBytes(of: channel.bigEndian, toByteOffset: 1, as: UInt16.self)
        return frame + Self.headBytes
    }

    private mutating func end(payloadBytes: Int) {
        let frame = output.room(for: payloadBytes + Self.envelopeBytes)
        frame.storeBytes(of: UInt32(payloadBytes).bigEndian, toByteOffset: 3, as: UInt32.self)
        frame.storeBytes(of: UInt8(AMQP_FRAME_END), toByteOffset: Self.headBytes + payloadBytes, as: UInt8.self)
        output.commit(payloadBytes + Self.envelopeBytes)
    }

    // MARK: Properties

    private static func propertyBytes(_ properties: MessageProperties) -> (strings: Int, headers: Int) {
        var bytes = 24  // of the expiration's digits
        bytes += properties.messageID?.utf8.count ?? 0
        bytes += properties.type?.utf8.count ?? 0
        bytes += properties.correlationID?.utf8.count ?? 0
        bytes += properties.appID?.utf8.count ?? 0
        bytes += properties.contentType?.utf8.count ?? 0
        for (key, value) in properties.headers {
            bytes += key.utf8.count
            if case .string(let text) = value { bytes += text.utf8.count }
        }
        return (bytes, properties.headers.count * 16)
    }

    /// Encodes the properties, with the headers in `entries`.
    private mutating func basicProperties(_ message: OutboundMessage) -> amqp_basic_properties_t {
        let properties = message.properties
        var basic = amqp_basic_properties_t()
        basic.delivery_mode = message.isPersistent ? 2 : 1
        var flags = AMQP_BASIC_DELIVERY_MODE_FLAG
        if let text = properties.contentType {
            flags |= AMQP_BASIC_CONTENT_TYPE_FLAG
            basic.content_type = scratch.put(text)
        }
        if let text = properties.correlationID {
            flags |= AMQP_BASIC_CORRELATION_ID_FLAG
            basic.correlation_id = scratch.put(text)
        }
        if let expiration = properties.expiration {
            flags |= AMQP_BASIC_EXPIRATION_FLAG
            basic.expiration = scratch.put(String(expiration.wholeMilliseconds))
        }
        if let text = properties.messageID {
            flags |= AMQP_BASIC_MESSAGE_ID_FLAG
            basic.message_id = scratch.put(text)
        }
        if let seconds = properties.timestampSeconds {
            flags |= AMQP_BASIC_TIMESTAMP_FLAG
            basic.timestamp = seconds
        }
        if let text = properties.type {
            flags |= AMQP_BASIC_TYPE_FLAG
            basic.type = scratch.put(text)
        }
        if let text = properties.appID {
            flags |= AMQP_BASIC_APP_ID_FLAG
            basic.app_id = scratch.put(text)
        }
        entries.removeAll(keepingCapacity: true)
        if !properties.headers.isEmpty {
            flags |= AMQP_BASIC_HEADERS_FLAG
            for (key, value) in properties.headers { entries.append(tableEntry(key, value, &scratch)) }
        }
        basic._flags = amqp_flags_t(flags)
        return basic
    }
}

/// A table entry whose strings live in `scratch`.
func tableEntry(_ key: String, _ value: HeaderValue, _ scratch: inout Scratch) -> amqp_table_entry_t {
    var entry = amqp_table_entry_t()
    entry.key = scratch.put(key)
    switch value {
    case .string(let text):
        entry.value.kind = UInt8(AMQP_FIELD_KIND_UTF8.rawValue)
        entry.value.value.bytes = scratch.put(text)
    case .int(let number):
        entry.value.kind = UInt8(AMQP_FIELD_KIND_I64.rawValue)
        entry.value.value.i64 = number
    case .bool(let flag):
        entry.value.kind = UInt8(AMQP_FIELD_KIND_BOOLEAN.rawValue)
        entry.value.value.boolean = flag ? 1 : 0
    }
    return entry
}

/// Memory for the C strings of one call; reused by the next.
struct Scratch: ~Copyable {
    private var base = UnsafeMutableRawPointer.allocate(byteCount: 1024, alignment: 1)
    private var capacity = 1024
    private var used = 0

    deinit { base.deallocate() }

    /// Drops the strings, and makes room for this many bytes.
    mutating func reset(room: Int) {
        used = 0
        guard room > capacity else { return }
        base.deallocate()
        base = .allocate(byteCount: room, alignment: 1)
        capacity = room
    }

    /// Valid until the next `reset`, which must have requested enough room.
    mutating func put(_ text: String) -> amqp_bytes_t {
        var text = text
        let destination = base + used
        let count = text.withUTF8 { bytes in
            precondition(bytes.count <= capacity - used, "too little room was asked for")
            if let start = bytes.baseAddress { destination.copyMemory(from: start, byteCount: bytes.count) }
            return bytes.count
        }
        used += count
        return amqp_bytes_t(len: count, bytes: destination)
    }
}
