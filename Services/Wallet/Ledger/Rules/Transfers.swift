import Foundation

/// Every way in which the service moves money; each one is a function here or in an extension.
enum Transfers {
    /// Moves the customer's part from the wallet, and the platform's discount, into escrow. Refused when the wallet
    /// holds less.
    static func holdFromWallet(_ payment: Payment, id: UUID) -> Transfer {
        make(
            .hold, payment, id: id,
            [
                Move(payment.heldFromCustomer, from: .wallet(payment.customer, payment.currency), to: escrow(payment)),
                Move(payment.heldFromPlatform, from: promotion(payment), to: escrow(payment)),
            ])
    }

    /// Moves an authorised amount, and the platform's discount, into escrow.
    static func holdFromCard(_ payment: Payment, id: UUID) -> Transfer {
        make(
            .hold, payment, id: id,
            [
                Move(
                    payment.heldFromCustomer, from: .external(payment.currency, for: payment.order), to: escrow(payment)
                ),
                Move(payment.heldFromPlatform, from: promotion(payment), to: escrow(payment)),
            ])
    }

    /// Moves the price that the desk took in cash into escrow.
    static func holdFromDesk(_ payment: Payment, id: UUID) -> Transfer {
        make(
            .hold, payment, id: id,
            [Move(payment.amount, from: .desk(payment.currency, for: payment.order), to: escrow(payment))])
    }

    /// Divides a completed order's escrow among the payees, and returns the excess.
    ///
    /// - Parameter refund: the refund that returns the excess to the card; the part that it does not cover goes to the
    ///   wallet.
    static func payOut(_ payment: Payment, returning refund: Refund?, id: UUID) -> Transfer {
        let division = payment.division
        let paid = division.parts.map { part in
            Move(part.net, from: escrow(payment), to: .wallet(part.payee.account, payment.currency))
        }
        let toCard = refund.flatMap { refund in
            Move(refund.amount, from: escrow(payment), to: .refund(refund.id, payment.currency))
        }
        let toWallet = Move(
            payment.excess - (refund?.amount ?? 0), from: escrow(payment),
            to: .wallet(payment.customer, payment.currency))
        return make(
            .capture, payment, id: id,
            paid + [
                Move(division.platform, from: escrow(payment), to: platform(payment)),
                toCard, toWallet,
                Move(payment.unusedDiscount, from: escrow(payment), to: promotion(payment)),
            ])
    }

    /// Takes the shares of the others from a provider who was paid in cash; the wallet may go below zero. The platform
    /// pays the discount that a promo code took from the cash.
    static func takeCommission(_ payment: Payment, from provider: UUID, id: UUID) -> Transfer {
        let division = payment.division
        let wallet = AccountReference.wallet(provider, payment.currency)
        let others = division.parts.filter { $0.payee.account != provider }.map { part in
            Move(
                part.net, from: wallet, to: .wallet(part.payee.account, payment.currency), overdraws: true,
                owed: .init(market: payment.market, order: payment.order, line: payment.line(of: part.payee)))
        }
        return make(
            .commission, payment, id: id,
            [Move(payment.discount, from: promotion(payment), to: wallet)] + others
                + [Move(division.platform, from: wallet, to: platform(payment), overdraws: true)])
    }

    static func returnToWallet(_ payment: Payment, id: UUID) -> Transfer {
        make(
            .release, payment, id: id,
            [
                Move(payment.heldFromCustomer, from: escrow(payment), to: .wallet(payment.customer, payment.currency)),
                Move(payment.heldFromPlatform, from: escrow(payment), to: promotion(payment)),
            ])
    }

