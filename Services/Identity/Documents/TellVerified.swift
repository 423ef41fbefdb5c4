import Contracts
import Foundation
import Messaging
import Postgres

/// Sends a verified provider a mail with instructions for preparing (I7), however the provider was verified.
struct TellVerified: Sendable {
    let deliver: RequestDelivery

    func callAsFunction(
        _ account: Account, in market: String, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard account.role(.provider, in: market)?.state == .verified else { return }
        try await deliver(
            .providerVerified(market: Market.named(market)?.name ?? ["en": market]), to: account,
            until: now.addingTimeInterval(DecideProvider.mailSeconds), at: now, in: transaction)
    }
}
