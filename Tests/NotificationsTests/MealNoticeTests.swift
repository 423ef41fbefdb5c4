import Contracts
import Foundation
import Messaging
import SeraiJSON
import Testing

@testable import SeraiNotifications

@Suite("O9: what the three parties of a meal are told")
struct MealNoticeTests {
    private static let merchant = UUID.timeOrdered()
    private static let sample = Sample(customerName: "Mira", providerName: "Dan")

    private static func meal(
        _ state: OrderSnapshot.State, by: OrderSnapshot.Actor, reason: String? = nil, hasCourier: Bool = true,
        isPaid: Bool = true, outcome: OrderSnapshot.Outcome? = nil
    ) -> OrderSnapshot {
        sample.snapshot(state, version: 5, by: by) { order in
            (order.market, order.kind, order.reason, order.outcome) = ("btnc", "food", reason, outcome)
            order.total = Money(amount: 3_100, currency: "AUD")
            order.services = [
                .init(service: "meal", name: ["en": "2 × Soup", "ar": "2 × حساء"], price: 2_400),
                .init(service: "delivery", name: ["en": "Delivery", "ar": "التوصيل"], price: 700),
            ]
            order.payment = isPaid ? .init(method: "wallet", state: .held) : .init(method: nil, state: .unpaid)
            order.shares = [.init(party: .merchant, account: merchant, name: "Levant", amount: 2_400)]
            if hasCourier {
                order.shares?.append(.init(party: .provider, account: sample.provider, name: "Dan", amount: 700))
            } else {
                order.provider = nil
            }
        }
    }

    /// Who is told what by items, as `customer meal.accepted`.
    private func items(_ event: any OrderEvent) throws -> Set<String> {
        let names = [Self.sample.customer: "customer", Self.sample.provider: "provider", Self.merchant: "merchant"]
        return Set(
            try OrderNotices(event).all().compactMap { notice in
                notice.item == nil
                    ? nil : "\(names[notice.account] ?? "nobody") \((notice.label ?? "").replacing("order.", with: ""))"
            })
    }

