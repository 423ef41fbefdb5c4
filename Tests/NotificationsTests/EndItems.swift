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
    ]
}

extension Sample {
    fileprivate func dropped(_ reason: String) -> SeriesVisitDropped {
        SeriesVisitDropped(
            series: .timeOrdered(), customer: customer, market: "assef", day: "2026-11-23", startsAt: start,
            reason: reason, at: start)
    }
}
