public import AMQP

/// What a service declares on the broker: exchanges to speak through, queues to hear with, and places for messages
/// that fail.
///
/// ```
/// others' exchanges ──► <service>.events    ┐            ┌► <queue>.retry.1 … n, <queue>.parked ──(after its delay)──► back
/// <service>.commands ─► <service>.commands  ┘─ failed ──►┤
///                                                        ├► <queue>.dead
///                                                        └► <service>.dead, by the broker itself
/// ```
/// The arguments of a queue cannot be changed where it exists, so what a queue that was there before has more is said by a
/// policy of the broker (deploy/rabbitmq/policies), or is another queue.
public struct ServiceTopology: Sendable {
    /// The exchange that failed messages go through; only the service itself publishes to it.
    public let service: String
    /// How long a failed message waits before its second, third, … handling; the last delay repeats.
    public let retryDelays: [Duration]
    /// How often the broker delivers a message in all before it gives it up. Failures of a handler are counted by the
    /// runner; this net catches messages that kill their process. High, because a killed process counts against every
    /// message it held.
    public let deliveryLimit: Int
    /// How long a message waits that no process knows, when it has waited each of ``retryDelays``.
    public let parkedDelay: Duration
    /// How long a dead letter is kept. With what may come before it (``ConsumerRunner/Configuration/unknownPatience``) it is
    /// within the month in which an account's data has to be gone.
    public let deadTime: Duration
    /// More dead letters of a queue than this are not kept: the oldest go.
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
    /// Where the broker puts what was delivered too often, of any of the service's queues.
    public var deadQueue: String { "\(service).dead" }
    /// Where the runner of a queue puts what it gives up.
    public static func deadQueue(of queue: String) -> String { "\(queue).dead" }
    static func parkedQueue(of queue: String) -> String { "\(queue).parked" }
    var failureExchange: String { "\(service).failed" }

    /// Where a message waits that has waited so often for no fault of its own.
    /// - Parameter isUnknown: whether that may last for long.
    func delayQueue(_ queue: String, delays: Int, isUnknown: Bool) -> String {
        isUnknown && delays >= retryDelays.count
            ? Self.parkedQueue(of: queue) : retryQueue(queue, failedAttempts: delays + 1)
    }

    func retryQueue(_ queue: String, failedAttempts: Int) -> String {
        "\(queue).retry.\(min(max(failedAttempts, 1), retryDelays.count))"
    }

    /// The exchanges of the service. Whoever publishes declares this.
    public var exchanges: Topology {
        Topology(exchanges: [Exchange(service, .topic), Exchange("\(service).commands", .direct)])
    }

    /// What a service needs that sends commands to others: their command exchanges. What it sends to one that is not there
    /// yet waits in the outbox.
    public static func asking(_ services: [String]) -> Topology {
        Topology(exchanges: services.map { Exchange("\($0).commands", .direct, isForeign: true) })
    }

    /// The events queue, bound to these events of others. Their exchanges are their own to declare: until all are there
    /// the consumer waits, with its queue bound to those that are.
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

    /// A queue with its retry queues and its dead letters. Every step is at least once.
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
        topology.queues.append(
            .quorum(
                Self.deadQueue(of: name), messageTTL: deadTime, maxLength: deadLimit, overflow: .dropHead))
        for queue in topology.queues.dropFirst(2) {
            topology.bindings.append(
                Binding(queue: queue.name, exchange: failureExchange, routingKey: queue.name))
        }
        return topology
    }
}
