public import AMQP
import Foundation
public import Logging
import PollThread
public import Postgres
public import ServiceLifecycle
import Synchronization

/// Takes messages from one queue and lets each have its effect once.
///
/// For a batch: decode, begin, mark in the inbox, run the operations of those not marked before, commit, acknowledge.
/// A process killed anywhere in between leaves either nothing, and the broker delivers again, or everything, and the
/// inbox makes the repeat harmless.
///
/// A message that fails waits in a retry queue while the others go on; after ``Configuration/attemptLimit`` failures,
/// or at once when it cannot be read, it goes to the dead letters with the reason. While the database is away,
/// messages wait here and nothing is counted. Nor is it when a lock or a limit of time is the cause, or when this version of
/// the program does not know the message's name: it waits in a queue and comes again.
public struct ConsumerRunner: Service {
    public struct Configuration: Sendable {
        /// Batches handled at the same time.
        public var workers = 4
        /// At most so many messages in one transaction. 1 gives each its own.
        public var batchLimit = 50
        /// How long a batch waits for more after its first message. Zero takes what is there.
        public var batchWindow: Duration = .zero
        /// How far apart a worker's batches begin at least. A message that comes after a pause waits for nothing; of those
        /// that come one after the other, more are in one transaction.
        public var batchSpacing: Duration = .zero
        /// Whether a batch is handled in the queue's order instead of by aggregate. Only for handlers that lock nothing
        /// by themselves, such as those of a ledger that takes all its locks before the commit.
        public var keepsQueueOrder = false
        /// Handlings of a message in all before it is a dead letter.
        public var attemptLimit = 5
        /// For how long a message comes again whose name no process knows, before it is a dead letter. Shorter than
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

    /// Told to shut down: what waits for the database or the broker is left to other processes.
    var isStopping: Bool { stopping.isSet }

    /// - Parameters:
    ///   - queue: its name is the consumer's name in the inbox as well.
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
    /// - Throws: ``AMQPError`` when the broker refuses the connection at start for good.
    ///
    /// Handlers run on the pool's thread, so that a statement does not change threads; they must not block it.
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

/// Set once, by whoever shuts the runner down.
private final class StopFlag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .acquiring) }
    func set() { flag.store(true, ordering: .releasing) }
}
