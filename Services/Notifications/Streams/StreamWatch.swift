import Foundation
import Logging
import PollThread
import Postgres
import ServiceKit
import ServiceLifecycle

/// Looks after all streams of the process, not each by itself: heartbeats, expired tokens, ended sessions, readers that do not
/// read. Beside that, and not in its way should the database not answer, it asks there for what no wake-up told of.
struct StreamWatch: Service {
    /// Streams in one question.
    static let pollLimit = 2_000

    let hub: StreamHub
    let pool: PostgresPool
    let ended: EndedSessions
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await repeatedly(every: hub.limits.look) { look() } }
                group.addTask { await repeatedly(every: hub.limits.poll) { await poll() } }
            }
        }
    }

    private func repeatedly(every pause: Duration, _ act: () async -> Void) async {
        while !Task.isCancelled {
            await act()
            do { try await pool.thread.sleep(until: .now + pause) } catch { return }
        }
    }

    private func look() {
        let (now, date) = (ContinuousClock.now, Date())
        for stream in hub.all {
            let health = stream.look(now: now, date: date, limits: hub.limits)
            if health.isStuck {
                StreamMetrics.cutOff()
                stream.cut()
            } else if health.isExpired || stream.session.map(ended.contains) == true {
                stream.end(.expired)
            } else if health.isBehind {
                hub.read([stream], hasNews: false)
            }
        }
    }

    /// Wakes the streams that are behind.
    func poll() async {
        var marks = hub.all.compactMap(\.mark)[...]
        while !marks.isEmpty, !Task.isCancelled {
            do {
                let behind = try await pool.query(FindStreamsBehind(marks: Array(marks.prefix(Self.pollLimit))))
                hub.read(hub.streams(behind), hasNews: true)
            } catch {
                logger.warning("streams not polled", metadata: ["error": "\(error)"])
                return
            }
            marks = marks.dropFirst(Self.pollLimit)
        }
    }
}
