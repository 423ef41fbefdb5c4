import Foundation

/// Every way in which money moves. What is not here cannot be done to the ledger.
enum Transfers {
    /// The customer's own money waits in escrow. Refused when the wallet holds less.
    static func holdFromWallet(_ payment: Payment, id: UUID) -> Transfer {
        make(
            .hold, payment, id: id,
            [
                Move(payment.customerPart, from: .wallet(payment.customer, payment.currency), to: escrow(payment)),
                Move(payment.discount, from: promotion(payment), to: escrow(payment)),
            ])
    }

    /// What the payment provider has authorised waits in escrow.
    static func holdFromCard(_ payment: Payment, id: UUID) -> Transfer {
        make(
            .hold, payment, id: id,
            [
                Move(payment.customerPart, from: .external(payment.currency, for: payment.order), to: escrow(payment)),
                Move(payment.discount, from: promotion(payment), to: escrow(payment)),
            ])
    }

    /// The order is done: the provider and the platform get their shares.
    static func payOut(_ payment: Payment, to provider: UUID, id: UUID) -> Transfer {
        let shares = payment.shares
        return make(
            .capture, payment, id: id,
            [
                Move(shares.provider, from: escrow(payment), to: .wallet(provider, payment.currency)),
                Move(shares.platform, from: escrow(payment), to: .platform(payment.currency, for: payment.order)),
            ])
    }

    /// The provider has the cash and owes the platform its share: below zero where the wallet has less. What a promo code
    /// took from the cash the platform pays.
    static func takeCommission(_ payment: Payment, from provider: UUID, id: UUID) -> Transfer {
        make(
            .commission, payment, id: id,
            [
                Move(payment.discount, from: promotion(payment), to: .wallet(provider, payment.currency)),
                Move(
                    payment.shares.platform, from: .wallet(provider, payment.currency),
                    to: .platform(payment.currency, for: payment.order), overdraws: true),
            ])
    }

    static func returnToWallet(_ payment: Payment, id: UUID) -> Transfer {
        make(
            .release, payment, id: id,
            [
                Move(payment.customerPart, from: escrow(payment), to: .wallet(payment.customer, payment.currency)),
                Move(payment.discount, from: escrow(payment), to: promotion(payment)),
            ])
    }

    static func returnToCard(_ payment: Payment, id: UUID) -> Transfer {
        make(
            .release, payment, id: id,
            [
                Move(payment.customerPart, from: escrow(payment), to: .external(payment.currency, for: payment.order)),
                Move(payment.discount, from: escrow(payment), to: promotion(payment)),
            ])
    }

    static func topUp(_ topUp: TopUp, id: UUID) -> Transfer {
        Transfer(
            id: id, .topUp, of: topUp.id, currency: topUp.currency,
            [
                Move(
                    topUp.amount, from: .external(topUp.currency, for: topUp.id),
                    to: .wallet(topUp.account, topUp.currency))
            ])
    }

    private static func make(_ kind: Transfer.Kind, _ payment: Payment, id: UUID, _ moves: [Move?]) -> Transfer {
        Transfer(id: id, kind, of: payment.order, currency: payment.currency, moves)
    }

    private static func promotion(_ payment: Payment) -> AccountReference {
        .promotion(payment.currency, for: payment.order)
    }

    private static func escrow(_ payment: Payment) -> AccountReference { .escrow(payment.order, payment.currency) }
}
