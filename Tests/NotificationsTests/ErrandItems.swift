import Contracts
import Foundation
import Messaging

@testable import SeraiNotifications

extension ItemTests {
    private static func errand(
        _ state: OrderSnapshot.State, by: OrderSnapshot.Actor, reason: String? = nil, hasProvider: Bool = true,
        hasDeposit: Bool = false, in market: Market = .carrepsa
    ) -> @Sendable (Sample) -> OrderSnapshot {
        { sample in
            sample.snapshot(state, version: 5, by: by) { order in
                order.market = market.id
                order.kind = market.kinds[0].id
                order.reason = reason
                if !hasProvider { order.provider = nil }
                if hasDeposit { order.deposit = Money(amount: 9_000, currency: "SAR") }
            }
        }
    }

    private static func reopened(by: OrderSnapshot.Actor, reason: String?) -> @Sendable (Sample) -> OrderReopened {
        { sample in
            OrderReopened(
                order: errand(.requested, by: by, reason: reason, hasProvider: false)(sample),
                former: .init(account: sample.provider, name: sample.providerName))
        }
    }

    /// Orders that are paid before anybody is asked.
    static let errands: [Case] = [
        Case(
            name: "on the board",
            publish: { world, sample in
                try await world.publish(
                    OrderRequested(order: errand(.requested, by: .system, hasProvider: false)(sample)))
            }),
        Case(
            name: "taken",
            publish: { world, sample in
                try await world.publish(
                    OrderAccepted(order: errand(.accepted, by: .provider)(sample), companion: nil))
            }, customer: [.orderTaken]),
        Case(
            name: "taken, and the deposit is awaited",
            publish: { world, sample in
                let order = errand(.accepted, by: .provider, hasDeposit: true)(sample)
                try await world.publish(OrderAccepted(order: order, companion: nil))
            }),
        Case(
            name: "the deposit is there",
            publish: { world, sample in
                try await world.publish(
                    OrderDeposited(order: errand(.accepted, by: .system, hasDeposit: true)(sample)))
            }, customer: [.orderTaken]),
        Case(
            name: "the deposit is refused, which the wallet tells",
            publish: { try await $0.publish(reopened(by: .system, reason: "deposit-refused")($1)) }),
        Case(
            name: "given up", publish: { try await $0.publish(reopened(by: .provider, reason: "ill")($1)) },
            customer: [.orderReopened]),
        Case(
            name: "not picked up",
            publish: { try await $0.publish(reopened(by: .system, reason: "not-picked-up")($1)) },
            customer: [.orderReopened], provider: [.orderLost]),
        Case(
            name: "picked up, as its carrier says",
            publish: { try await $0.publish(OrderArrived(order: errand(.arrived, by: .provider)($1))) },
            customer: [.orderPickUpAsked]),
        Case(
            name: "picked up",
            publish: { try await $0.publish(OrderStarted(order: errand(.inProgress, by: .customer)($1))) },
            provider: [.orderStarted]),
        Case(
            name: "its way is shared",
            publish: { world, sample in
                let order = errand(.accepted, by: .provider)(sample)
                try await world.publish(WayShared(order: order, isOn: true, at: sample.start))
            }, customer: [.wayShared]),
        Case(
            name: "its way is shared no more",
            publish: { world, sample in
                let order = errand(.accepted, by: .provider)(sample)
                try await world.publish(WayShared(order: order, isOn: false, at: sample.start))
            }, customer: [.wayNotShared]),
        Case(
            name: "begun",
            publish: { world, sample in
                try await world.publish(
                    OrderStarted(order: errand(.inProgress, by: .provider, in: .edencare)(sample)))
            }, customer: [.orderStarted]),
        Case(
            name: "sent",
            publish: { world, sample in
                try await world.publish(OrderOffered(order: errand(.offered, by: .admin, in: .edencare)(sample)))
            }, provider: [.orderOffered]),
        Case(
            name: "another time is asked for",
            publish: { world, sample in
                let order = errand(.offered, by: .provider, in: .edencare)(sample)
                try await world.publish(OrderTimeAsked(order: order, time: sample.start))
            }, customer: [.orderTimeAsked]),
        Case(
            name: "another time is set",
            publish: { world, sample in
                try await world.publish(
                    OrderRescheduled(order: errand(.offered, by: .admin, in: .edencare)(sample)))
            }, customer: [.orderRescheduled], provider: [.orderRescheduled]),
        Case(
            name: "refused at the desk",
            publish: { world, sample in
                let order = errand(.refused, by: .admin, hasProvider: false, in: .edencare)(sample)
                try await world.publish(OrderRefused(order: order))
            }, customer: [.orderRefusedAtDesk]),
        Case(
            name: "nobody found",
            publish: { world, sample in
                let order = errand(.expired, by: .system, reason: "nobody-found", hasProvider: false)(sample)
                try await world.publish(OrderExpired(order: order))
            }, customer: [.orderNobodyFound]),
        Case(
            name: "not paid before anybody was asked",
            publish: { world, sample in
                let order = errand(.expired, by: .system, reason: "payment-window-over", hasProvider: false)(sample)
                try await world.publish(OrderExpired(order: order))
            }, customer: [.orderUnpaidAlone]),
    ]
}

extension ItemTests {
    /// Orders that the platform searches somebody for.
    static let searched: [Case] = [
        Case(
            name: "offered by the platform, of which the customer hears nothing",
            publish: { world, sample in
                try await world.publish(OrderOffered(order: errand(.offered, by: .system, in: .btnc)(sample)))
            }, provider: [.orderForYou]),
        Case(
            name: "passed on by silence",
            publish: { try await $0.publish(passed(by: .system, reason: "offer-window-over")($1)) },
            provider: [.orderMissed]),
        Case(name: "declined", publish: { try await $0.publish(passed(by: .provider, reason: "declined")($1)) }),
        Case(
            name: "the driver is there",
            publish: { try await $0.publish(OrderArrived(order: errand(.arrived, by: .provider, in: .btnc)($1))) },
            customer: [.orderWaitsForYou]),
    ]

    private static func passed(by: OrderSnapshot.Actor, reason: String?) -> @Sendable (Sample) -> OrderPassed {
        { sample in
            OrderPassed(
                order: errand(.requested, by: by, reason: reason, hasProvider: false, in: .btnc)(sample),
                former: .init(account: sample.provider, name: sample.providerName))
        }
    }
}
