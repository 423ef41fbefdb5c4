/// A header's value. Headers of other kinds (tables, arrays, floating point) are skipped when reading.
public enum HeaderValue: Sendable, Hashable {
    case string(String)
    case int(Int64)
    case bool(Bool)
}

extension HeaderValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

/// The properties of a message that this project uses; AMQP 0-9-1, class basic.
public struct MessageProperties: Sendable, Hashable {
    public var messageID: String?
    public var type: String?
    /// Whole seconds since 1970.
    public var timestampSeconds: UInt64?
    public var correlationID: String?
    public var appID: String?
    public var contentType: String?
    /// How long the message may wait in a queue; whole milliseconds.
    public var expiration: Duration?
    public var headers: [String: HeaderValue]

    public init(
        messageID: String? = nil, type: String? = nil, timestampSeconds: UInt64? = nil, correlationID: String? = nil,
        appID: String? = nil, contentType: String? = nil, expiration: Duration? = nil,
        headers: [String: HeaderValue] = [:]
    ) {
        self.messageID = messageID
        self.type = type
        self.timestampSeconds = timestampSeconds
        self.correlationID = correlationID
        self.appID = appID
        self.contentType = contentType
        self.expiration = expiration
        self.headers = headers
    }
}

extension Duration {
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
