import Contracts
import Foundation
import Messaging

/// What identity hears: the answers to its own questions, and whom to send an SMS.
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
        handlers.on(SubscriptionExpired.self, sharesTransaction: false) { received, transaction in
            try await tell(received.message, in: transaction)
        }
        return handlers
    }
}
