import Contracts
import Foundation
import Logging
import Messaging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Notifies owners of expiring cards, once for each card and expiry, from the first day of the month before the last
/// valid one, and once more when it is over. Also publishes whether an account whose card has expired still has a
/// chargeable one. Any number of processes may run it.
struct CardExpiryPass: Service {
    static let interval: Duration = .seconds(3_600)
    static let batch = 100

    let pool: PostgresPool
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "expiring cards were not looked for") {
            try await pass(at: clock())
        }
    }

    func pass(at now: Date) async throws {
        while try await notice(at: now) == Self.batch {}
        while try await lapse(at: now) > 0 {}
        // Cards from before their accounts were told of with them.
        try await RepublishMethods(pool: pool, currencies: .unknown).tellNewMethods(at: now)
    }

    /// - Returns: the number of notified owners.
    private func notice(at now: Date) async throws -> Int {
        try await pool.withTransaction { transaction in
            let cards = try await transaction.query(
                TakeExpiringCards(month: CardExpiry.monthNumber(at: now), limit: Self.batch))
            for card in cards {
                try transaction.publish(
                    CardExpiring(
                        card: card.id, account: card.account, brand: card.brand, lastFour: card.lastFour,
                        expiryMonth: card.expiry.month, expiryYear: card.expiry.year, at: now))
            }
            return cards.count
        }
    }

    /// - Returns: the number of checked accounts.
    private func lapse(at now: Date) async throws -> Int {
        let month = CardExpiry.monthNumber(at: now)
        let accounts = try await pool.query(FindLapsedCards(month: month, limit: Self.batch))
        for account in accounts {
            try await pool.withTransaction { transaction in
                transaction.send(LockCards(account: account))
                for card in try await transaction.query(MarkLapsedCards(account: account, month: month)) {
                    try transaction.publish(
                        CardExpired(
                            card: card.id, account: account, brand: card.brand, lastFour: card.lastFour,
                            expiryMonth: card.expiry.month, expiryYear: card.expiry.year, at: now))
                }
                try await PublishAccountMethod.tell(account, at: now, in: transaction)
            }
        }
        return accounts.count
    }
}
