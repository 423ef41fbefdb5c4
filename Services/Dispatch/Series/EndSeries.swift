import Contracts
import Foundation
import Messaging
import Postgres

/// Ends series when their customer, or the relative whom they are for, is banned, loses the customer's role or deletes
/// the account. Visits with an order stay and end as orders do. The series' customer is notified.
enum EndSeries {
    static let deadlineKind = "people.lost-customer"

    enum Cause: String {
        case banned, removed, left
    }

    /// Ends an account's series, and the series for this account as a relative.
    ///
    /// - Parameter market: `*` for all markets.
    static func of(
        _ account: UUID, in market: String, _ cause: Cause, at now: Date, _ transaction: PostgresTransaction
    ) async throws {
        let reason = "customer-\(cause.rawValue)"
        let ended = try await transaction.query(
            EndSeriesOfCustomer(customer: account, market: market, at: now, reason: reason))
        try tell(ended, because: reason, at: now, transaction)
        try await forRelative(account, in: market, cause, at: now, transaction)
    }

    /// Ends the series for this account as a relative.
    static func forRelative(
        _ account: UUID, in market: String, _ cause: Cause, at now: Date, _ transaction: PostgresTransaction
    ) async throws {
        let reason = "relative-\(cause.rawValue)"
        let ended = try await transaction.query(
            EndSeriesForRelative(account: account, market: market, at: now, reason: reason))
        try tell(ended, because: reason, at: now, transaction)
    }

    /// Schedules the end of series after an admin has removed the customer's role (I12). A series whose creation was
    /// under way exists when the deadline fires; a later creation finds the role gone.
    static func schedule(_ account: UUID, in market: String, at now: Date, _ transaction: PostgresTransaction) {
        transaction.set(
            Deadline(
                kind: deadlineKind, subject: "\(account.text) \(market)",
                dueAt: now.addingTimeInterval(EndOrdersOfLostRole.graceSeconds)))
    }

    /// Ends the series unless the role has come back meanwhile.
    static func fire(_ subject: String, at now: Date, in transaction: PostgresTransaction) async throws {
        let parts = subject.split(separator: " ").map(String.init)
        // Only this program writes subjects; another text names no role.
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
