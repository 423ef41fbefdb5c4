import Foundation
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Checks all streams of the process: heartbeats, expired tokens, ended sessions and stuck readers. A separate loop polls
/// the database for events without a wake-up, so that a slow database does not delay the checks.
struct StreamWatch: Service {
    /// The number of streams per query.
    static let pollLimit = 2_000

    let hub: StreamHub
    let pool: PostgresPool
    let ended: EndedSessions
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        async let looking: Void = repeatedly(
            every: hub.limits.look, logger: logger, orLog: "streams not looked after"
        ) { look() }
        await repeatedly(every: hub.limits.poll, logger: logger, orLog: "streams not polled") { try await poll() }
        await looking
    }

    private func look() {
        let (now, date) = (ContinuousClock.now, clock())
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

    /// Reads for the streams that are behind.
    private func poll() async throws {
        var marks = hub.all.compactMap(\.mark)[...]
        while !marks.isEmpty {
            let behind = try await pool.query(FindStreamsBehind(marks: Array(marks.prefix(Self.pollLimit))))
            hub.read(hub.streams(behind), hasNews: true)
            marks = marks.dropFirst(Self.pollLimit)
        }
    }
}
