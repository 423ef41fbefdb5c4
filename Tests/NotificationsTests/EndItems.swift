import Contracts
import Foundation
import Messaging

@testable import SeraiNotifications

extension ItemTests {
    /// Orders that end, or come before an admin, since somebody may not, or was not there.
    static let ends: [Case] = [
        Case(
            name: "cancelled since the customer is banned",
            publish: { world, sample in
                let order = sample.snapshot(.cancelled, version: 5, by: .system) { $0.reason = "customer-banned" }
                try await world.publish(OrderCancelled(order: order))
            }, customer: [.orderCustomerBannedForCustomer], provider: [.orderCustomerBannedForProvider]),
        Case(
            name: "cancelled since the provider is banned",
            publish: { world, sample in
                let order = sample.snapshot(.cancelled, version: 5, by: .system) { $0.reason = "provider-banned" }
                try await world.publish(OrderCancelled(order: order))
            }, customer: [.orderProviderBannedForCustomer], provider: [.orderProviderBannedForProvider]),
        Case(
            name: "before an admin since a party is banned in the middle",
            publish: { world, sample in
                let order = sample.snapshot(.disputed, version: 5, by: .system) { $0.reason = "customer-banned" }
                try await world.publish(OrderDisputed(order: order))
            }, customer: [.orderUnderReview], provider: [.orderUnderReview]),
        Case(
            name: "the customer of a care visit is not there",
            publish: { world, sample in
                let order = sample.snapshot(.cancelled, version: 6, by: .provider) { $0.reason = "customer-no-show" }
                try await world.publish(OrderCancelled(order: order))
            }, customer: [.orderMissedFreeForCustomer], provider: [.orderMissedFreeForProvider]),
        Case(
            name: "the care partner is not there",
            publish: { world, sample in
                let order = sample.snapshot(.cancelled, version: 6, by: .customer) { $0.reason = "no-show" }
                try await world.publish(OrderCancelled(order: order))
            }, customer: [.orderNoShowForCustomer], provider: [.orderNoShowForProvider]),
        Case(
            name: "a visit of a series is refused",
            publish: { world, sample in try await world.publish(sample.dropped("outside-opening-hours")) },
            customer: [.seriesVisitRefused]),
        Case(
            name: "a visit of a series was missed",
            publish: { world, sample in try await world.publish(sample.dropped("missed")) },
            customer: [.seriesVisitMissed]),
        Case(
            name: "the price of a series' visit rose",
            publish: { world, sample in try await world.publish(sample.risen(isLast: false)) },
            customer: [.seriesPriceRose]),
        Case(
            name: "the price of a series' visit waits for the last day",
            publish: { world, sample in try await world.publish(sample.risen(isLast: true)) },
            customer: [.seriesPriceLast]),
        Case(
            name: "a series has ended",
            publish: { world, sample in
                try await world.publish(
                    SeriesEnded(
                        series: .timeOrdered(), customer: sample.customer, market: "edencare", reason: "relative-left",
                        at: sample.start))
            }, customer: [.seriesEnded]),
        Case(
            name: "the desk began a series", publish: managed(.begun, ["day": "2026-03-09", "method": "card"]),
            customer: [.seriesBegunForYou]),
        Case(name: "the desk ended a series", publish: managed(.ended), customer: [.seriesEndedForYou]),
        Case(
            name: "the desk skipped a visit", publish: managed(.skipped, ["day": "2026-03-09"]),
            customer: [.seriesVisitSkippedForYou]),
        Case(
            name: "the desk moved a visit",
            publish: managed(.moved, ["day": "2026-03-09", "time": "2026-03-10 14:30"]),
            customer: [.seriesVisitMovedForYou]),
        Case(
            name: "the desk changed the payment", publish: managed(.paymentChanged, ["method": "wallet"]),
            customer: [.seriesPaidOtherwiseForYou]),
        Case(
            name: "the desk charges a card or a wallet",
            publish: { world, sample in
                try await world.publish(
                    WalletManaged(
                        market: "edencare", act: .charged, subject: sample.order,
                        details: [
                            "amount": "3000", "currency": "CAD", "method": "card", "customer": sample.customer.text,
                        ], by: .timeOrdered(), at: sample.start))
            }, customer: [.deskCharged]),
        Case(
            name: "the desk ordered, and charges as was agreed on the phone",
            publish: { world, sample in
                let order = sample.snapshot(.pending, version: 1, by: .admin) { $0.paysByConsent = true }
                try await world.publish(OrderPending(order: order))
            }, customer: [.deskCharged]),
        Case(
            name: "a visit of a series waits for its payment",
            publish: { world, sample in
                let order = sample.snapshot(.pending, version: 1, by: .customer) { $0.paysByConsent = true }
                try await world.publish(OrderPending(order: order))
            }),
        Case(
            name: "a parcel of a series is refused",
            publish: { world, sample in
                try await world.publish(sample.dropped("outside-service-area", in: "carrepsa"))
            }, customer: [.seriesParcelRefused]),
        Case(
            name: "a parcel of a series was missed",
            publish: { world, sample in try await world.publish(sample.dropped("missed", in: "carrepsa")) },
            customer: [.seriesParcelMissed]),
        Case(
            name: "the price of a series' parcel rose",
            publish: { world, sample in try await world.publish(sample.risen(isLast: true, in: "carrepsa")) },
            customer: [.seriesParcelPrice]),
        Case(
            name: "a series of parcels has ended",
            publish: { world, sample in
                try await world.publish(
                    SeriesEnded(
                        series: .timeOrdered(), customer: sample.customer, market: "carrepsa",
                        reason: "customer-banned", at: sample.start))
            }, customer: [.seriesParcelsEnded]),
        Case(
            name: "unpaid without its customer", publish: unattended("card-declined", .first),
            customer: [.paymentUnattended]),
        Case(
            name: "the bank wants its owner", publish: unattended("authentication-required", .first),
            customer: [.paymentUnattendedByHand]),
        Case(
            name: "still unpaid", publish: unattended("provider-down", .reminder),
            customer: [.paymentUnattendedReminder]),
        Case(
            name: "unpaid for the last time", publish: unattended("authentication-required", .last),
            customer: [.paymentUnattendedLast]),
        Case(name: "tried again in vain", publish: unattended("insufficient-funds", .none)),
    ]

