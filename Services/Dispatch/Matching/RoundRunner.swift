import Foundation
import Logging
import Messaging
import PollThread
import Postgres
import ServiceLifecycle

/// A worker's rounds. Some run at once, each of another area; which areas is nobody's plan: whoever looks next takes
/// one that is due and that no other has. So a worker that is added has its share with its next look, and what a
/// killed one had in hand is taken over when its lease ends.
struct RoundRunner: Service {
    /// How long an area is a worker's, unless it gives it back.
    static let leaseSeconds = 4.0
    /// How often the first lane looks by itself, and the others.
    static let poll: Duration = .milliseconds(200)
    static let slowPoll: Duration = .milliseconds(500)
    /// How long reasonings are kept.
    static let keptSeconds = 30 * 86_400.0
    static let purgeInterval: Duration = .seconds(60)

    let pool: PostgresPool
    let round: RunRound
    /// Rounds at once.
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
        let signal = pool.signal(RoundCall.lanes)
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

    /// - Returns: whether there may be another one to run.
    func runNext() async throws -> Bool {
        // Another one each time: a round that is late must not give back what another lane has taken meanwhile.
        let lease = UUID.timeOrdered()
        let area: RoundArea
        switch try await pool.first(ClaimArea(lease: lease, seconds: Self.leaseSeconds)) {
        case .claimed(let claimed): area = claimed
        // Whoever has won it makes it one less that is due, so this comes to an end.
        case .lost: return true
        case nil: return false
        }
        // There may be others.
        pool.signal(RoundCall.lanes).raise()
        let start = ContinuousClock.now
        let outcome = try await round(area)
        // One that failed keeps its lease, so that it is not tried again at once, by anybody.
        try await pool.execute(ReleaseArea(area: area, lease: lease))
        RoundMetrics.ran(outcome, took: .now - start)
        return true
    }

    private func listen() async {
        let listener = PostgresListener(
            pool.connectionConfiguration, channel: RoundCall.channel, thread: pool.thread, logger: logger)
        for await _ in listener { pool.signal(RoundCall.lanes).raise() }
    }

    private func purge() async {
        while !Task.isCancelled {
            do {
                try await pool.execute(PurgeExplanations(before: Date() - Self.keptSeconds))
            } catch {
                logger.debug("old reasonings not removed", metadata: ["error": "\(error)"])
            }
            do { try await pool.thread.sleep(until: .now + Self.purgeInterval) } catch { return }
        }
    }
}
