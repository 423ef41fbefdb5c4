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
        /// Minor units of the balance that can be cashed out now. What came from a card not long ago stays, and all of it
        /// while the wallet is frozen.
        let availableForCashOut: Int
        /// When more of the balance can be cashed out, in the order of time.
        let availableLater: [Later]
        /// Nothing is paid from it, nor cashed out.
        let isFrozen: Bool
    }

    struct Later: Encodable, Sendable, Equatable {
        let at: Date
        /// Minor units.
        let amount: Int
    }

    static func of(
        _ caller: Caller, _ markets: LiveMarkets, at now: Date, _ pool: PostgresPool
    ) async throws -> [Wallet] {
        let (account, holds) = (caller.accountID, CardHolds(markets))
        let (balances, held, waiting, isFrozen, leaving) = try await pool.withTransaction(.readOnly) { transaction in
            let (balances, held, waiting, freezes) = try await transaction.queryAll(
                ListBalances(account: account), ListHeld(account: account), ListWaiting(account: account),
                FindFreeze(account: account))
            var leaving: [String: CardMoney.Leaving] = [:]
            for row in balances where row.amount > 0 {
                let money = try await CardMoney.of(
                    account, row.currency, holds, at: now, in: transaction)
                leaving[row.currency] = money.leaving(at: now, holds)
            }
            return (balances, held, waiting, !freezes.isEmpty, leaving)
        }
        let own = caller.roles.compactMap { markets.settings(of: $0.market)?.currency }
        let currencies = Set(own).union(balances.map(\.currency)).union(held.map(\.currency))
            .union(waiting.map(\.currency)).sorted()
        return currencies.map { currency in
            let balance = balances.first { $0.currency == currency }?.amount ?? 0
            return Wallet(
                currency: currency, balance: balance, available: isFrozen ? 0 : max(0, balance),
                held: held.first { $0.currency == currency }?.amount ?? 0,
                waiting: waiting.first { $0.currency == currency }?.amount ?? 0,
                availableForCashOut: isFrozen ? 0 : leaving[currency]?.now ?? 0,
                availableLater: (leaving[currency]?.later ?? []).map { Later(at: $0.at, amount: $0.amount) },
                isFrozen: isFrozen)
        }
    }
}
