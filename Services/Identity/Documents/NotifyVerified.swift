import Contracts
import Foundation
import Messaging
import Postgres

/// Sends a verified provider a mail with instructions for preparing that fit the work (I7), however the provider was verified.
/// Without a title it is the work's, or else the restaurant's.
struct NotifyVerified: Sendable {
    let deliver: RequestDelivery

    func callAsFunction(
        _ account: Account, in market: String, title: String? = nil, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard let role = account.provider(in: market, title: title), role.state == .verified else { return }
        try await deliver(
            .providerVerified(
                market: Market.named(market)?.name ?? ["en": market], title: role.title,
                needsSubscription: deliver.needsSubscription(market)), to: account,
            until: now.addingTimeInterval(DecideProvider.mailSeconds), at: now, in: transaction)
    }
}
