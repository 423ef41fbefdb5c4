import Contracts
import Foundation
import Messaging
import Postgres

/// Publishes again what is otherwise published only on a change, for readers that were not there. Works in batches with
/// a transaction each. Versions are kept, so that no reader takes old news for new.
struct RepublishMethods: Sendable {
    static let batch = 100

    let pool: PostgresPool
    let currencies: MarketCurrencies

    /// - Returns: the numbers of published accounts and promo codes.
    func all(at now: Date) async throws -> (methods: Int, promoCodes: Int) {
        try await tellNewMethods(at: now)
        let methods = try await inBatches { last, transaction in
            let known = try await transaction.query(LockAccountMethods(after: last, limit: Self.batch))
            for method in known {
                try transaction.publish(
                    MethodChanged(
                        account: method.account, version: method.told.version, hasMethod: method.told.hasMethod,
                        cards: method.told.cards, at: now))
            }
            return known.map(\.account)
        }
        try await PromoCodePass.pass(at: now, currencies, pool)
        let codes = try await inBatches { last, transaction in
            try await PublishPromoCode.again(after: last, limit: Self.batch, at: now, in: transaction)
        }
        return (methods, codes)
    }

    /// Publishes accounts whose cards are older than the event.
    func tellNewMethods(at now: Date) async throws {
        while true {
            let accounts = try await pool.query(
                FindUnpublishedMethods(month: CardExpiry.monthNumber(at: now), limit: Self.batch))
            for account in accounts {
                try await pool.withTransaction { transaction in
                    transaction.send(LockCards(account: account))
                    try await PublishAccountMethod.tell(account, at: now, in: transaction)
                }
            }
            guard accounts.count == Self.batch else { return }
        }
    }

    /// - Parameter tell: publishes a batch of subjects after an id, ordered by id, and returns their ids.
    /// - Returns: the number of published subjects.
    private func inBatches(
        _ tell: (_ last: UUID?, PostgresTransaction) async throws -> [UUID]
    ) async throws -> Int {
        var (last, count): (UUID?, Int) = (nil, 0)
        while true {
            let after = last
            let told = try await pool.withTransaction { transaction in try await tell(after, transaction) }
            count += told.count
            last = told.last
            guard told.count == Self.batch else { return count }
        }
    }
}
