import Contracts
import Foundation
import Messaging
import Postgres

/// Tells again what is told only when it changes, for a reader that was not there. In batches, each in a transaction of its
/// own; what was told keeps its version, so that nobody takes old news for new.
struct Retell: Sendable {
    static let batch = 100

    let pool: PostgresPool
    let currencies: MarketCurrencies

    /// - Returns: how many accounts and promo codes were told of.
    func all(at now: Date = Date()) async throws -> (methods: Int, promoCodes: Int) {
        try await tellNewMethods(at: now)
        let methods = try await inBatches { last, transaction in
            let known = try await transaction.query(LockAccountMethods(after: last, limit: Self.batch))
            for method in known {
                try transaction.publish(
                    MethodChanged(
                        account: method.account, version: method.version, hasMethod: method.hasMethod, at: now))
            }
            return known.map(\.account)
        }
        try await PromoCodePass.pass(at: now, currencies, pool)
        let codes = try await inBatches { last, transaction in
            try await TellPromoCode.again(after: last, limit: Self.batch, at: now, in: transaction)
        }
        return (methods, codes)
    }

    /// Accounts whose cards are older than that anybody was told of them.
    func tellNewMethods(at now: Date) async throws {
        while true {
            let accounts = try await pool.query(
                FindUntoldMethods(month: CardExpiry.monthNumber(at: now), limit: Self.batch))
            for account in accounts {
                try await pool.withTransaction { transaction in
                    transaction.send(LockCards(account: account))
                    try await TellAccountMethod.tell(account, at: now, in: transaction)
                }
            }
            guard accounts.count == Self.batch else { return }
        }
    }

    /// - Parameter tell: of a batch, those after an id in the order of their ids; says of which.
    /// - Returns: of how many.
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
