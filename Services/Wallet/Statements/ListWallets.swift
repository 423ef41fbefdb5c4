import Contracts
import Foundation
import LiveMarkets
import Postgres
import ServiceKit

/// Lists a person's wallets: one for each currency of the person's markets, and one for each other currency with money.
enum ListWallets {
    struct Wallet: Encodable, Sendable, Equatable {
        let currency: String
        /// Minor units; negative when money is owed.
        let balance: Int
        /// Minor units that can be spent.
        let available: Int
        /// Minor units that wait, in escrow or on hold, for an order or a cash-out. Not part of the balance.
        let held: Int
        /// Minor units that arrive when debtors have paid. Not part of the balance.
        let waiting: Int
        /// Minor units of the balance that can be cashed out now: without money that recently came from a card, and
        /// zero while the wallet is frozen.
        let availableForCashOut: Int
        /// When more of the balance can be cashed out, ordered by time.
        let availableLater: [Later]
        /// While frozen, the wallet pays nothing and nothing is cashed out.
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
