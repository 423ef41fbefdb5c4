import Contracts
import Foundation
import Messaging
import SeraiJSON

/// One order as the services tell it, event by event.
struct Story: Sendable {
    var customer = OrderSnapshot.Party(account: .timeOrdered(), name: "Salem")
    var provider = OrderSnapshot.Party(account: .timeOrdered(), name: "نورة")
    var order = UUID.timeOrdered()
    var payment = UUID.timeOrdered()
    var amount = 12_000
    /// In whole milliseconds, as messages have it.
    var requestedAt = Date(timeIntervalSince1970: 1_772_360_000)

    func time(_ minutes: Double) -> Date { requestedAt.addingTimeInterval(minutes * 60) }

    func snapshot(
        _ version: Int, _ state: OrderSnapshot.State, minutes: Double, by: OrderSnapshot.Actor = .customer,
        payment: OrderSnapshot.Payment = .init(method: nil, state: .unpaid), reason: String? = nil
    ) -> OrderSnapshot {
        OrderSnapshot(
            order: order, market: "assef", kind: "visit", version: version, state: state, customer: customer,
            provider: provider,
            services: [
                .init(service: "wound-care", name: ["en": "Wound care", "ar": "العناية بالجروح"], price: amount)
            ],
            total: Money(amount: amount, currency: "SAR"), payment: payment, confirmedBy: [], deadline: nil, by: by,
            reason: reason, requestedAt: requestedAt, changedAt: time(minutes))
    }

    func money(
        _ version: Int, _ state: PaymentSnapshot.State, method: PaymentSnapshot.Method? = .card
    ) -> PaymentSnapshot {
        PaymentSnapshot(
            payment: payment, order: order, market: "assef", version: version, state: state, method: method,
            customer: customer.account, provider: provider.account, amount: Money(amount: amount, currency: "SAR"))
    }

    func captured(minutes: Double = 60, method: PaymentSnapshot.Method = .card) -> PaymentCaptured {
        let commission = amount * 15 / 100
        return PaymentCaptured(
            payment: money(4, .captured, method: method),
            providerShare: Money(amount: amount - commission, currency: "SAR"),
            platformShare: Money(amount: commission, currency: "SAR"), at: time(minutes))
    }

    /// From the request to both ratings, with an attempt to pay that was refused. Paid by card.
    var events: [any Message] {
        let held = OrderSnapshot.Payment(method: "card", state: .held)
        return [
            OrderRequested(order: snapshot(1, .requested, minutes: 0)),
            OrderAccepted(order: snapshot(2, .accepted, minutes: 1, by: .provider), companion: "Huda Salem"),
            PaymentRefused(payment: money(2, .due, method: nil), method: .card, reason: "card-declined", at: time(2)),
            PaymentHeld(payment: money(3, .held), at: time(3)),
            OrderEnRoute(order: snapshot(3, .enRoute, minutes: 4, by: .system, payment: held)),
            OrderArrived(order: snapshot(4, .arrived, minutes: 30, by: .provider, payment: held)),
            OrderConfirmed(order: snapshot(5, .arrived, minutes: 50, by: .provider, payment: held)),
            OrderCompleted(order: snapshot(6, .completed, minutes: 55, payment: held)),
            captured(),
            OrderPaymentChanged(
                order: snapshot(
                    7, .completed, minutes: 61, by: .system, payment: .init(method: "card", state: .captured))),
            rating(.customer, stars: 5, serviceStars: 4, comment: "=SUM(1)"),
            rating(.provider, stars: 4),
        ]
    }

    func rating(
        _ by: OrderSnapshot.Actor, stars: Int, serviceStars: Int? = nil, comment: String? = nil
    ) -> RatingGiven {
        RatingGiven(
            order: order, market: "assef", from: by == .customer ? customer.account : provider.account,
            to: by == .customer ? provider.account : customer.account, by: by, stars: stars,
            serviceStars: serviceStars, comment: comment, at: time(by == .customer ? 70 : 71))
    }
}

/// An account as identity tells it.
func account(
    _ id: UUID = .timeOrdered(), version: Int = 1, name: String = "Salem",
    roles: [AccountSnapshot.Role] = [.init(market: "assef", role: "customer", verified: true)]
) -> AccountSnapshot {
    AccountSnapshot(account: id, version: version, name: name, gender: .female, language: "ar", roles: roles)
}