    private static func managed(
        _ act: SeriesManaged.Act, _ details: [String: String] = [:]
    ) -> @Sendable (World, Sample) async throws -> Void {
        { world, sample in
            try await world.publish(
                SeriesManaged(
                    series: .timeOrdered(), market: "edencare", customer: sample.customer, act: act, details: details,
                    by: .timeOrdered(), at: sample.start))
        }
    }

    private static func unattended(
        _ reason: String, _ notice: PaymentRefused.Unattended.Notice
    ) -> @Sendable (World, Sample) async throws -> Void {
        { world, sample in
            try await world.publish(
                PaymentRefused(
                    payment: sample.paymentSnapshot(.due, version: 2, method: nil), method: .card, reason: reason,
                    at: sample.start, unattended: .init(notice: notice, until: sample.start + 86_400)))
        }
    }
}

extension Sample {
    fileprivate func risen(isLast: Bool, in market: String = "edencare") -> SeriesPriceRose {
        SeriesPriceRose(
            series: .timeOrdered(), customer: customer, market: market, day: "2026-11-23", startsAt: start,
            agreed: Money(amount: 5_000, currency: "CAD"), asked: Money(amount: 6_000, currency: "CAD"),
            until: start, isLast: isLast, at: start)
    }

    fileprivate func dropped(_ reason: String, in market: String = "assef") -> SeriesVisitDropped {
        SeriesVisitDropped(
            series: .timeOrdered(), customer: customer, market: market, day: "2026-11-23", startsAt: start,
            reason: reason, at: start)
    }
}