    @Test("O9: from the order to the doorstep each is told what he has to know, and nobody what he has done himself")
    func way() throws {
        let asked = Self.meal(.requested, by: .system, hasCourier: false)
        #expect(try items(OrderRequested(order: asked)) == ["merchant meal.requested"])
        let cooking = Self.meal(.preparing, by: .merchant, hasCourier: false)
        #expect(try items(OrderPreparing(order: cooking, readyAt: nil)) == ["customer meal.accepted"])
        #expect(try items(OrderOffered(order: Self.meal(.offered, by: .system))) == ["provider offered.by-platform"])
        #expect(try items(OrderReady(order: Self.meal(.offered, by: .merchant))) == [])
        #expect(
            try items(OrderAccepted(order: Self.meal(.accepted, by: .provider), companion: nil)) == [
                "customer meal.courier-found", "merchant meal.courier-coming",
            ])
        #expect(try items(OrderReady(order: Self.meal(.accepted, by: .merchant))) == ["provider meal.ready"])
        #expect(try items(OrderArrived(order: Self.meal(.arrived, by: .provider))) == ["merchant meal.courier-arrived"])
        #expect(try items(OrderStarted(order: Self.meal(.inProgress, by: .merchant))) == ["customer meal.on-the-way"])
        #expect(
            try items(OrderCompleted(order: Self.meal(.completed, by: .customer))) == [
                "customer completed.customer", "provider completed.provider", "merchant meal.completed",
            ])
        let notTaken = Self.meal(.completed, by: .provider, reason: "customer-no-show")
        #expect(
            try items(OrderCompleted(order: notTaken)) == [
                "customer meal.not-taken.customer", "provider meal.not-taken.provider",
                "merchant meal.not-taken.merchant",
            ])
    }

    @Test("O9: whatever goes wrong is told to all whom it concerns, and what was never paid not to the restaurant")
    func wrong() throws {
        let refused = Self.meal(.refused, by: .merchant, reason: "No bread", hasCourier: false)
        #expect(try items(OrderRefused(order: refused)) == ["customer meal.refused"])
        let missed = Self.meal(.expired, by: .system, reason: "accept-window-over", hasCourier: false)
        #expect(try items(OrderExpired(order: missed)) == ["customer meal.unanswered", "merchant meal.missed"])
        let unpaid = Self.meal(
            .expired, by: .system, reason: "payment-window-over", hasCourier: false, isPaid: false)
        #expect(try items(OrderExpired(order: unpaid)) == ["customer unpaid-alone"])
        #expect(try OrderNotices(OrderExpired(order: unpaid)).all().allSatisfy { $0.account != Self.merchant })
        let reopened = OrderReopened(
            order: Self.meal(.preparing, by: .provider, reason: "given-up", hasCourier: false),
            former: .init(account: Self.sample.provider, name: "Dan"))
        #expect(try items(reopened) == ["customer reopened.customer", "merchant reopened.customer"])
        let alone = Self.meal(.disputed, by: .system, reason: "nobody-found", hasCourier: false)
        #expect(try items(OrderDisputed(order: alone)) == ["customer meal.reported", "merchant meal.reported"])
        let reported = Self.meal(.disputed, by: .merchant, reason: "nobody-there")
        #expect(
            try items(OrderDisputed(order: reported)) == [
                "customer meal.reported", "provider meal.reported", "merchant report-received",
            ])
        let cancelled = Self.meal(.cancelled, by: .customer, hasCourier: false)
        #expect(try items(OrderCancelled(order: cancelled)) == ["merchant cancelled-by-other"])
        let lost = Self.meal(.cancelled, by: .system, reason: "payment-lost")
        #expect(
            try items(OrderCancelled(order: lost)) == [
                "customer meal.payment-lost", "provider meal.payment-lost", "merchant meal.payment-lost",
            ])
        let outcome = OrderSnapshot.Outcome(
            decision: .split, toCustomer: Money(amount: 100, currency: "AUD"), reason: "Half")
        let decided = Self.meal(.completed, by: .admin, outcome: outcome)
        #expect(
            try items(OrderCompleted(order: decided)) == [
                "customer meal.decided", "provider meal.decided", "merchant meal.decided",
            ])
    }

    @Test("O9, Q7: the stream shows each the own part of services and money, and nobody who is only asked")
    func states() throws {
        func shown(_ order: OrderSnapshot) throws -> [UUID: OrderSnapshot] {
            var found: [UUID: OrderSnapshot] = [:]
            for notice in try OrderNotices(OrderOffered(order: order)).all() where notice.item == nil {
                let namesCourier = notice.payload.lowercased().contains(Self.sample.provider.text)
                #expect(namesCourier == (notice.account == Self.sample.provider))
                found[notice.account] = try JSON.wire.decode(OrderSnapshot.self, notice.payload.utf8)
            }
            return found
        }
        let offered = try shown(Self.meal(.offered, by: .system))
        #expect(offered[Self.sample.customer]?.provider == nil && offered[Self.merchant]?.provider == nil)
        #expect(offered[Self.sample.customer]?.total.amount == 3_100)
        #expect(offered[Self.merchant]?.total.amount == 2_400 && offered[Self.merchant]?.services.count == 1)
        let courier = try #require(offered[Self.sample.provider])
        #expect(courier.total.amount == 700 && courier.services.map(\.service) == ["delivery"])
        #expect(courier.shares?.map(\.party) == [.provider] && courier.provider != nil)
        #expect(offered[Self.sample.customer]?.shares?.map(\.party) == [.merchant])
        let label = OrderLabel(market: "btnc", state: .requested, role: .merchant, kind: "food")
        #expect(OrderLabel(label.text)?.words(in: "en") == "New order")
        #expect(OrderLabel("btnc requested customer")?.words(in: "en") == "Looking for a driver")
    }

    @Test("O9, W6: of the payment its courier is told the own part, and nothing of what the customer pays less")
    func money() throws {
        func aud(_ amount: Int) -> Money { Money(amount: amount, currency: "AUD") }
        let payment = PaymentSnapshot(
            payment: .timeOrdered(), order: Self.sample.order, market: "btnc", version: 3, state: .captured,
            method: .card, customer: Self.sample.customer, provider: Self.sample.provider, amount: aud(3_100),
            discount: aud(310), promoCode: .timeOrdered())
        let captured = PaymentCaptured(
            payment: payment, providerShare: aud(595), platformShare: aud(465), at: Self.sample.start,
            shares: [
                .init(party: .merchant, account: Self.merchant, share: aud(2_040), commission: aud(360)),
                .init(party: .provider, account: Self.sample.provider, share: aud(595), commission: aud(105)),
            ])
        let notices = try PaymentNotices.notices(captured).filter { $0.item == nil }
        let told = Dictionary(uniqueKeysWithValues: notices.map { ($0.account, $0.payload) })
        let customer = try #require(told[Self.sample.customer])
        #expect(customer.contains("promoCode") && customer.contains("3100") && !customer.contains("platformShare"))
        let courier = try #require(told[Self.sample.provider])
        for hidden in ["promoCode", "discount", "3100", "310", "465"] {
            #expect(!courier.contains(hidden), "\(hidden)")
        }
        for own in ["700", "595", "105"] { #expect(courier.contains(own), "\(own)") }
    }
}
