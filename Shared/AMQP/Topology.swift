/// Exchanges, queues and bindings, declared each time a connection is opened. Declaring is idempotent; an existing
/// object with other properties is an error (`AMQPError.Code.preconditionFailed`).
public struct Topology: Sendable, Equatable {
    public var exchanges: [Exchange]
    public var queues: [Queue]
    public var bindings: [Binding]

    public init(exchanges: [Exchange] = [], queues: [Queue] = [], bindings: [Binding] = []) {
        self.exchanges = exchanges
        self.queues = queues
        self.bindings = bindings
    }

    /// The union of both, without duplicates.
    public func merging(_ other: Topology) -> Topology {
        var merged = self
        for exchange in other.exchanges where !exchanges.contains(exchange) { merged.exchanges.append(exchange) }
        for queue in other.queues where !queues.contains(queue) { merged.queues.append(queue) }
        for binding in other.bindings where !bindings.contains(binding) { merged.bindings.append(binding) }
        return merged
    }
}

public struct Exchange: Sendable, Hashable {
    public enum Kind: String, Sendable {
        case topic, direct, fanout, headers
    }

    public var name: String
    public var kind: Kind
    /// Whether it survives a restart of the broker.
    public var isDurable: Bool
    /// Whether it is deleted with its last binding.
    public var isAutoDelete: Bool
    /// Whether another service declares it. Then it is only looked up, and declared where it is missing and the user
    /// may. Otherwise a consumer waits for it: connecting is tried again until its owner has declared it. A publisher
    /// continues without it, so that a missing service does not prevent another from publishing.
    public var isForeign: Bool

    public init(
        _ name: String, _ kind: Kind, isDurable: Bool = true, isAutoDelete: Bool = false, isForeign: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.isDurable = isDurable
        self.isAutoDelete = isAutoDelete
        self.isForeign = isForeign
    }
}

/// From an exchange to a queue.
public struct Binding: Sendable, Hashable {
    public var queue: String
    public var exchange: String
    /// A pattern for a topic exchange, the key itself for a direct one, ignored by a fanout.
    public var routingKey: String

    public init(queue: String, exchange: String, routingKey: String = "") {
        self.queue = queue
        self.exchange = exchange
        self.routingKey = routingKey
    }
}

/// Where a queue sends what is rejected, expired, or was delivered too often.
public struct DeadLetter: Sendable, Hashable {
    /// Empty for the default exchange.
    public var exchange: String
    /// nil keeps the message's own.
    public var routingKey: String?
    /// For quorum queues: the message stays until the target has confirmed it. A full queue then refuses publishes
    /// instead of dropping its oldest message, as RabbitMQ requires.
    public var isAtLeastOnce: Bool

    public init(exchange: String, routingKey: String? = nil, isAtLeastOnce: Bool = true) {
        self.exchange = exchange
        self.routingKey = routingKey
        self.isAtLeastOnce = isAtLeastOnce
    }
}
