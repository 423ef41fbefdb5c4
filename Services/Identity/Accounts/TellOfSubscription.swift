import Contracts
import Foundation
import Messaging
import Postgres

/// Asks for the SMS that a provider's subscription has expired (N7): identity alone knows the number. Whoever wants no
/// notices by SMS (I6) reads it in the inbox.
struct TellOfSubscription: Sendable {
    /// The SMS is of use for two days.
    static let smsSeconds: Double = 2 * 86_400

    let deliver: RequestDelivery
    let clock: @Sendable () -> Date

    func callAsFunction(_ event: SubscriptionExpired, in transaction: PostgresTransaction) async throws {
        // Whoever is gone is told nothing.
        guard let account = try await Accounts.find(event.account, in: transaction), account.choices.sms else { return }
        let market = Market.named(event.market)?.name ?? LocalizedText(["en": event.market])
        let now = clock()
        try await deliver(
            .subscriptionExpired(market: market), to: account, until: now.addingTimeInterval(Self.smsSeconds), at: now,
            in: transaction)
    }
}
