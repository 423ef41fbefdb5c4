import Foundation
import Messaging

/// Which deadline leads to which operation.
enum WalletDeadlines {
    static let handlers: [String: DeadlineRunner.Operation] = [
        CheckFines.kind: { try await CheckFines.fire($0, at: Date(), in: $1) },
        CheckFines.paidKind: { try await CheckFines.fire($0, at: Date(), in: $1) },
        SubscriptionDeadlines.renewal: { try await SubscriptionDeadlines.renew($0, at: Date(), in: $1) },
        SubscriptionDeadlines.expiry: { try await SubscriptionDeadlines.expire($0, at: Date(), in: $1) },
    ]

    /// Apart from the others: these lock the ledger's accounts, all in one set, and the others wake by them.
    static let holdExpiries: [String: DeadlineRunner.Operation] = [HoldExpiry.kind: HoldExpiry.operation]
}
