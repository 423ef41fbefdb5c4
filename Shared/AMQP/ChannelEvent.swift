import CRabbitMQ

/// An event on a channel, in Swift's own memory.
enum ChannelEvent {
    case delivery(Delivery)
    /// A delivery whose body exceeds the limit; its body was dropped.
    case tooLarge(number: UInt64, bytes: UInt64)
    case returned(ReturnedMessage)
    /// `basic.ack` and `basic.nack` to a publisher.
    case confirm(tag: UInt64, multiple: Bool, isAck: Bool)
    case blocked(reason: String)
    case unblocked
    /// The answer to our `connection.close`.
    case closed
}

extension BrokerConnection {
    /// The next available event; nil if there is none. Never waits.
    /// - Throws: when the broker closed the channel or the connection, after answering the close.
    func nextEvent() throws(AMQPError) -> ChannelEvent? {
        while let frame = try nextFrame() {
            switch Int32(frame.frame_type) {
            case AMQP_FRAME_METHOD:
                if let event = try event(of: frame.payload.method) { return event }
            case AMQP_FRAME_HEADER:
                let header = frame.payload.properties
                guard header.class_id == UInt16(AMQP_BASIC_CLASS), let decoded = header.decoded else { break }
                let properties = interner.properties(
                    decoded.assumingMemoryBound(to: amqp_basic_properties_t.self).pointee)
                if let event = try assembler.header(bodyBytes: header.body_size, properties: properties) {
                    return event
                }
            case AMQP_FRAME_BODY:
                let body = frame.payload.body_fragment
                let bytes = UnsafeRawBufferPointer(start: body.bytes, count: body.len)
                if let event = try assembler.fragment(bytes) { return event }
            default: break
            }
        }
        return nil
    }

    private func event(of method: amqp_method_t) throws(AMQPError) -> ChannelEvent? {
        guard let decoded = method.decoded else { return nil }
        switch method.id {
        case AMQP_BASIC_DELIVER_METHOD:
            let deliver = decoded.assumingMemoryBound(to: amqp_basic_deliver_t.self).pointee
            try assembler.begin(
                .delivery(
                    number: deliver.delivery_tag, exchange: interner.string(deliver.exchange),
                    routingKey: interner.string(deliver.routing_key), isRedelivered: deliver.redelivered != 0))
        case AMQP_BASIC_RETURN_METHOD:
            let returned = decoded.assumingMemoryBound(to: amqp_basic_return_t.self).pointee
            try assembler.begin(
                .returned(
                    code: Int(returned.reply_code), text: interner.string(returned.reply_text),
                    exchange: interner.string(returned.exchange), routingKey: interner.string(returned.routing_key)))
        case AMQP_BASIC_ACK_METHOD:
            let ack = decoded.assumingMemoryBound(to: amqp_basic_ack_t.self).pointee
            return .confirm(tag: ack.delivery_tag, multiple: ack.multiple != 0, isAck: true)
        case AMQP_BASIC_NACK_METHOD:
            let nack = decoded.assumingMemoryBound(to: amqp_basic_nack_t.self).pointee
            return .confirm(tag: nack.delivery_tag, multiple: nack.multiple != 0, isAck: false)
        case AMQP_CONNECTION_BLOCKED_METHOD:
            let blocked = decoded.assumingMemoryBound(to: amqp_connection_blocked_t.self).pointee
            return .blocked(reason: String(blocked.reason))
        case AMQP_CONNECTION_UNBLOCKED_METHOD: return .unblocked
        case AMQP_CONNECTION_CLOSE_OK_METHOD: return .closed
        case AMQP_BASIC_CANCEL_METHOD:
            throw AMQPError(.consumerCancelled, "the broker cancelled the consumer")
        case AMQP_CHANNEL_CLOSE_METHOD:
            let close = decoded.assumingMemoryBound(to: amqp_channel_close_t.self).pointee
            let error = AMQPError(closedWith: Int(close.reply_code), String(close.reply_text))
            try writer.confirmChannelClose()
            // Best effort: bytes that the socket does not accept at once are lost with the connection.
            _ = try flush()
            throw error
        case AMQP_CONNECTION_CLOSE_METHOD:
            let close = decoded.assumingMemoryBound(to: amqp_connection_close_t.self).pointee
            let error = AMQPError(closedWith: Int(close.reply_code), String(close.reply_text))
            try writer.confirmConnectionClose()
            _ = try flush()
            throw error
        default: break
        }
        return nil
    }
}

extension Interner {
    mutating func string(_ bytes: amqp_bytes_t) -> String {
        string(UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.len))
    }

    mutating func properties(_ basic: amqp_basic_properties_t) -> MessageProperties {
        var properties = MessageProperties()
        let flags = Int32(bitPattern: basic._flags)
        // Ids differ each time; the other strings repeat.
        if flags & AMQP_BASIC_MESSAGE_ID_FLAG != 0 { properties.messageID = String(basic.message_id) }
        if flags & AMQP_BASIC_CORRELATION_ID_FLAG != 0 { properties.correlationID = String(basic.correlation_id) }
        if flags & AMQP_BASIC_TYPE_FLAG != 0 { properties.type = string(basic.type) }
        if flags & AMQP_BASIC_APP_ID_FLAG != 0 { properties.appID = string(basic.app_id) }
        if flags & AMQP_BASIC_CONTENT_TYPE_FLAG != 0 { properties.contentType = string(basic.content_type) }
        if flags & AMQP_BASIC_TIMESTAMP_FLAG != 0 { properties.timestampSeconds = basic.timestamp }
        if flags & AMQP_BASIC_EXPIRATION_FLAG != 0 {
            properties.expiration = Int64(String(basic.expiration)).map { .milliseconds($0) }
        }
        guard flags & AMQP_BASIC_HEADERS_FLAG != 0, let entries = basic.headers.entries else { return properties }
        for entry in UnsafeBufferPointer(start: entries, count: Int(basic.headers.num_entries)) {
            if let value = HeaderValue(entry.value) { properties.headers[string(entry.key)] = value }
        }
        return properties
    }
}

extension HeaderValue {
    /// Nil for kinds that this type does not have.
    fileprivate init?(_ field: amqp_field_value_t) {
        switch amqp_field_value_kind_t(rawValue: UInt32(field.kind)) {
        case AMQP_FIELD_KIND_UTF8, AMQP_FIELD_KIND_BYTES: self = .string(String(field.value.bytes))
        case AMQP_FIELD_KIND_BOOLEAN: self = .bool(field.value.boolean != 0)
        case AMQP_FIELD_KIND_I64: self = .int(field.value.i64)
        case AMQP_FIELD_KIND_I32: self = .int(Int64(field.value.i32))
        case AMQP_FIELD_KIND_I16: self = .int(Int64(field.value.i16))
        case AMQP_FIELD_KIND_I8: self = .int(Int64(field.value.i8))
        case AMQP_FIELD_KIND_U8: self = .int(Int64(field.value.u8))
        case AMQP_FIELD_KIND_U16: self = .int(Int64(field.value.u16))
        case AMQP_FIELD_KIND_U32: self = .int(Int64(field.value.u32))
        case AMQP_FIELD_KIND_U64, AMQP_FIELD_KIND_TIMESTAMP: self = .int(Int64(clamping: field.value.u64))
        default: return nil
        }
    }
}
