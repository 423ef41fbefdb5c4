public import AMQP
import Foundation
public import Logging
import PollThread
public import Postgres
public import ServiceLifecycle

/// Sends a service's outbox to the broker.
///
/// Every process of the service runs one; a lock with a lease lets one be active. It reads a batch, publishes it with
/// confirms, and removes what was confirmed. A process killed in between sends the batch again: readers see a repeat,
/// never a gap. Messages of one aggregate leave in order.
///
/// The active relay is woken by commits in its own process, by `NOTIFY` from others (theirs are coalesced), and looks
/// by itself at least every ``Configuration/pollInterval``.
public struct Relay: Service {
    public struct Configuration: Sendable {
        /// At most so many messages are read and on the wire at once.
        public var batchLimit = 500
        public var pollInterval: Duration = .seconds(1)
        /// How long confirmed messages stay in the table at most when no others come. Killed meanwhile, a relay sends them
        /// again.
        public var settleInterval: Duration = .milliseconds(50)
        /// How far apart batches begin at least. What comes after a pause waits for nothing; of what is committed one after
        /// the other, more goes out together.
        public var spacing: Duration = .zero
        /// One publish may take this long; then the message stays for the next round.
        public var publishTimeout: Duration = .seconds(10)
        /// How long an event that no queue takes waits for one, counted from the first of its name. Longer than services
        /// that are started together are apart.
        public var readerPatience: Duration = .seconds(60)
        /// How long confirmed messages stay in the table, marked, for somebody to look at. Zero removes them at once,
        /// which costs the server less: a mark writes each row again.
        public var keepPublished: Duration = .zero
        /// How often confirmed messages past their time are removed, and what waits is counted.
        public var purgeInterval: Duration = .seconds(30)
        /// A process that is not active wakes the one that is at most this often.
        public var notifyInterval: Duration = .milliseconds(5)
        /// How long the active relay may stand still, by the database's clock, before another takes its place.
        public var lease: Duration = .seconds(10)
        /// How often one that stands by asks for the place, which is free as soon as a process has ended.
        public var standbyInterval: Duration = .milliseconds(200)

        public init() {}
    }

    let pool: PostgresPool
    let publisher: Publisher
    let producer: String
    let configuration: Configuration
    let logger: Logger

    /// - Parameter producer: the service's name.
    public init(
        pool: PostgresPool, publisher: Publisher, producer: String, configuration: Configuration = Configuration(),
        logger: Logger
    ) {
        self.pool = pool
        self.publisher = publisher
        self.producer = producer
        self.configuration = configuration
        self.logger = logger
    }

    /// Runs until the task is cancelled or the service group shuts down. Errors of the database or the broker are
    /// logged and tried again.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskExecutorPreference(pool.thread) { await runOnThread() }
        }
    }

    @concurrent
    private func runOnThread() async {
        while !Task.isCancelled {
            do {
                try await standBy()
            } catch is CancellationError {
                return
            } catch {
                guard !Task.isCancelled else { return }
                logger.warning("the outbox relay failed and starts again", metadata: ["error": "\(error)"])
                await pause(.milliseconds(Int.random(in: 100...500)))
            }
        }
    }

    /// Holds a session; becomes active when it gets the place.
    private func standBy() async throws {
        var settings = pool.connectionConfiguration
        settings.applicationName += " relay"
        // A lost removal means a repeat on the wire, which readers ignore: no reason to wait for the disk.
        settings.settings["synchronous_commit"] = "off"
        // Plans are made once, while the table is empty, and it grows: a removal would read all of it.
        settings.settings["enable_seqscan"] = "off"
        // A handful of statements with arrays, for which the server would plan anew each time.
        settings.settings["plan_cache_mode"] = "force_generic_plan"
        let session = try await PostgresConnection.connect(settings, on: pool.thread)
        do {
            var nextLook = ContinuousClock.now
            while !Task.isCancelled {
                // By this process's clock the lease began before it did by the database's, so it ends no later.
                let leaseEnd = ContinuousClock.now + configuration.lease
                if try await session.query(TakeRelay(seconds: configuration.lease / .seconds(1))).first ?? false {
                    try await ActiveRelay(self, session, leaseEnd: leaseEnd).run()
                } else if nextLook <= .now {
                    for process in try await session.query(EndStoppedRelay()) {
                        MessagingMetrics.relayEnded()
                        logger.warning(
                            "the active relay stood still and has lost its place", metadata: ["session": "\(process)"])
                    }
                    nextLook = .now + configuration.pollInterval
                }
                try await wakeOther()
            }
        } catch {
            await session.close()
            throw error
        }
        await session.close()
    }

    /// Waits for a commit of this process and tells the active relay, wherever it is; at most once per interval.
    private func wakeOther() async throws {
        let deadline = ContinuousClock.now + configuration.standbyInterval
        let signal = pool.signal(SignalName.outbox)
        while ContinuousClock.now < deadline, !Task.isCancelled {
            if await signal.wait(until: deadline, on: pool.thread) {
                _ = try await pool.query(NotifyOutbox())
                await pause(configuration.notifyInterval)
            }
        }
    }

    func pause(_ duration: Duration) async {
        do { try await pool.thread.sleep(until: .now + duration) } catch { return }
    }
}
