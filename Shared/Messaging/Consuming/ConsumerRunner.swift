public import AMQP
import Foundation
public import Logging
import PollThread
public import Postgres
public import ServiceLifecycle
import Synchronization

/// Consumes messages of one queue; each has its effect once.
///
/// For a batch: decode, begin, mark in the inbox, run the operations of messages not marked before, commit,
/// acknowledge. A process that is killed in between leaves either nothing, and the broker delivers again, or
/// everything, and the inbox makes the repeat harmless.
///
/// A failed message waits in a retry queue while others go on. After ``Configuration/attemptLimit`` failures, or at
/// once when it cannot be read, it goes to the dead letters with the reason. While the database is away, messages wait
/// here, and no attempt is counted. Attempts are not counted either when a lock or a time limit is the cause, or when
/// this version of the program does not know the message's name: the message then waits in a queue and comes again.
public struct ConsumerRunner: Service {
    public struct Configuration: Sendable {
        /// Batches handled at the same time.
        public var workers = 4
        /// The most messages in one transaction. 1 gives each its own.
        public var batchLimit = 50
        /// How long a batch waits for more messages after its first one. Zero takes what is there.
        public var batchWindow: Duration = .zero
        /// The shortest time between the beginnings of a worker's batches. A message after a pause does not wait; of a
        /// series of messages, more share a transaction.
        public var batchSpacing: Duration = .zero
        /// Whether a batch is handled in the queue's order instead of by aggregate. Only for handlers that take no
        /// locks themselves, such as those of a ledger that takes all its locks before the commit.
        public var keepsQueueOrder = false
        /// Handlings of a message before it becomes a dead letter.
        public var attemptLimit = 5
        /// How long a message with an unknown name comes again before it becomes a dead letter. Shorter than
        /// ``keepHandled``.
        public var unknownPatience: Duration = .seconds(5 * 24 * 3600)
        /// How long handled messages are remembered. Longer than any message can come again.
        public var keepHandled: Duration = .seconds(7 * 24 * 3600)
        /// How long running handlings may take at shutdown.
        public var drainTimeout: Duration = .seconds(8)

        public init() {}
    }

    let queue: String
    let consumer: Consumer
    let publisher: Publisher
    let pool: PostgresPool
    let handlers: MessageHandlers
    let topology: ServiceTopology
    let configuration: Configuration
    let metrics: ConsumerMetrics
    let logger: Logger
    private let stopping = StopFlag()

    /// Whether the runner shuts down: messages that wait for the database or the broker are left to other processes.
    var isStopping: Bool { stopping.isSet }

    /// - Parameters:
    ///   - queue: its name is also the consumer's name in the inbox.
    ///   - publisher: for copies to the retry queues and the dead letters.
    public init(
        queue: String, consumer: Consumer, publisher: Publisher, pool: PostgresPool, handlers: MessageHandlers,
        topology: ServiceTopology, configuration: Configuration = Configuration(), logger: Logger
    ) {
        self.queue = queue
        self.consumer = consumer
        self.publisher = publisher
        self.pool = pool
        self.handlers = handlers
        self.topology = topology
        self.configuration = configuration
        self.metrics = ConsumerMetrics(consumer: queue)
        self.logger = logger
    }

    /// Runs until the task is cancelled, or drains and returns when the service group shuts down.
    /// - Throws: ``AMQPError`` when the broker permanently refuses the connection at the start.
    ///
    /// Handlers run on the pool's thread, so that a statement changes no threads; they must not block it.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await consumer.run() }
            for _ in 0..<configuration.workers { group.addTask(executorPreference: pool.thread) { await work() } }
            let housekeeping = Task { await purge() }
            defer { housekeeping.cancel() }
            try await withGracefulShutdownHandler {
                try await group.waitForAll()
            } onGracefulShutdown: {
                stopping.set()
                Task { await consumer.drain(within: configuration.drainTimeout) }
            }
        }
    }

    private func work() async {
        while !Task.isCancelled {
            let batch: [Delivery]
            do {
                batch = try await consumer.nextBatch(upTo: configuration.batchLimit, within: configuration.batchWindow)
            } catch {
                return
            }
            guard !batch.isEmpty else { return }
            let began = ContinuousClock.now
            await DeliveryBatch(self, batch).handle()
            guard configuration.batchSpacing > .zero else { continue }
            do { try await pool.thread.sleep(until: began + configuration.batchSpacing) } catch { return }
        }
    }

    private func purge() async {
        while !Task.isCancelled {
            do {
                let keep = configuration.keepHandled / .seconds(1)
                try await pool.executeInBatches(
                    of: PurgeInbox.limit, PurgeInbox(consumer: queue, keepSeconds: keep))
            } catch {
                logger.debug("the inbox was not purged", metadata: ["error": "\(error)"])
            }
            do { try await pool.thread.sleep(until: .now + .seconds(60)) } catch { return }
        }
    }
}

/// Set once, at shutdown.
private final class StopFlag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .acquiring) }
    func set() { flag.store(true, ordering: .releasing) }
}
