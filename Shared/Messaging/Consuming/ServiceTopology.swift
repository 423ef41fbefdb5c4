public import AMQP

/// What a service declares on the broker: exchanges to speak through, queues to hear with, and places for messages
/// that fail.
///
/// ```
/// others' exchanges ──► <service>.events    ┐            ┌► <service>.retry.1 … n ──(after its delay)──► back
/// <service>.commands ─► <service>.commands  ┘─ failed ──►┤
///                                                        └► <service>.dead
/// ```
public struct ServiceTopology: Sendable {
    /// The exchange that failed messages go through; only the service itself publishes to it.
    public let service: String
    /// How long a failed message waits before its second, third, … handling; the last delay repeats.
    public let retryDelays: [Duration]
    /// How often the broker delivers a message in all before it gives it up. Failures of a handler are counted by the
    /// runner; this net catches messages that kill their process. High, because a killed process counts against every
    /// message it held.
    public let deliveryLimit: Int

    public init(
        service: String, retryDelays: [Duration] = [.seconds(1), .seconds(10), .seconds(60)], deliveryLimit: Int = 20
    ) {
        precondition(!retryDelays.isEmpty, "without a delay a message would fail as fast as it can be delivered")
        self.service = service
        self.retryDelays = retryDelays
        self.deliveryLimit = deliveryLimit
    }

    public var eventsQueue: String { "\(service).events" }
    public var commandsQueue: String { "\(service).commands" }
    public var deadQueue: String { "\(service).dead" }
    var failureExchange: String { "\(service).failed" }

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

    /// A queue with its retry queues and the service's dead letters. Every step is at least once.
    private func queue(_ name: String) -> Topology {
        let toDead = DeadLetter(exchange: failureExchange, routingKey: deadQueue)
        var topology = Topology(
            exchanges: [Exchange(failureExchange, .direct)],
            queues: [.quorum(name, deliveryLimit: deliveryLimit, deadLetter: toDead), .quorum(deadQueue)],
            bindings: [
                Binding(queue: name, exchange: failureExchange, routingKey: name),
                Binding(queue: deadQueue, exchange: failureExchange, routingKey: deadQueue),
            ])
        for (index, delay) in retryDelays.enumerated() {
            let retry = retryQueue(name, failedAttempts: index + 1)
            let back = DeadLetter(exchange: failureExchange, routingKey: name)
            topology.queues.append(.quorum(retry, deadLetter: back, messageTTL: delay))
            topology.bindings.append(Binding(queue: retry, exchange: failureExchange, routingKey: retry))
        }
        return topology
    }
}
