import Contracts
import Foundation
import Messaging
import Postgres

/// Series end because somebody may do nothing in a market any more, is no customer there any more, or is gone: whose they
/// are, or whom they are for. Visits that have an order stay, and end as orders do. Who is left is told.
enum EndSeries {
    static let deadlineKind = "people.lost-customer"

    enum Cause: String {
        case banned, removed, left
    }

    /// All of somebody's, and those for him or her.
    ///
    /// - Parameter market: `*` is all.
    static func of(
        _ account: UUID, in market: String, _ cause: Cause, at now: Date, _ transaction: PostgresTransaction
    ) async throws {
        let reason = "customer-\(cause.rawValue)"
        let ended = try await transaction.query(
            EndSeriesOfCustomer(customer: account, market: market, at: now, reason: reason))
        try tell(ended, because: reason, at: now, transaction)
        try await forRelative(account, in: market, cause, at: now, transaction)
    }

    /// Those for him or her.
    static func forRelative(
        _ account: UUID, in market: String, _ cause: Cause, at now: Date, _ transaction: PostgresTransaction
    ) async throws {
        let reason = "relative-\(cause.rawValue)"
        let ended = try await transaction.query(
            EndSeriesForRelative(account: account, market: market, at: now, reason: reason))
        try tell(ended, because: reason, at: now, transaction)
    }

    /// Somebody is a customer of a market no more: an admin has removed him or her (I12). What was beginning at that moment
    /// is there when the deadline fires, and what would begin finds the role gone.
    static func schedule(_ account: UUID, in market: String, at now: Date, _ transaction: PostgresTransaction) {
        transaction.set(
            Deadline(
                kind: deadlineKind, subject: "\(account.text) \(market)",
                dueAt: now.addingTimeInterval(EndOrdersOfLostRole.graceSeconds)))
    }

    /// A role that is back by then has lost nothing.
    static func fire(_ subject: String, at now: Date, in transaction: PostgresTransaction) async throws {
        let parts = subject.split(separator: " ").map(String.init)
        // Subjects are written by this program alone; another text is nobody's role.
        guard parts.count == 2, let account = UUID(uuidString: parts[0]) else { return }
        guard try await transaction.first(FindCustomerRole(market: parts[1], account: account)) == nil else { return }
        try await of(account, in: parts[1], .removed, at: now, transaction)
    }

    private static func tell(
        _ ended: [EndedSeries], because reason: String, at now: Date, _ transaction: PostgresTransaction
    ) throws {
        for series in ended {
            try transaction.publish(
                SeriesEnded(
                    series: series.series, customer: series.customer, market: series.market, reason: reason, at: now))
        }
    }
}
