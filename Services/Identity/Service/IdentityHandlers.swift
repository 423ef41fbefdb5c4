import Contracts
import Foundation
import Messaging
import Postgres

/// What identity hears: the answers to its own questions, what stars people were given, whom to send an SMS, and who may
/// see whose contact.
enum IdentityHandlers {
    static func make(
        _ decide: DecideDeletionOfAccount, _ tell: TellOfSubscription, clock: @escaping @Sendable () -> Date
    ) -> MessageHandlers {
        var handlers = MessageHandlers()
        handlers.on(DispatchAnsweredDeletion.self, sharesTransaction: false) { received, transaction in
            let answer = received.message
            let obstacles = answer.orders.isEmpty ? [] : [DeletionObstacle.openOrder.rawValue]
            try await decide.hear(
                Deletion.Answer(obstacles: obstacles, orders: answer.orders), from: .dispatch, on: answer.deletion,
                of: answer.account, at: clock(), in: transaction)
        }
        handlers.on(WalletAnsweredDeletion.self, sharesTransaction: false) { received, transaction in
            let answer = received.message
            try await decide.hear(
                Deletion.Answer(obstacles: answer.obstacles.map(\.rawValue), orders: []), from: .wallet,
                on: answer.deletion, of: answer.account, at: clock(), in: transaction)
        }
        handlers.on(RatingGiven.self) { received, transaction in rated(received.message, in: transaction) }
        handlers.on(SubscriptionExpired.self, sharesTransaction: false) { received, transaction in
            try await tell(received.message, in: transaction)
        }
        OpenContacts.register(in: &handlers)
        return handlers
    }

    /// The message comes once in effect, and there is one for each party of an order.
    static func rated(_ rating: RatingGiven, in transaction: PostgresTransaction) {
        let role: Role.Kind = rating.by == .provider ? .customer : .provider
        RatingSums.of(transaction).add(
            AddRatings.Given(account: rating.to, market: rating.market, role: role, stars: rating.stars))
    }
}
