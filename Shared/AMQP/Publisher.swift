public import Logging
import PollThread

/// Publishes messages over one connection, which it opens again after every loss, and reports for each message whether
/// the broker has taken it.
///
/// A publish returns after the broker's confirm: a quorum queue has then written the message on a majority of its
/// nodes. Messages are written in the order of the calls, at most `inFlightLimit` unconfirmed; the others wait. They
/// also wait without a connection, and while the broker blocks publishers. No wait exceeds its deadline by more than
/// some milliseconds, and cancelling the task ends it.
///
/// Any number of tasks may publish at once, which gives the best speed.
public final class Publisher: Sendable {
    private let inbox = PublishInbox()
    private let link: Link<PublishingRole>

    /// - Parameters:
    ///   - topology: declared each time a connection is opened.
    ///   - inFlightLimit: messages, at least 1. A quorum queue is twenty times faster with 256 than with 1.
    public init(
        _ configuration: AMQPConfiguration, topology: Topology = Topology(), inFlightLimit: Int = 256, logger: Logger
    ) {
        var logger = logger
        logger[metadataKey: "connection"] = "\(configuration.connectionName)"
        let metrics = AMQPMetrics(connectionName: configuration.connectionName)
        let role = PublishingRole(
            inbox: inbox, inFlightLimit: inFlightLimit, bodyLimitBytes: configuration.bodyLimitBytes, metrics: metrics)
        link = Link(
            configuration, topology, thread: PollThread(name: "amqp-publish"), requests: inbox.wakeup, metrics: metrics,
            logger: logger, role: role)
        Task(executorPreference: link.thread) { [link] in await link.serveRequests() }
    }

    deinit {
        link.requests.close()
        link.thread.stop()
    }

    /// Keeps the connection open until ``close(within:)`` or until its task is cancelled. Must be called once.
    ///
    /// After it has returned, every publish fails with `notSent(.closed)`.
    /// - Throws: only before the first connection, and only errors that waiting cannot solve; see
    ///   ``AMQPError/isFatalAtStart``. An unreachable broker is tried for ever.
    public func run() async throws(AMQPError) { try await link.run() }

    /// Publishes one message and waits for the broker's confirm.
    /// - Throws: ``PublishError``. Only `outcomeUnknown` and `exchangeUnavailable` leave open whether the message
    ///   arrived.
    public func publish(_ message: OutboundMessage, deadline: ContinuousClock.Instant) async throws(PublishError) {
        let submission = Submission(message, deadline: deadline)
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                if !inbox.append(.one(submission, continuation)) {
                    continuation.resume(returning: .failure(.notSent(.closed)))
                }
            }
        } onCancel: {
            inbox.cancel(submission)
        }
        try outcome.get()
    }

    /// Publishes many messages and waits for the outcome of each: much cheaper than as many single calls.
    /// - Returns: the outcomes, in the order of the batch.
    public func publish(
        batch: [OutboundMessage], deadline: ContinuousClock.Instant
    ) async -> [Result<Void, PublishError>] {
        guard !batch.isEmpty else { return [] }
        let submission = Submission(batch: batch, deadline: deadline)
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                if !inbox.append(.batch(submission, continuation)) {
                    continuation.resume(returning: batch.map { _ in .failure(.notSent(.closed)) })
                }
            }
        } onCancel: {
            inbox.cancel(submission)
        }
    }

    /// Accepts no new messages, waits until all accepted ones are settled, closes the connection and ends ``run()``.
    /// - Parameter limit: messages that are not settled by then fail; the broker has one more second to answer the
    ///   close.
    public func close(within limit: Duration) async { await link.close(within: limit) }

    public var isConnected: Bool { link.status.isConnected }

    /// Whether the broker has said that it accepts no messages now.
    public var isBlocked: Bool { link.status.isBlocked }
}
