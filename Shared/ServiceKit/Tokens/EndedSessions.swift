public import Foundation
import Locks
public import Logging
import PollThread
public import Postgres
public import ServiceLifecycle

/// The sessions whose unexpired access tokens are refused: after a logout, a ban, or a change of password.
///
/// A service stores identity's events about them in a table of its own (``keep(_:until:in:)``). The process that
/// received the event refuses the tokens from the commit on; every other process, and one that starts, reads the table
/// four times a second. A row is kept until the last access token of its session has expired, so there are few. Needs
/// ``migrations``.
public final class EndedSessions: Service {
    public static let migrations = [
        Migration(
            component: "tokens", version: 1, name: "ended_sessions",
            sql: String(decoding: PackageResources._002_ended_sessions_sql, as: UTF8.self)),
        Migration(
            component: "tokens", version: 2, name: "ended_sessions_comment",
            sql: String(decoding: PackageResources._005_ended_sessions_comment_sql, as: UTF8.self)),
    ]
    static let readInterval: Duration = .milliseconds(250)
    static let purgeInterval: Duration = .seconds(60)
    static let purgeBatch = 1_000
    /// Rows of this time are read again: a row may be committed later than another one that was written after it.
    static let overlapSeconds: Double = 60
    /// How often all rows are read: a row may be committed by a transaction that took longer than the overlap.
    static let wholeInterval: Duration = .seconds(10)
    /// How long a start waits for the first read. Without a database the service still starts.
    static let startLimit: Duration = .seconds(5)

    private struct State {
        /// When each session may be forgotten.
        var sessions: [UUID: Date] = [:]
        var readUpTo = Date(timeIntervalSince1970: 0)
    }

    private let pool: PostgresPool
    private let logger: Logger
    private let state = Mutex(State())

    public init(pool: PostgresPool, logger: Logger) {
        self.pool = pool
        self.logger = logger
    }

    public func contains(_ session: UUID) -> Bool { state.withLock { $0.sessions[session] != nil } }

    /// Stores sessions whose tokens are refused from the commit on. Repeats do nothing.
    ///
    /// - Parameter until: when their last access token expires.
    public func keep(_ sessions: [UUID], until: Date, in transaction: PostgresTransaction) {
        guard !sessions.isEmpty else { return }
        transaction.send(KeepEndedSessions(sessions: sessions, until: until))
        transaction.participant(Arrivals.self) { Arrivals(self) }.add(sessions, until: until)
    }

    /// Reads rows that were added to the table.
    func refresh(whole: Bool = false) async throws {
        let known = state.withLock { $0.readUpTo }
        let from = whole ? Date(timeIntervalSince1970: 0) : known.addingTimeInterval(-Self.overlapSeconds)
        let rows = try await pool.query(ListEndedSessions(from: from))
        guard !rows.isEmpty else { return }
        state.withLock { state in
            for row in rows {
                state.sessions[row.session] = row.forgetAt
                state.readUpTo = max(state.readUpTo, row.heardAt)
            }
        }
    }

    /// Deletes sessions whose tokens have all expired.
    func purge(now: Date = Date()) async throws {
        state.withLock { state in state.sessions = state.sessions.filter { $0.value > now } }
        try await pool.executeInBatches(
            of: Self.purgeBatch, ForgetEndedSessions(before: now, limit: Self.purgeBatch))
    }

    /// Returns when the table was read once, or after five seconds without success.
    func firstRead() async {
        let deadline = ContinuousClock.now + Self.startLimit
        while !Task.isCancelled, .now < deadline {
            do { return try await refresh() } catch { report(error) }
            // After a cancellation the loop ends by itself.
            try? await pool.thread.sleep(until: .now + Self.readInterval)
        }
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            var nextPurge = ContinuousClock.now + Self.purgeInterval
            var nextWhole = ContinuousClock.now + Self.wholeInterval
            while !Task.isCancelled {
                do {
                    let isWhole = .now >= nextWhole
                    try await self.refresh(whole: isWhole)
                    if isWhole { nextWhole = .now + Self.wholeInterval }
                    if .now >= nextPurge {
                        nextPurge = .now + Self.purgeInterval
                        try await self.purge()
                    }
                } catch {
                    self.report(error)
                }
                do { try await self.pool.thread.sleep(until: .now + Self.readInterval) } catch { return }
            }
        }
    }

    private func report(_ error: any Error) {
        // A cancelled read means the end of the service.
        guard !Task.isCancelled else { return }
        logger.warning("ended sessions not read", metadata: [LogKeys.error: "\(error)"])
    }

    /// The sessions received in a transaction, applied after its commit.
    private final class Arrivals: CommitParticipant {
        private let owner: EndedSessions
        private var sessions: [UUID: Date] = [:]

        init(_ owner: EndedSessions) { self.owner = owner }

        func add(_ more: [UUID], until: Date) {
            for session in more { sessions[session] = until }
        }

        func willCommit(_ transaction: PostgresTransaction) {}

        func didCommit() { owner.state.withLock { $0.sessions.merge(sessions) { max($0, $1) } } }
    }
}
