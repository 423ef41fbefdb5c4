import Foundation
import Logging
import Messaging
import PollThread
import Postgres
import ServiceKit
import ServiceLifecycle

/// Brings general notices that are due into the inboxes of those they go to (N5), in steps of some hundred people.
///
/// A step is one transaction: it locks the notice, writes items and events as for any other notice, and notes how far it
/// has come. So a process that is killed repeats and leaves out nobody, another one goes on from there, and the numbers
/// of streams keep their order. It has a connection and a pace of its own, and holds an account's lock only for one
/// step: notices of orders do not wait for it. Any number of processes may run it; the pace is that of all.
struct NoticeFanOut: Service {
    static let poll: Duration = .milliseconds(100)

    let pool: PostgresPool
    let hub: StreamHub
    let pace: NoticePace
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await pool.again(every: Self.poll, "general notices do not go out", logger) {
                while let pause = try await step() { try await pool.thread.sleep(until: .now + pause) }
            }
        }
    }

    /// - Returns: the pause before the next step; nil if nothing was due.
    func step() async throws -> Duration? {
        try await pool.withTransaction { transaction in
            let now = clock()
            guard let notice = try await transaction.first(LockDueNotice(now: now)) else { return nil }
            let people = try await transaction.query(ListNoticePeople(notice: notice, limit: NoticePace.step))
            let chosen = people.filter(\.isChosen).map(\.account)
            let pauseSeconds = pace.pauseSeconds(after: chosen.count)
            NoticeWriter.of(transaction, hub).tell(
                chosen.map { .general(notice.id, to: $0, at: now, id: .timeOrdered()) })
            transaction.send(
                AdvanceGeneralNotice(
                    id: notice.id, lastAccount: people.last?.account, recipients: chosen.count,
                    isLast: people.count < NoticePace.step, pauseSeconds: pauseSeconds, now: now))
            return .seconds(pauseSeconds)
        }
    }
}