    static func returnToCard(_ payment: Payment, id: UUID) -> Transfer {
        make(
            .release, payment, id: id,
            [
                Move(
                    payment.heldFromCustomer, from: escrow(payment), to: .external(payment.currency, for: payment.order)
                ),
                Move(payment.heldFromPlatform, from: escrow(payment), to: promotion(payment)),
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

    /// Returns a part of a top-up to its card, once per charge. Refused when the wallet holds less.
    static func giveBack(_ amount: Int, of topUp: TopUp, by charge: UUID, id: UUID) -> Transfer {
        Transfer(
            id: id, .topUpReturn, of: topUp.id, currency: topUp.currency,
            key: TransferKey.make(Transfer.Kind.topUpReturn.rawValue, charge),
            [
                Move(
                    amount, from: .wallet(topUp.account, topUp.currency),
                    to: .external(topUp.currency, for: topUp.id))
            ])
    }

    /// Charges a fine for a late cancellation; the wallet may go below zero.
    static func fine(_ fine: Fine, id: UUID) -> Transfer {
        let wallet = AccountReference.wallet(fine.account, fine.currency)
        let toProvider = fine.provider.flatMap { provider in
            Move(
                fine.shares.provider, from: wallet, to: .wallet(provider, fine.currency), overdraws: true,
                owed: .init(market: fine.market, order: fine.order, line: fine.line, isOfFine: true))
        }
        return Transfer(
            id: id, .fine, of: fine.order, currency: fine.currency,
            [
                toProvider,
                Move(
                    fine.shares.platform, from: wallet, to: .platform(fine.currency, for: fine.order), overdraws: true),
            ])
    }

    static func tip(_ amount: Int, _ payment: Payment, to provider: UUID, id: UUID) -> Transfer {
        make(
            .tip, payment, id: id,
            [Move(amount, from: .wallet(payment.customer, payment.currency), to: .wallet(provider, payment.currency))])
    }

    /// - Parameters:
    ///   - cancelled: the part that ``cancel(_:for:id:)`` gives back.
    ///   - overdraws: whether the funder may owe the amount. Ignored for a refund to a card, which would leave the
    ///     platform unpaid.
    static func refund(_ refund: Refund, without cancelled: Int = 0, overdraws: Bool, id: UUID) -> Transfer {
        let source =
            refund.funderAccount.map { AccountReference.wallet($0, refund.currency) }
            ?? .platform(refund.currency, for: refund.order)
        let target =
            refund.destination == .wallet
            ? AccountReference.wallet(refund.customer, refund.currency) : .refund(refund.id, refund.currency)
        return Transfer(
            id: id, .refund, of: refund.id, currency: refund.currency,
            [
                Move(
                    refund.amount - cancelled, from: source, to: target,
                    overdraws: overdraws && refund.destination == .wallet,
                    owed: .init(market: refund.market, order: refund.order, line: Refund.source(refund.id)))
            ])
    }

    /// The payment provider has returned the amount to the card.
    static func refunded(_ refund: Refund, id: UUID) -> Transfer {
        Transfer(
            id: id, .refunded, of: refund.id, currency: refund.currency,
            [
                Move(
                    refund.amount, from: .refund(refund.id, refund.currency),
                    to: .external(refund.currency, for: refund.order))
            ])
    }

    /// A refund to a card has failed and came back. Once per charge, since an order may have several.
    static func returnRefund(_ failed: RefundReturn, id: UUID) -> Transfer {
        Transfer(
            id: id, .refundReturn, of: failed.subject, currency: failed.currency,
            key: TransferKey.make(Transfer.Kind.refundReturn.rawValue, failed.charge),
            [
                Move(
                    failed.amount, from: .external(failed.currency, for: failed.subject),
                    to: .wallet(failed.account, failed.currency))
            ])
    }

    static func lock(_ deposit: Deposit, id: UUID) -> Transfer {
        Transfer(
            id: id, .deposit, of: deposit.id, currency: deposit.currency,
            [
                Move(
                    deposit.amount, from: .wallet(deposit.provider, deposit.currency),
                    to: .deposit(deposit.order, deposit.currency))
            ])
    }

    /// - Parameter toCustomer: whether an admin decided that the customer gets the deposit; otherwise it returns to the
    ///   provider.
    static func end(_ deposit: Deposit, toCustomer: Bool, id: UUID) -> Transfer {
        let receiver = toCustomer ? deposit.customer : deposit.provider
        return Transfer(
            id: id, toCustomer ? .depositForfeit : .depositReturn, of: deposit.id, currency: deposit.currency,
            [
                Move(
                    deposit.amount, from: .deposit(deposit.order, deposit.currency),
                    to: .wallet(receiver, deposit.currency))
            ])
    }

    private static func make(_ kind: Transfer.Kind, _ payment: Payment, id: UUID, _ moves: [Move?]) -> Transfer {
        Transfer(id: id, kind, of: payment.order, currency: payment.currency, moves)
    }

    private static func promotion(_ payment: Payment) -> AccountReference {
        .promotion(payment.currency, for: payment.order)
    }

    private static func platform(_ payment: Payment) -> AccountReference {
        .platform(payment.currency, for: payment.order)
    }

    private static func escrow(_ payment: Payment) -> AccountReference { .escrow(payment.order, payment.currency) }
}
