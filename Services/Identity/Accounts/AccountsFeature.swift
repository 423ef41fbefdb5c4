import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

extension Feature {
    static func accounts(_ parts: IdentityParts) -> Feature {
        let (pool, logger, clock) = (parts.pool, parts.base.bootstrap.logger, parts.clock)
        return Feature(
            "accounts",
            routes: {
                AccountRoutes(parts: parts).add(to: $0.router)
                ConfirmationRoutes(parts: parts).add(to: $0.router)
                AvatarRoutes(parts: parts).add(to: $0.router)
                PersonRoutes(parts: parts).add(to: $0.router)
                RegistrationRulesRoutes(parts: parts).add(to: $0.router)
                BillingAddressRoutes(parts: parts).add(to: $0.router)
            },
            handlers: { AccountHandlers.register(parts, in: &$0) },
            deadlines: [
                AskProof.deadline: {
                    try await parts.askProof.answer($0, at: $0.now(by: clock), in: $1)
                }
            ],
            working: [
                ServiceComponent(
                    "purge", stage: .background,
                    PurgeExpired(pool: pool, logger: logger, clock: clock, interval: .seconds(600))),
                ServiceComponent(
                    "inactive accounts", stage: .background,
                    WatchInactive(
                        pool: pool, deliver: parts.deliver, logger: logger, clock: clock, interval: .seconds(3_600))),
                ServiceComponent(
                    "login reminders", stage: .background,
                    RemindOfLogin(
                        pool: pool, cipher: parts.cipher, deliver: parts.deliver, logger: logger, clock: clock,
                        interval: .seconds(3_600))),
            ],
            uploads: [AvatarRoutes.upload: ChangeAvatar.maximumBytes])
    }
}

/// Handles what other services tell of people: their ratings, and ended subscriptions of which they get an SMS.
enum AccountHandlers {
    static func register(_ parts: IdentityParts, in handlers: inout MessageHandlers) {
        let tell = NotifyOfSubscription(deliver: parts.deliver, clock: parts.clock)
        handlers.on(RatingGiven.self) { received, transaction in rated(received.message, in: transaction) }
        handlers.on(SubscriptionExpired.self, sharesTransaction: false) { received, transaction in
            try await tell(received.message, in: transaction)
        }
    }

    /// The message comes once in effect, and there is one for each party of an order.
    static func rated(_ rating: RatingGiven, in transaction: PostgresTransaction) {
        for given in GivenStars.of(rating) { RatingSums.of(transaction).add(given) }
    }
}
