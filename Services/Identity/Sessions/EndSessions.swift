import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Ends sessions of an account (I15): they cannot be refreshed, and every service refuses their access tokens as soon
/// as the event arrives, within a second.
struct EndSessions: Sendable {
    enum Cause: String, Sendable {
        case logout, reuse, surplus, password, ban, rights, deletion, admin
        case secondFactor = "second-factor"
    }

    /// Sessions in one message.
    static let batch = 500

    let ended: EndedSessions
    let accessSeconds: Int

    /// - Returns: false when the account has no such session, running or ended.
    @discardableResult
    func one(
        _ session: UUID, of account: UUID, cause: Cause = .logout, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Bool {
        let (sessions, known) = try await transaction.queryAll(
            EndOneSession(session: session, account: account, now: now, cause: cause.rawValue),
            FindSession(session: session, account: account))
        try tell(sessions, of: account, at: now, in: transaction)
        return !known.isEmpty
    }

    /// - Parameter kept: a session that does not end.
    func all(
        of account: UUID, but kept: UUID? = nil, cause: Cause = .logout, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let sessions = try await transaction.query(
            EndAllSessions(account: account, kept: kept, now: now, cause: cause.rawValue))
        try tell(sessions, of: account, at: now, in: transaction)
    }

    /// Ends the least recently used sessions beyond the maximum, so that one more may begin.
    func surplus(of account: UUID, at now: Date, in transaction: PostgresTransaction) async throws {
        let sessions = try await transaction.query(
            EndSurplusSessions(
                account: account, keep: SessionRule.maximumSessions - 1, now: now, cause: Cause.surplus.rawValue))
        try tell(sessions, of: account, at: now, in: transaction)
    }

    /// Publishes that the access tokens of these sessions, or API keys, are refused from now on.
    func tell(
        _ sessions: [UUID], of account: UUID, at now: Date, in transaction: PostgresTransaction
    ) throws {
        let until = now.addingTimeInterval(Double(accessSeconds) + SessionRule.clockSeconds)
        for start in stride(from: 0, to: sessions.count, by: Self.batch) {
            let some = Array(sessions[start..<min(start + Self.batch, sessions.count)])
            ended.keep(some, until: until, in: transaction)
            try transaction.publish(SessionsEnded(account: account, sessions: some, until: until, at: now))
        }
    }
}
