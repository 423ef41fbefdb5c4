/// A message taken off a queue through the management API.
public struct QueuedMessage: Decodable, Sendable {
    /// The body: as text if it is UTF-8, else in base 64.
    public let payload: String
    /// The exchange it was published to last; empty for the default exchange.
    public let exchange: String
    /// The routing key it was published with last.
    public let routingKey: String
    /// Whether it has been delivered before.
    public let redelivered: Bool
    /// The AMQP properties and headers.
    public let properties: MessageProperties

    private enum CodingKeys: String, CodingKey {
        case payload, exchange, redelivered, properties
        case routingKey = "routing_key"
    }
}

/// AMQP properties as the management API writes them.
public struct MessageProperties: Codable, Sendable {
    /// `message_id`.
    public var messageID: String?
    /// `type`.
    public var type: String?
    /// `correlation_id`.
    public var correlationID: String?
    /// `app_id`.
    public var appID: String?
    /// `content_type`.
    public var contentType: String?
    /// 2 is persistent.
    public var deliveryMode: Int?
    /// Seconds since 1970.
    public var timestamp: Int?
    /// The headers with text and whole numbers as values; others are left out when reading.
    public var headers: [String: String]

    /// Persistent, with nothing else set.
    public init(
        messageID: String? = nil, type: String? = nil, correlationID: String? = nil, appID: String? = nil,
        contentType: String? = nil, headers: [String: String] = [:]
    ) {
        self.messageID = messageID
        self.type = type
        self.correlationID = correlationID
        self.appID = appID
        self.contentType = contentType
        self.deliveryMode = 2
        self.headers = headers
    }

    private enum CodingKeys: String, CodingKey {
        case messageID = "message_id"
        case correlationID = "correlation_id"
        case appID = "app_id"
        case contentType = "content_type"
        case deliveryMode = "delivery_mode"
        case type, timestamp, headers
    }

    public init(from decoder: any Decoder) throws {
        self.init()
        deliveryMode = nil
        // A message without properties comes as an empty array.
        guard let container = try? decoder.container(keyedBy: CodingKeys.self) else { return }
        messageID = try container.decodeIfPresent(String.self, forKey: .messageID)
        type = try container.decodeIfPresent(String.self, forKey: .type)
        correlationID = try container.decodeIfPresent(String.self, forKey: .correlationID)
        appID = try container.decodeIfPresent(String.self, forKey: .appID)
        contentType = try container.decodeIfPresent(String.self, forKey: .contentType)
        deliveryMode = try container.decodeIfPresent(Int.self, forKey: .deliveryMode)
        timestamp = try container.decodeIfPresent(Int.self, forKey: .timestamp)
        let values = try container.decodeIfPresent([String: HeaderValue].self, forKey: .headers) ?? [:]
        headers = values.compactMapValues(\.text)
    }
}

private struct HeaderValue: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Tried in turn; a table or an array is neither.
        if let text = try? container.decode(String.self) {
            self.text = text
        } else if let number = try? container.decode(Int.self) {
            self.text = String(number)
        } else {
            self.text = nil
        }
    }
}
