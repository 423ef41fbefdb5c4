public import AMQP
import Foundation
public import Logging
import PollThread
public import Postgres
public import ServiceLifecycle

/// Moves a service's dead letters from the broker into its table ``DeadMessages``, and puts those back that somebody
/// wants to be handled again. Any number of processes may run it.
///
/// A dead letter is acknowledged after its row is committed: one that was delivered twice is one row. A message that is
/// put back is marked after the broker's confirm, with its row locked: one that was sent twice has one id, and its
/// effect once.
public struct DeadMessageKeeper: Service {
    public struct Configuration: Sendable {
        /// How often messages to be put back are looked for, where no other process of the service has said so.
        public var pollInterval: Duration = .seconds(2)
        public var publishTimeout: Duration = .seconds(10)
        /// How often old rows are deleted and the rest is counted.
        public var purgeInterval: Duration = .seconds(30)
        public var drainTimeout: Duration = .seconds(5)

        public init() {}
    }

    /// Dead letters in one transaction, and messages put back in one.
    static let batchLimit = 50

    private struct Source: Sendable {
        let queue: String
        let consumer: Consumer
    }

    private let queues: [String]
    private let sources: [Source]
    private let topology: ServiceTopology
    private let publisher: Publisher
    private let pool: PostgresPool
    private let configuration: Configuration
    private let logger: Logger

    /// - Parameters:
    ///   - queues: those that the service consumes.
    ///   - broker: the connection for a queue of dead letters.
    ///   - publisher: for what is put back.
    public init(
        queues: [String], topology: ServiceTopology, broker: (_ queue: String) throws -> AMQPConfiguration,
        publisher: Publisher, pool: PostgresPool, configuration: Configuration = Configuration(), logger: Logger
    ) rethrows {
        self.queues = queues
        self.topology = topology
        self.publisher = publisher
        self.pool = pool
        self.configuration = configuration
        self.logger = logger
        sources = try topology.deadLetters(of: queues).map { dead in
            Source(
                queue: dead.queue,
                consumer: Consumer(
                    try broker(dead.queue), queue: dead.queue, topology: dead.topology, prefetch: Self.batchLimit,
                    logger: logger))
        }
    }

    /// Runs until the task is cancelled, or drains and returns when the service group shuts down.
    /// - Throws: ``AMQPError`` when the broker permanently refuses the connection at the start.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for source in sources {
                group.addTask { try await source.consumer.run() }
                group.addTask(executorPreference: pool.thread) { await keep(source) }
            }
            let background = [Task { await send() }, Task { await purge() }]
            defer { for task in background { task.cancel() } }
            try await withGracefulShutdownHandler {
                try await group.waitForAll()
            } onGracefulShutdown: {
                for source in sources { Task { await source.consumer.drain(within: configuration.drainTimeout) } }
            }
        }
    }

    // MARK: From the broker

    private func keep(_ source: Source) async {
        while !Task.isCancelled {
            let batch: [Delivery]
            do { batch = try await source.consumer.nextBatch(upTo: Self.batchLimit) } catch { return }
            guard !batch.isEmpty else { return }
            do {
                try await keep(batch, from: source.queue)
                source.consumer.ack(batch.map(\.tag))
            } catch {
                // Each by itself: one that cannot be kept holds up no other. It stays on the broker.
                for delivery in batch {
                    do {
                        try await keep([delivery], from: source.queue)
                        source.consumer.ack(delivery.tag)
                    } catch {
                        logger.error(
                            "a dead letter cannot be kept yet",
                            metadata: ["queue": "\(source.queue)", "error": "\(FailurePolicy.describe(error))"])
                        source.consumer.reject(delivery.tag, requeue: true)
                    }
                }
                do { try await pool.thread.sleep(until: .now + .seconds(1)) } catch { return }
            }
        }
    }

    private func keep(_ batch: [Delivery], from queue: String) async throws {
        let now = Date()
        // In one order, so that two processes cannot wait for each other.
        let records = batch.map { DeadLetterRecord($0, from: queue, of: queues, now: now) }
            .sorted { ($0.queue, $0.message?.text ?? "") < ($1.queue, $1.message?.text ?? "") }
        try await pool.withTransaction { transaction in
            for record in records { transaction.send(KeepDeadLetter(record: record)) }
        }
        MessagingMetrics.deadKept(batch.count, from: queue)
    }

    // MARK: Back to the broker

    private func send() async {
        let signal = pool.signal(SignalName.deadMessages)
        while !Task.isCancelled {
            var isMore = false
            do {
                isMore = try await sendBatch()
            } catch {
                logger.warning(
                    "messages are not put back yet", metadata: ["error": "\(FailurePolicy.describe(error))"])
            }
            if !isMore { _ = await signal.wait(until: .now + configuration.pollInterval, on: pool.thread) }
        }
    }

    /// - Returns: whether there may be more to send at once.
    private func sendBatch() async throws -> Bool {
        try await pool.withTransaction { transaction in
            let messages = try await transaction.query(LockRetryingMessages(limit: Self.batchLimit))
            guard !messages.isEmpty else { return false }
            let outcomes = await publisher.publish(
                batch: messages.map { $0.outbound(by: topology.failureExchange) },
                deadline: .now + configuration.publishTimeout)
            var sent: [UUID] = []
            for (message, outcome) in zip(messages, outcomes) {
                switch outcome {
                case .success: sent.append(message.id)
                case .failure(let error):
                    logger.error(
                        "a message cannot be put back yet",
                        metadata: ["message.id": "\(message.message.text)", "error": "\(error)"])
                }
            }
            if !sent.isEmpty { transaction.send(MarkRetried(ids: sent)) }
            return sent.count == Self.batchLimit
        }
    }

    private func purge() async {
        while !Task.isCancelled {
            do {
                try await pool.executeInBatches(
                    of: PurgeDeadMessages.batch,
                    PurgeDeadMessages(keepSeconds: topology.deadTime / .seconds(1), limit: topology.deadLimit))
                MessagingMetrics.dead(waiting: try await DeadMessages.waiting(in: pool))
            } catch {
                logger.debug("dead messages were not purged", metadata: ["error": "\(error)"])
            }
            do { try await pool.thread.sleep(until: .now + configuration.purgeInterval) } catch { return }
        }
    }
}

extension RetryingMessage {
    /// The message as it was sent first, with the same id, straight to its queue. It has all its attempts again.
    func outbound(by exchange: String) -> OutboundMessage {
        var headers: [String: HeaderValue] = [Envelope.Header.decisions: .int(Int64(decisions))]
        if let causation { headers[Envelope.Header.causation] = .string(causation.text) }
        if let traceparent { headers[Envelope.Header.traceparent] = .string(traceparent) }
        if let requestID { headers[Envelope.Header.requestID] = .string(requestID) }
        return OutboundMessage(
            exchange: exchange, routingKey: queue, body: body,
            properties: MessageProperties(
                messageID: message.text, type: name,
                timestampSeconds: occurredAt.map { UInt64(max(0, $0.timeIntervalSince1970)) },
                correlationID: aggregate, appID: producer, contentType: "application/json", headers: headers))
    }
}
