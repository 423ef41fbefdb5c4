import Contracts
import Foundation
import LiveMarkets
import Postgres
import ServiceKit

/// What a person has, and has waiting in escrow, in each currency: those of the person's markets, and those in which
/// there is something.
enum ListWallets {
    struct Wallet: Encodable, Sendable, Equatable {
        let currency: String
        /// Minor units; below zero it is owed.
        let balance: Int
        /// Minor units that can be spent.
        let available: Int
        /// Minor units of this person's, by wallet or card, that wait for their orders' end. Not part of the balance.
        let held: Int
        /// Minor units that come when their debtors have paid. Not part of the balance.
        let waiting: Int
    }

    static func of(_ caller: Caller, _ markets: LiveMarkets, _ pool: PostgresPool) async throws -> [Wallet] {
        let (balances, held, waiting) = try await pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                ListBalances(account: caller.accountID), ListHeld(account: caller.accountID),
                ListWaiting(account: caller.accountID))
        }
        let own = caller.roles.compactMap { markets.settings(of: $0.market)?.currency }
        let currencies = Set(own).union(balances.map(\.currency)).union(held.map(\.currency))
            .union(waiting.map(\.currency)).sorted()
        return currencies.map { currency in
            let balance = balances.first { $0.currency == currency }?.amount ?? 0
            return Wallet(
                currency: currency, balance: balance, available: max(0, balance),
                held: held.first { $0.currency == currency }?.amount ?? 0,
                waiting: waiting.first { $0.currency == currency }?.amount ?? 0)
        }
    }
}
