public import Logging
import PollThread

/// Consumes messages of one queue over one connection, which it opens again after every loss.
///
/// At least once: a message that was not settled when the connection ended is delivered again. A delivery is settled
/// with ``ack(_:)-(DeliveryTag)`` or ``reject(_:requeue:)``; settling one of an earlier connection has no effect.
///
/// Any number of workers may take deliveries at once.
public final class Consumer: Sendable {
    private let box: DeliveryBox
    private let link: Link<ConsumingRole>

    /// - Parameters:
    ///   - queue: must exist or be in the topology.
    ///   - topology: declared each time a connection is opened.
    ///   - prefetch: deliveries that the broker sends before their settlement, 1 to 65535.
    public init(
        _ configuration: AMQPConfiguration, queue: String, topology: Topology = Topology(), prefetch: Int = 256,
        logger: Logger
    ) {
        var logger = logger
        logger[metadataKey: "connection"] = "\(configuration.connectionName)"
        logger[metadataKey: "queue"] = "\(queue)"
        let prefetch = min(max(1, prefetch), 65535)
        // The broker works best with one ack for a tenth of the prefetch or more.
        let burst = max(1, prefetch / 10)
        let metrics = AMQPMetrics(connectionName: configuration.connectionName)
        box = DeliveryBox(settlementBurst: burst)
        let role = ConsumingRole(queue: queue, prefetch: prefetch, settlementBurst: burst, box: box, metrics: metrics)
        link = Link(
            configuration, topology, thread: PollThread(name: "amqp-consume"), requests: box.wakeup, metrics: metrics,
            logger: logger, role: role)
        Task(executorPreference: link.thread) { [link] in await link.serveRequests() }
    }

    deinit {
        link.requests.close()
        link.thread.stop()
    }

    /// Keeps the connection open until ``drain(within:)`` or until its task is cancelled. Must be called once.
    ///
    /// After it has returned, ``nextBatch(upTo:within:)`` returns nothing.
    /// - Throws: only before the first connection, and only errors that waiting cannot solve; see
    ///   ``AMQPError/isFatalAtStart``. An unreachable broker is tried for ever.
    public func run() async throws(AMQPError) { try await link.run() }

    /// Waits for deliveries: until there are `limit`, or `window` has passed since the first, or the prefetch is used
    /// up.
    ///
    /// Waiters are served in turn.
    /// - Parameters:
    ///   - limit: deliveries, at least 1.
    ///   - window: zero returns what is there as soon as there is something.
    /// - Returns: deliveries in the queue's order; empty only when the consumer has ended, and then always.
    public func nextBatch(
        upTo limit: Int, within window: Duration = .zero
    ) async throws(CancellationError) -> [Delivery] {
        let limit = max(1, limit)
        if let batch = box.takeNow(upTo: limit, within: window) { return batch }
        let ticket = DeliveryBox.Ticket()
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in box.wait(upTo: limit, within: window, ticket, continuation) }
        } onCancel: {
            box.cancel(ticket)
        }
        return try outcome.get()
    }

    /// Acknowledges a delivery. Returns at once; the broker is told at most 100 ms later.
    public func ack(_ tag: DeliveryTag) { box.settle(CollectionOfOne(.ack(tag))) }

    /// Acknowledges deliveries. Returns at once; the broker is told at most 100 ms later.
    public func ack(_ tags: [DeliveryTag]) { box.settle(tags.lazy.map { .ack($0) }) }

    /// Returns a delivery to the queue, or to its dead letter exchange. Returns at once.
    public func reject(_ tag: DeliveryTag, requeue: Bool) {
        box.settle(CollectionOfOne(.reject(tag, requeue: requeue)))
    }

    /// Hands out no more deliveries, waits until all that were handed out are settled, closes the connection and ends
    /// ``run()``. Deliveries that were not handed out, or not settled within the limit, go back to the queue.
    /// - Parameter limit: the broker has one more second to answer the close.
    public func drain(within limit: Duration) async { await link.close(within: limit) }

    public var isConsuming: Bool { link.status.isConnected }

    /// Number of connections so far. When it has grown, messages to a queue of this connection alone were lost in
    /// between, however short the gap was.
    public var connections: Int { link.status.connections }
}
