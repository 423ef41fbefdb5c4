/// Assembles the frames of one channel: a method, its header, and body fragments up to the announced size. Pure: no IO.
///
/// AMQP 0-9-1 specification, section 4.2.6 "Content Framing".
struct DeliveryAssembler {
    /// The method that announces a content.
    enum Announcement {
        /// `basic.deliver`
        case delivery(number: UInt64, exchange: String, routingKey: String, isRedelivered: Bool)
        /// `basic.return`
        case returned(code: Int, text: String, exchange: String, routingKey: String)
    }

    private enum State {
        case idle
        case announced(Announcement)
        case body(Announcement, MessageProperties, missing: Int)
    }

    let epoch: UInt64
    let bodyLimitBytes: Int
    private var state = State.idle
    private var body: [UInt8] = []
    private var bodyBytes: UInt64 = 0

    init(epoch: UInt64, bodyLimitBytes: Int) {
        self.epoch = epoch
        self.bodyLimitBytes = bodyLimitBytes
    }

    mutating func begin(_ announcement: Announcement) throws(AMQPError) {
        guard case .idle = state else { throw Self.outOfOrder("a new content before the last one's end") }
        state = .announced(announcement)
    }

    /// - Returns: the content, if it has no body.
    mutating func header(bodyBytes: UInt64, properties: MessageProperties) throws(AMQPError) -> ChannelEvent? {
        guard case .announced(let announcement) = state else { throw Self.outOfOrder("a header without a method") }
        guard let missing = Int(exactly: bodyBytes) else { throw Self.outOfOrder("a body over all sizes") }
        self.bodyBytes = bodyBytes
        body = []
        guard missing > 0 else { return finish(announcement, properties) }
        state = .body(announcement, properties, missing: missing)
        return nil
    }

    /// - Returns: the content, if this was its last fragment.
    mutating func fragment(_ bytes: UnsafeRawBufferPointer) throws(AMQPError) -> ChannelEvent? {
        guard case .body(let announcement, let properties, let missing) = state else {
            throw Self.outOfOrder("a body without a header")
        }
        guard bytes.count <= missing else { throw Self.outOfOrder("a body longer than announced") }
        if keepsBody(of: announcement) {
            if body.isEmpty { body.reserveCapacity(Int(bodyBytes)) }
            body.append(contentsOf: bytes)
        }
        guard bytes.count == missing else {
            state = .body(announcement, properties, missing: missing - bytes.count)
            return nil
        }
        return finish(announcement, properties)
    }

    private static func outOfOrder(_ text: String) -> AMQPError { AMQPError(.protocolError, text) }

    /// A returned message is identified by its properties; the publisher still has the body.
    private func keepsBody(of announcement: Announcement) -> Bool {
        if case .delivery = announcement { bodyBytes <= UInt64(bodyLimitBytes) } else { false }
    }

    private mutating func finish(_ announcement: Announcement, _ properties: MessageProperties) -> ChannelEvent {
        state = .idle
        switch announcement {
        case .delivery(let number, let exchange, let routingKey, let isRedelivered):
            if bodyBytes > UInt64(bodyLimitBytes) { return .tooLarge(number: number, bytes: bodyBytes) }
            let whole = body
            body = []
            return .delivery(
                Delivery(
                    tag: DeliveryTag(epoch: epoch, number: number), exchange: exchange, routingKey: routingKey,
                    isRedelivered: isRedelivered, properties: properties, body: whole))
        case .returned(let code, let text, let exchange, let routingKey):
            return .returned(
                ReturnedMessage(
                    code: code, text: text, exchange: exchange, routingKey: routingKey, messageID: properties.messageID)
            )
        }
    }
}

/// The data that identify a returned message.
struct ReturnedMessage: Equatable {
    let code: Int
    let text: String
    let exchange: String
    let routingKey: String
    let messageID: String?
}
