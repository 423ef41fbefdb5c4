import Foundation
import Messaging

/// Which deadline leads to which operation: four sets, each with a runner of its own, so that none shares a transaction
/// with another's.
enum WalletDeadlines {
    /// A deadline is due by the database's clock. By one that is behind it would be too early still, be set to the same time
    /// again, and be fired without a pause.
    private static func now(for deadline: Deadline) -> Date { max(Date(), deadline.dueAt) }

    /// Whoever posts may wait for one of these that is being fired (`wake_fines` in the migrations). So nothing is fired
    /// with them that waits for the ledger.
    static let fines: [String: DeadlineRunner.Operation] = [
        CheckFines.kind: { try await CheckFines.fire($0, at: now(for: $0), in: $1) },
        CheckFines.paidKind: { try await CheckFines.fire($0, at: now(for: $0), in: $1) },
    ]

    /// A renewal by wallet posts with the commit; an end waits for who changes the subscription, who may be posting.
    static let subscriptions: [String: DeadlineRunner.Operation] = [
        SubscriptionDeadlines.renewal: { try await SubscriptionDeadlines.renew($0, at: now(for: $0), in: $1) },
        SubscriptionDeadlines.expiry: { try await SubscriptionDeadlines.expire($0, at: now(for: $0), in: $1) },
    ]

    /// These lock debtors, their debts and the ledger's accounts, all in one set. Nobody who posts waits for one of them.
    static let debts: [String: DeadlineRunner.Operation] = [SettleDebts.kind: SettleDebts.operation]

    /// What is paid without its customer is tried again. From a wallet it is posted with the commit.
    static func unattended(_ charge: ChargeByConsent) -> [String: DeadlineRunner.Operation] {
        [ChargeByConsent.deadlineKind: { try await charge.fire($0, at: now(for: $0), in: $1) }]
    }

    /// These lock the ledger's accounts, all in one set.
    static let holdExpiries: [String: DeadlineRunner.Operation] = [HoldExpiry.kind: HoldExpiry.operation]
}
