import Contracts
import Foundation
import Messaging
import ServiceKit

extension Feature {
    static func deletion(_ parts: IdentityParts) -> Feature {
        let (decide, clock) = (parts.decideDeletion, parts.clock)
        return Feature(
            "deletion",
            routes: {
                DeletionRoutes(parts: parts).add(to: $0.router)
                ExportRoutes(parts: parts).add(to: $0.router)
            },
            handlers: { DeletionHandlers.register(decide, clock, in: &$0) },
            deadlines: [
                DecideDeletionOfAccount.deadline: {
                    try await decide.giveUp($0, at: $0.now(by: clock), in: $1)
                }
            ])
    }
}

/// Handles the other services' answers to identity's questions before a deletion.
enum DeletionHandlers {
    static func register(
        _ decide: DecideDeletionOfAccount, _ clock: @escaping @Sendable () -> Date, in handlers: inout MessageHandlers
    ) {
        handlers.on(DispatchAnsweredDeletion.self, sharesTransaction: false) { received, transaction in
            let answer = received.message
            // A series alone prevents nothing: it goes with its customer.
            var obstacles: [DeletionObstacle] = answer.orders.isEmpty ? [] : [.openOrder]
            if !answer.orders.isEmpty, answer.hasSeries == true { obstacles.append(.activeSeries) }
            try await decide.hear(
                Deletion.Answer(obstacles: obstacles.map(\.rawValue), orders: answer.orders), from: .dispatch,
                on: answer.deletion,
                of: answer.account, at: clock(), in: transaction)
        }
        handlers.on(WalletAnsweredDeletion.self, sharesTransaction: false) { received, transaction in
            let answer = received.message
            try await decide.hear(
                Deletion.Answer(
                    obstacles: answer.all.map(\.rawValue), orders: [],
                    owed: (answer.owed ?? []).map { Deletion.Owed(amount: $0.amount, currency: $0.currency) }),
                from: .wallet, on: answer.deletion, of: answer.account, at: clock(), in: transaction)
        }
    }
}
