import Foundation
import Messaging
import Postgres

/// Somebody is a provider of a market no more, such as whom an admin has removed from it (I12): nobody would go on with
/// the orders that he has there, so they end as those of a banned provider do.
///
/// It is a deadline of the account and the market, a moment after identity's word: what was beginning then is there by
/// now, and what would begin finds the role, and the sessions, gone. A role that is back by then has lost nothing.
enum EndOrdersOfLostRole {
    static let deadlineKind = "people.lost-role"
    static let graceSeconds: Double = 2

    static func schedule(_ account: UUID, in market: String, at now: Date, _ transaction: PostgresTransaction) {
        let subject = "\(account.text) \(market)"
        transaction.set(
            Deadline(kind: deadlineKind, subject: subject, dueAt: now.addingTimeInterval(graceSeconds)))
    }

    /// Waits for no order: each has a deadline of its own.
    static func end(_ subject: String, at now: Date, in transaction: PostgresTransaction) async throws {
        let parts = subject.split(separator: " ").map(String.init)
        // Subjects are written by this program alone; another text is nobody's role.
        guard parts.count == 2, let account = UUID(uuidString: parts[0]) else { return }
        let lost = try await transaction.query(FindLostProviders(accounts: [account], market: parts[1]))
        guard !lost.isEmpty else { return }
        try await EndBannedOrder.schedule(of: account, in: parts[1], at: now, transaction)
    }
}
