import Contracts
import Foundation
import Messaging
import Postgres

/// Requests the SMS about a provider's expired subscription (N7), because only identity knows the number. Nobody can
/// switch it off (N2): without the subscription nobody sees the provider.
struct NotifyOfSubscription: Sendable {
    /// An SMS that is not sent within two days is dropped.
    static let smsSeconds: Double = 2 * 86_400

    let deliver: RequestDelivery
    let clock: @Sendable () -> Date

    func callAsFunction(_ event: SubscriptionExpired, in transaction: PostgresTransaction) async throws {
        // Nothing is sent for a deleted account.
        guard let account = try await Accounts.find(event.account, in: transaction) else { return }
        let market = Market.named(event.market)?.name ?? LocalizedText(["en": event.market])
        let now = clock()
        try await deliver(
            .subscriptionExpired(market: market), to: account, until: now.addingTimeInterval(Self.smsSeconds), at: now,
            in: transaction)
    }
}
