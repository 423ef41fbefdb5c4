import Foundation
import Logging
import Messaging
import PollThread
import Postgres
import ServiceLifecycle

/// Runs a worker's rounds, several at a time, each for another area. Areas are not assigned in advance: a free lane
/// takes a due area that no other lane has leased. So an added worker gets its share at its next look, and the areas of
/// a killed worker are taken over when their leases end.
struct RoundRunner: Service {
    /// Length of a lease in seconds; it ends earlier when the round releases the area.
    static let leaseSeconds = 4.0
    /// Intervals at which the first lane and the other lanes look without a signal.
    static let poll: Duration = .milliseconds(200)
    static let slowPoll: Duration = .milliseconds(500)
    /// Retention of reasonings in seconds (30 days).
    static let keptSeconds = 30 * 86_400.0
    static let purgeInterval: Duration = .seconds(60)
    static let purgeBatch = 1_000

    let pool: PostgresPool
    let round: RunRound
    /// Number of concurrent rounds.
    let lanes: Int
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await listen() }
                group.addTask { await purge() }
                for lane in 0..<lanes { group.addTask { await runLane(lane) } }
            }
        }
    }

    private func runLane(_ lane: Int) async {
        let signal = pool.signal(RoundNotifier.lanes)
        while !Task.isCancelled {
            do {
                guard try await runNext() else {
                    _ = await signal.wait(
                        until: .now + (lane == 0 ? Self.poll : Self.slowPoll), on: pool.thread)
                    continue
                }
            } catch {
                guard !Task.isCancelled else { return }
                logger.warning("a round failed", metadata: ["error": "\(String(describing: error).prefix(500))"])
                do { try await pool.thread.sleep(until: .now + .milliseconds(Int.random(in: 50...250))) } catch {
                    return
                }
            }
        }
    }

    /// - Returns: whether another area may be due.
    func runNext() async throws -> Bool {
        // A new lease id for each round: a round that outlived its lease must not release the area that another lane
        // has taken since.
        let lease = UUID.timeOrdered()
        let area: RoundArea
        switch try await pool.first(ClaimArea(lease: lease, seconds: Self.leaseSeconds)) {
        case .claimed(let claimed): area = claimed
        // Another worker claimed the chosen area. That leaves one due area less, so the repetition ends.
        case .lost: return true
        case nil: return false
        }
        // Further areas may be due.
        pool.signal(RoundNotifier.lanes).raise()
        let start = ContinuousClock.now
        let outcome = try await round(area)
        // A failed round keeps its lease, so that no worker repeats it at once.
        try await pool.execute(ReleaseArea(area: area, lease: lease))
        RoundMetrics.ran(outcome, took: .now - start)
        return true
    }

    private func listen() async {
        let listener = PostgresListener(
            pool.connectionConfiguration, channel: RoundNotifier.channel, thread: pool.thread, logger: logger)
        for await _ in listener { pool.signal(RoundNotifier.lanes).raise() }
    }

    /// Removes all that are older, however many there are.
    func purgeExplanations(before: Date) async throws {
        try await pool.executeInBatches(
            of: Self.purgeBatch, PurgeExplanations(before: before, limit: Self.purgeBatch))
    }

    private func purge() async {
        while !Task.isCancelled {
            do {
                try await purgeExplanations(before: round.clock() - Self.keptSeconds)
            } catch {
                logger.debug("old reasonings not removed", metadata: ["error": "\(error)"])
            }
            do { try await pool.thread.sleep(until: .now + Self.purgeInterval) } catch { return }
        }
    }
}
