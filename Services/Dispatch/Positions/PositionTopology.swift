import AMQP
import Contracts

/// The transient fanout of positions, and each listening process's own queue on it.
enum PositionTopology {
    /// Batches that wait for a process that is slow; the oldest go.
    static let queueLimit = 200
    /// Of the queues' names; the rest is the process's.
    static let queuePrefix = "dispatch.positions."

    static let exchange = Topology(exchanges: [Exchange(ProviderPositions.exchange, .fanout, isDurable: false)])

    /// - Parameter name: of this process alone.
    static func queue(_ name: String) -> Topology {
        exchange.merging(
            Topology(
                queues: [.transient(name, maxLength: queueLimit)],
                bindings: [Binding(queue: name, exchange: ProviderPositions.exchange)]))
    }
}
