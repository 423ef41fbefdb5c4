public import AMQP
import Foundation
public import Logging
import PollThread
public import Postgres
public import ServiceLifecycle

/// Sends a service's outbox to the broker.
///
/// Every process of the service runs a relay; a lock with a lease lets one be active. It reads a batch, publishes it
/// with confirms, and removes what was confirmed. A process killed in between sends the batch again: readers see a
/// repeat, never a gap. Messages of one aggregate leave in order.
///
/// The active relay is woken by commits in its own process and by `NOTIFY` from other processes (at most one for each
/// ``Configuration/notifyInterval``), and reads by itself at least every ``Configuration/pollInterval``.
public struct Relay: Service {
    public struct Configuration: Sendable {
        /// The most messages that are read and on the wire at once.
        public var batchLimit = 500
        public var pollInterval: Duration = .seconds(1)
        /// The longest time that confirmed messages stay in the table when no others come. A relay that is killed in
        /// that time sends them again.
        public var settleInterval: Duration = .milliseconds(50)
        /// The shortest time between the beginnings of two batches. A message after a pause does not wait; of a series
        /// of commits, more messages share a batch.
        public var spacing: Duration = .zero
        /// The time limit of one publish; after it the message stays for the next round.
        public var publishTimeout: Duration = .seconds(10)
        /// How long an event that no queue takes waits for one, counted from the first event of its name. Longer than
        /// the differences in start time of services that start together.
        public var readerPatience: Duration = .seconds(60)
        /// How long confirmed messages stay in the table, marked, for inspection. Zero removes them at once, which
        /// costs the server less, because a mark writes the whole row again.
        public var keepPublished: Duration = .zero
        /// How often old confirmed messages are removed and waiting ones are counted.
        public var purgeInterval: Duration = .seconds(30)
        /// A standby process wakes the active one at most this often.
        public var notifyInterval: Duration = .milliseconds(5)
        /// How long the active relay may stand still, by the database's clock, before another one replaces it.
        public var lease: Duration = .seconds(10)
        /// How often a standby relay tries to become active; the lock is free as soon as a process has ended.
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
    /// logged, and the work is repeated.
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

    /// Holds a session, and becomes active when it gets the lock.
    private func standBy() async throws {
        var settings = pool.connectionConfiguration
        settings.applicationName += " relay"
        // A lost removal causes a repeat on the wire, which readers ignore, so commits need not wait for the disk.
        settings.settings["synchronous_commit"] = "off"
        // Plans are made once, while the table is empty; with a sequential scan each removal would later read the whole
        // table.
        settings.settings["enable_seqscan"] = "off"
        // The few statements have array parameters, for which the server would otherwise plan each time.
        settings.settings["plan_cache_mode"] = "force_generic_plan"
        let session = try await PostgresConnection.connect(settings, on: pool.thread)
        do {
            var nextLook = ContinuousClock.now
            while !Task.isCancelled {
                // Taken before the statement, so this process's lease ends no later than the database's.
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

    /// Waits for a commit of this process and notifies the active relay, in whatever process it is; at most once per
    /// interval.
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
