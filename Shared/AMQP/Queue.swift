/// A queue with its arguments. Names and values of the arguments: https://www.rabbitmq.com/docs/3.10/quorum-queues
public struct Queue: Sendable, Hashable {
    public enum Overflow: String, Sendable {
        case dropHead = "drop-head"
        case rejectPublish = "reject-publish"
    }

    public var name: String
    public var isQuorum: Bool
    /// Whether it survives a restart of the broker.
    public var isDurable: Bool
    /// Whether only the declaring connection may use it; it is deleted with the connection.
    public var isExclusive: Bool
    /// Whether it is deleted with its last consumer.
    public var isAutoDelete: Bool
    /// For quorum queues: a message is dead-lettered after this many failed deliveries. RabbitMQ 3.10 has no default
    /// limit.
    public var deliveryLimit: Int?
    public var deadLetter: DeadLetter?
    /// How long a message may stay; whole milliseconds.
    public var messageTTL: Duration?
    /// In messages.
    public var maxLength: Int?
    /// The policy when `maxLength` is reached; RabbitMQ drops the oldest message by default.
    public var overflow: Overflow?

    /// A replicated, durable queue.
    public static func quorum(
        _ name: String, deliveryLimit: Int? = nil, deadLetter: DeadLetter? = nil, messageTTL: Duration? = nil,
        maxLength: Int? = nil, overflow: Overflow? = nil
    ) -> Queue {
        Queue(
            name: name, isQuorum: true, isDurable: true, isExclusive: false, isAutoDelete: false,
            deliveryLimit: deliveryLimit, deadLetter: deadLetter, messageTTL: messageTTL, maxLength: maxLength,
            overflow: overflow)
    }

    public static func classic(
        _ name: String, isDurable: Bool = true, isExclusive: Bool = false, isAutoDelete: Bool = false,
        messageTTL: Duration? = nil, maxLength: Int? = nil, overflow: Overflow? = nil, deadLetter: DeadLetter? = nil
    ) -> Queue {
        Queue(
            name: name, isQuorum: false, isDurable: isDurable, isExclusive: isExclusive, isAutoDelete: isAutoDelete,
            deliveryLimit: nil, deadLetter: deadLetter, messageTTL: messageTTL, maxLength: maxLength, overflow: overflow
        )
    }

    /// A queue for data that is only useful now: in memory, for this connection alone, and deleted with it. The name
    /// must be unique to this process.
    /// - Parameter maxLength: when it is reached, the oldest messages are dropped.
    public static func transient(_ name: String, maxLength: Int? = nil) -> Queue {
        .classic(
            name, isDurable: false, isExclusive: true, isAutoDelete: true, maxLength: maxLength,
            overflow: maxLength == nil ? nil : .dropHead)
    }

    /// The arguments of the declaration, by RabbitMQ's names.
    var arguments: [(name: String, value: HeaderValue)] {
        var arguments: [(name: String, value: HeaderValue)] = []
        if isQuorum { arguments.append(("x-queue-type", "quorum")) }
        if let deliveryLimit { arguments.append(("x-delivery-limit", .int(Int64(deliveryLimit)))) }
        var overflow = overflow
        if let deadLetter {
            arguments.append(("x-dead-letter-exchange", .string(deadLetter.exchange)))
            if let key = deadLetter.routingKey { arguments.append(("x-dead-letter-routing-key", .string(key))) }
            if deadLetter.isAtLeastOnce && isQuorum {
                arguments.append(("x-dead-letter-strategy", "at-least-once"))
                overflow = .rejectPublish
            }
        }
        if let messageTTL { arguments.append(("x-message-ttl", .int(messageTTL.wholeMilliseconds))) }
        if let maxLength { arguments.append(("x-max-length", .int(Int64(maxLength)))) }
        if let overflow { arguments.append(("x-overflow", .string(overflow.rawValue))) }
        return arguments
    }
}
