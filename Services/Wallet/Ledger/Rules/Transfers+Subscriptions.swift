import Foundation

extension Transfers {
    /// Pays a subscription period from the wallet. Refused when the wallet holds less.
    static func payFromWallet(_ period: SubscriptionPeriod, id: UUID) -> Transfer {
        pay(period, id, from: .wallet(period.account, period.currency))
    }

    /// Pays a subscription period with money that the payment provider took from a card.
    static func payFromCard(_ period: SubscriptionPeriod, id: UUID) -> Transfer {
        pay(period, id, from: .external(period.currency, for: period.id))
    }

    private static func pay(_ period: SubscriptionPeriod, _ id: UUID, from: AccountReference) -> Transfer {
        Transfer(
            id: id, .subscription, of: period.id, currency: period.currency,
            [Move(period.price, from: from, to: .platform(period.currency, for: period.id))])
    }
}
