import AMQP
import Contracts

/// The transient fanout exchange of positions, and each listening process's own queue.
enum PositionTopology {
    /// Maximum number of messages in the queue of a slow process; the oldest ones are dropped.
    static let queueLimit = 200
    /// Prefix of the queue names; the process's name follows.
    static let queuePrefix = "dispatch.positions."

    static let exchange = Topology(exchanges: [Exchange(ProviderPositions.exchange, .fanout, isDurable: false)])

    /// - Parameter name: unique name of this process's queue.
    static func queue(_ name: String) -> Topology {
        exchange.merging(
            Topology(
                queues: [.transient(name, maxLength: queueLimit)],
                bindings: [Binding(queue: name, exchange: ProviderPositions.exchange)]))
    }
}
