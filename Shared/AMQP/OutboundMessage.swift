/// A message to publish.
public struct OutboundMessage: Sendable {
    /// Empty for the default exchange, where the routing key is a queue's name.
    public var exchange: String
    public var routingKey: String
    public var body: [UInt8]
    /// The `messageID` should be unique among the messages in flight: the broker's return of an unroutable message is
    /// matched by it. Without one, the oldest message in flight with the same exchange and routing key is taken.
    public var properties: MessageProperties
    /// Whether a message that no queue takes is an error. If false, it is confirmed and dropped.
    public var isMandatory: Bool
    /// Whether durable queues write it to disk.
    public var isPersistent: Bool

    public init(
        exchange: String, routingKey: String, body: [UInt8], properties: MessageProperties = .init(),
        isMandatory: Bool = true, isPersistent: Bool = true
    ) {
        self.exchange = exchange
        self.routingKey = routingKey
        self.body = body
        self.properties = properties
        self.isMandatory = isMandatory
        self.isPersistent = isPersistent
    }

    /// All properties go into one frame; this leaves room within the usual frame size of brokers.
    static let headersLimitBytes = 65_536

    /// Why the message cannot be published at all; nil if it can.
    func fault(bodyLimitBytes: Int) -> PublishError? {
        if body.count > bodyLimitBytes { return .tooLarge(bytes: body.count, limitBytes: bodyLimitBytes) }
        if exchange.utf8.count > 255 { return .invalid(reason: "the exchange's name is over 255 bytes") }
        if routingKey.utf8.count > 255 { return .invalid(reason: "the routing key is over 255 bytes") }
        // One after the other: an array would be the only allocation in this check of every message.
        func isLong(_ name: String?) -> Bool { (name?.utf8.count ?? 0) > 255 }
        if isLong(properties.messageID) || isLong(properties.type) || isLong(properties.correlationID)
            || isLong(properties.appID) || isLong(properties.contentType)
        {
            return .invalid(reason: "a property is over 255 bytes")
        }
        if let expiration = properties.expiration, expiration < .zero { return .invalid(reason: "negative expiration") }
        guard !properties.headers.isEmpty else { return nil }
        var bytes = 0
        for (key, value) in properties.headers {
            if key.utf8.count > 255 { return .invalid(reason: "a header's name is over 255 bytes") }
            bytes += key.utf8.count + 16
            if case .string(let text) = value { bytes += text.utf8.count }
        }
        return bytes > Self.headersLimitBytes
            ? .invalid(reason: "the headers are over \(Self.headersLimitBytes) bytes") : nil
    }
}
