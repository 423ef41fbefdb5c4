import Contracts
import Foundation
import Messaging

@testable import SeraiNotifications

extension ItemTests {
    /// Money that leaves wallets, and promo codes.
    static let moneyOut: [Case] = [
        Case(
            name: "cash-out accepted",
            publish: { world, sample in try await world.publish(sample.decided(isAccepted: true)) }),
        Case(
            name: "cash-out rejected",
            publish: { world, sample in try await world.publish(sample.decided(isAccepted: false)) },
            provider: [.cashOutRejected]),
        Case(
            name: "cash-out paid",
            publish: { world, sample in
                try await world.publish(
                    CashOutPaid(
                        cashOut: .timeOrdered(), account: sample.provider, market: "assef",
                        amount: Money(amount: 5_000, currency: "SAR"), at: sample.start))
            }, provider: [.cashOutPaid]),
        Case(
            name: "cash-out failed",
            publish: { world, sample in
                try await world.publish(
                    CashOutFailed(
                        cashOut: .timeOrdered(), account: sample.provider, market: "assef",
                        amount: Money(amount: 5_000, currency: "SAR"), reason: "account-closed", at: sample.start))
            }, provider: [.cashOutFailed]),
        Case(
            name: "a cash-out is stopped",
            publish: { world, sample in
                try await world.publish(
                    CashOutFailed(
                        cashOut: .timeOrdered(), account: sample.provider, market: "assef",
                        amount: Money(amount: 5_000, currency: "SAR"), reason: "wallet-frozen", at: sample.start))
            }, provider: [.cashOutStopped]),
        Case(
            name: "charge disputed",
            publish: { world, sample in try await world.publish(sample.disputed(.open, freezes: true)) },
            customer: [.walletFrozen]),
        Case(
            name: "charge given back in the dashboard, to nobody's harm",
            publish: { world, sample in try await world.publish(sample.disputed(.made, freezes: false)) }),
        Case(
            name: "dispute won",
            publish: { world, sample in try await world.publish(sample.disputed(.won, freezes: false)) },
            customer: [.disputeWon]),
        Case(
            name: "refund that came back",
            publish: { world, sample in
                try await world.publish(
                    RefundReturned(
                        charge: .timeOrdered(), account: sample.customer, market: "assef", order: nil,
                        amount: Money(amount: 5_000, currency: "SAR"), at: sample.start))
            }, customer: [.refundReturned]),
        Case(
            name: "wallet unfrozen",
            publish: { world, sample in
                try await world.publish(
                    WalletUnfrozen(
                        account: sample.customer, market: "assef", reason: "Decided.", by: .timeOrdered(),
                        at: sample.start))
            }, customer: [.walletUnfrozen]),
        Case(
            name: "subscribed",
            publish: { world, sample in try await world.publish(sample.subscribed(isRenewal: false)) },
            provider: [.subscriptionStarted]),
        Case(
            name: "subscription renewed",
            publish: { world, sample in try await world.publish(sample.subscribed(isRenewal: true)) },
            provider: [.subscriptionRenewed]),
        Case(
            name: "subscription expired",
            publish: { world, sample in
                try await world.publish(
                    SubscriptionExpired(
                        subscription: .timeOrdered(), account: sample.provider, market: "assef", version: 2,
                        endedAt: sample.start, at: sample.start))
            }, provider: [.subscriptionExpired]),
        Case(
            name: "subscription not renewed",
            publish: { world, sample in
                try await world.publish(
                    SubscriptionRenewalFailed(
                        subscription: .timeOrdered(), account: sample.provider, market: "assef",
                        period: .timeOrdered(), reason: "insufficient-funds", endsAt: sample.start, at: sample.start))
            }, provider: [.subscriptionNotRenewed]),
        Case(
            name: "cash with a promo code",
            publish: { world, sample in
                var payment = sample.paymentSnapshot(.held, version: 2, method: .cash)
                payment.discount = Money(amount: 500, currency: payment.amount.currency)
                try await world.publish(PaymentHeld(payment: payment, at: sample.start))
            }, provider: [.paymentCollectCash]),
    ]
}

extension Sample {
    fileprivate func decided(isAccepted: Bool) -> CashOutDecided {
        CashOutDecided(
            cashOut: .timeOrdered(), account: provider, market: "assef", amount: Money(amount: 5_000, currency: "SAR"),
            isAccepted: isAccepted, reason: isAccepted ? nil : "Another holder", by: .timeOrdered(), at: start)
    }

    fileprivate func disputed(_ state: DisputeChanged.State, freezes: Bool) -> DisputeChanged {
        let amount = Money(amount: 12_000, currency: "SAR")
        return DisputeChanged(
            dispute: .timeOrdered(), kind: .dispute, state: state, account: customer, market: "assef", order: nil,
            amount: amount, debited: amount, freezes: freezes, reason: "fraudulent", at: start)
    }

    fileprivate func subscribed(isRenewal: Bool) -> SubscriptionStarted {
        SubscriptionStarted(
            subscription: .timeOrdered(), account: provider, market: "assef", plan: .timeOrdered(), version: 1,
            price: Money(amount: 9_900, currency: "SAR"), startsAt: start,
            endsAt: start.addingTimeInterval(30 * 86_400),
            isRenewal: isRenewal, at: start)
    }
}
