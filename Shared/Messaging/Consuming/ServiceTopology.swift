public import AMQP

/// The objects that a service declares on the broker: exchanges to publish to, queues to consume, and queues for failed
/// messages.
///
/// ```
/// others' exchanges ──► <service>.events    ┐            ┌► <queue>.retry.1 … n, <queue>.parked ──(after its delay)──► back
/// <service>.commands ─► <service>.commands  ┘─ failed ──►┤
///                                                        ├► <queue>.dead
///                                                        └► <service>.dead, by the broker itself
/// ```
/// The arguments of an existing queue cannot be changed. Later additions to a queue are therefore made by a policy of
/// the broker (deploy/rabbitmq/policies), or by another queue.
public struct ServiceTopology: Sendable {
    /// The service's name. Only the service publishes to its exchange for failed messages.
    public let service: String
    /// The waits before the second, third, … handling of a failed message; the last delay repeats.
    public let retryDelays: [Duration]
    /// The broker's limit of deliveries of a message. The runner counts failures of handlers; this limit is for
    /// messages that kill their process. It is high, because a killed process counts against every message that it
    /// held.
    public let deliveryLimit: Int
    /// The wait of a message with an unknown name after it has waited each of ``retryDelays``.
    public let parkedDelay: Duration
    /// How long a dead letter is kept. Together with the time before (``ConsumerRunner/Configuration/unknownPatience``)
    /// this is within the month in which a deleted account's data has to be gone.
    public let deadTime: Duration
    /// The most dead letters of a queue; the oldest are dropped.
    public let deadLimit: Int

    public init(
        service: String, retryDelays: [Duration] = [.seconds(1), .seconds(10), .seconds(60)], deliveryLimit: Int = 20,
        parkedDelay: Duration = .seconds(600), deadTime: Duration = .seconds(14 * 24 * 3600),
        deadLimit: Int = 100_000
    ) {
        precondition(!retryDelays.isEmpty, "without a delay a message would fail as fast as it can be delivered")
        self.service = service
        self.retryDelays = retryDelays
        self.deliveryLimit = deliveryLimit
        self.parkedDelay = parkedDelay
        self.deadTime = deadTime
        self.deadLimit = deadLimit
    }

    public var eventsQueue: String { "\(service).events" }
    public var commandsQueue: String { "\(service).commands" }
    /// The queue in which the broker puts messages that were delivered too often, from all of the service's queues.
    public var deadQueue: String { "\(service).dead" }
    /// The queue in which a queue's runner puts messages that it gives up.
    public static func deadQueue(of queue: String) -> String { "\(queue).dead" }
    static func parkedQueue(of queue: String) -> String { "\(queue).parked" }
    var failureExchange: String { "\(service).failed" }

    /// The queue for a message that has waited this often without being at fault.
    /// - Parameter isUnknown: whether the name is unknown, which may last for long.
    func delayQueue(_ queue: String, delays: Int, isUnknown: Bool) -> String {
        isUnknown && delays >= retryDelays.count
            ? Self.parkedQueue(of: queue) : retryQueue(queue, failedAttempts: delays + 1)
    }

    func retryQueue(_ queue: String, failedAttempts: Int) -> String {
        "\(queue).retry.\(min(max(failedAttempts, 1), retryDelays.count))"
    }

    /// The exchanges of the service, declared by every process that publishes.
    public var exchanges: Topology {
        Topology(exchanges: [Exchange(service, .topic), Exchange("\(service).commands", .direct)])
    }

    /// The topology of a service that sends commands: the receivers' command exchanges. Commands to an exchange that
    /// does not exist yet wait in the outbox.
    public static func asking(_ services: [String]) -> Topology {
        Topology(exchanges: services.map { Exchange("\($0).commands", .direct, isForeign: true) })
    }

    /// The events queue, bound to these events of other services. Their exchanges are declared by their owners: until
    /// all exist, the consumer waits, with its queue bound to those that do.
    public func events(_ names: [MessageName]) -> Topology {
        var topology = queue(eventsQueue)
        for name in names {
            let exchange = Exchange(name.service, .topic, isForeign: name.service != service)
            if !topology.exchanges.contains(exchange) { topology.exchanges.append(exchange) }
            topology.bindings.append(Binding(queue: eventsQueue, exchange: name.service, routingKey: name.text))
        }
        return exchanges.merging(topology)
    }

    /// The commands queue, bound to these commands.
    public func commands(_ names: [MessageName]) -> Topology {
        var topology = queue(commandsQueue)
        for name in names {
            topology.bindings.append(
                Binding(queue: commandsQueue, exchange: "\(service).commands", routingKey: name.text))
        }
        return exchanges.merging(topology)
    }

    /// The dead letters of the service's queues, for whoever keeps them: those that the queues' runners gave up, and
    /// those that the broker did.
    func deadLetters(of queues: [String]) -> [(queue: String, topology: Topology)] {
        (queues.map { deadLetterQueue(of: $0) } + [.quorum(deadQueue)]).map { dead in
            let topology = Topology(
                exchanges: [Exchange(failureExchange, .direct)], queues: [dead],
                bindings: [Binding(queue: dead.name, exchange: failureExchange, routingKey: dead.name)])
            return (dead.name, topology)
        }
    }

    private func deadLetterQueue(of name: String) -> Queue {
        .quorum(Self.deadQueue(of: name), messageTTL: deadTime, maxLength: deadLimit, overflow: .dropHead)
    }

    /// A queue with its retry queues and its dead letters. Every step delivers at least once.
    private func queue(_ name: String) -> Topology {
        let toDead = DeadLetter(exchange: failureExchange, routingKey: deadQueue)
        var topology = Topology(
            exchanges: [Exchange(failureExchange, .direct)],
            queues: [.quorum(name, deliveryLimit: deliveryLimit, deadLetter: toDead), .quorum(deadQueue)],
            bindings: [
                Binding(queue: name, exchange: failureExchange, routingKey: name),
                Binding(queue: deadQueue, exchange: failureExchange, routingKey: deadQueue),
            ])
        let back = DeadLetter(exchange: failureExchange, routingKey: name)
        for (index, delay) in retryDelays.enumerated() {
            let retry = retryQueue(name, failedAttempts: index + 1)
            topology.queues.append(.quorum(retry, deadLetter: back, messageTTL: delay))
        }
        topology.queues.append(
            .quorum(Self.parkedQueue(of: name), deadLetter: back, messageTTL: parkedDelay))
        topology.queues.append(deadLetterQueue(of: name))
        for queue in topology.queues.dropFirst(2) {
            topology.bindings.append(
                Binding(queue: queue.name, exchange: failureExchange, routingKey: queue.name))
        }
        return topology
    }
}
