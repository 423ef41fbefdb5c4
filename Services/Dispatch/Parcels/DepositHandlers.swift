import Contracts
import Foundation
import Messaging

/// Handlers of the wallet's events about deposits.
enum DepositHandlers {
    static func add(
        to handlers: inout MessageHandlers, _ record: RecordDeposit, clock: @escaping @Sendable () -> Date
    ) {
        handlers.on(DepositLocked.self) { received, transaction in
            let event = received.message
            try await record(
                .depositLocked(orderVersion: event.orderVersion), of: event.order, at: clock(), in: transaction
            )
        }
        handlers.on(DepositRefused.self) { received, transaction in
            let event = received.message
            try await record(
                .depositRefused(orderVersion: event.orderVersion), of: event.order, at: clock(),
                in: transaction)
        }
        handlers.on(DepositEnded.self) { received, transaction in
            let event = received.message
            try await record(
                .depositEnded(toCustomer: event.to == .customer), of: event.order, from: event.provider,
                at: clock(), in: transaction)
        }
    }
}
