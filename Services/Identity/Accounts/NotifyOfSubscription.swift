import Contracts
import Foundation
import Messaging
import Postgres

/// Requests the SMS about a provider's expired subscription (N7), because only identity knows the number. An owner who
/// has switched notices by SMS off (I6) reads it in the inbox.
struct NotifyOfSubscription: Sendable {
    /// An SMS that is not sent within two days is dropped.
    static let smsSeconds: Double = 2 * 86_400

    let deliver: RequestDelivery
    let clock: @Sendable () -> Date

    func callAsFunction(_ event: SubscriptionExpired, in transaction: PostgresTransaction) async throws {
        // Nothing is sent for a deleted account.
        guard let account = try await Accounts.find(event.account, in: transaction), account.choices.sms else { return }
        let market = Market.named(event.market)?.name ?? LocalizedText(["en": event.market])
        let now = clock()
        try await deliver(
            .subscriptionExpired(market: market), to: account, until: now.addingTimeInterval(Self.smsSeconds), at: now,
            in: transaction)
    }
}
