import Foundation
import Messaging
import Postgres

/// Ends the orders of an account that is no provider of a market any more, for example because an admin removed it
/// (I12). Its open orders end like those of a banned provider.
///
/// Runs as a deadline per account and market, 2 s after identity's event: orders that were being created then exist by
/// now, and later attempts find neither role nor session. A role that was restored in the meantime loses nothing.
enum EndOrdersOfLostRole {
    static let deadlineKind = "people.lost-role"
    static let graceSeconds: Double = 2

    static func schedule(_ account: UUID, in market: String, at now: Date, _ transaction: PostgresTransaction) {
        let subject = "\(account.text) \(market)"
        transaction.set(
            Deadline(kind: deadlineKind, subject: subject, dueAt: now.addingTimeInterval(graceSeconds)))
    }

    /// Takes no order lock: each order has its own deadline.
    static func end(_ subject: String, at now: Date, in transaction: PostgresTransaction) async throws {
        let parts = subject.split(separator: " ").map(String.init)
        // Only this program writes subjects; ignores any other text.
        guard parts.count == 2, let account = UUID(uuidString: parts[0]) else { return }
        let lost = try await transaction.query(FindLostProviders(accounts: [account], market: parts[1]))
        guard !lost.isEmpty else { return }
        try await ApplyBanToOrder.schedule(of: account, in: parts[1], at: now, transaction)
    }
}
