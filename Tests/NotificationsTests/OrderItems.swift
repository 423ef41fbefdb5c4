import Contracts
import Foundation
import Messaging

@testable import SeraiNotifications

extension ItemTests {
    /// Home visits, from the request to the end.
    static let orders: [Case] = [
        Case(name: "requested", publish: { try await $0.publish($1.requested()) }, provider: [.orderRequested]),
        Case(name: "accepted", publish: { try await $0.publish($1.accepted()) }, customer: [.orderAccepted]),
        Case(
            name: "refused",
            publish: { try await $0.publish(OrderRefused(order: ending(.refused, by: .provider)($1))) },
            customer: [.orderRefused]),
        Case(
            name: "en route", publish: { try await $0.publish($1.enRoute()) }, customer: [.orderOnTheWay],
            provider: [.orderPaid]),
        Case(
            name: "en route for cash", publish: { try await $0.publish($1.enRoute(method: "cash")) },
            customer: [.orderOnTheWay], provider: [.orderPaidInCash]),
        Case(
            name: "nearby",
            publish: { world, sample in
                try await world.publish(OrderNearby(order: sample.enRoute().order, metresLeft: 480, secondsLeft: 100))
            }, customer: [.orderNearby]),
        Case(
            name: "arrived",
            publish: { try await $0.publish(OrderArrived(order: ending(.arrived, by: .provider)($1))) },
            customer: [.orderArrived]),
        Case(
            name: "confirmed by the provider",
            publish: { world, sample in
                let order = sample.snapshot(.arrived, version: 5, by: .provider) { $0.confirmedBy = [.provider] }
                try await world.publish(OrderConfirmed(order: order))
            }, customer: [.orderConfirm]),
        Case(
            name: "confirmed by the customer",
            publish: { world, sample in
                let order = sample.snapshot(.arrived, version: 5, by: .customer) { $0.confirmedBy = [.customer] }
                try await world.publish(OrderConfirmed(order: order))
            }, provider: [.orderConfirm]),
        Case(
            name: "completed",
            publish: { try await $0.publish(OrderCompleted(order: ending(.completed, by: .customer)($1))) },
            customer: [.orderCompletedForCustomer], provider: [.orderCompletedForProvider]),
        Case(
            name: "cancelled by the customer",
            publish: { try await $0.publish(OrderCancelled(order: ending(.cancelled, by: .customer)($1))) },
            provider: [.orderCancelledByOther]),
        Case(
            name: "cancelled by the provider",
            publish: { try await $0.publish(OrderCancelled(order: ending(.cancelled, by: .provider)($1))) },
            customer: [.orderCancelledByOther]),
        Case(
            name: "cancelled by an admin",
            publish: { try await $0.publish(OrderCancelled(order: ending(.cancelled, by: .admin)($1))) },
            customer: [.orderCancelled], provider: [.orderCancelled]),
        Case(
            name: "no-show",
            publish: {
                try await $0.publish(OrderCancelled(order: ending(.cancelled, by: .system, reason: "no-show")($1)))
            }, customer: [.orderNoShowForCustomer], provider: [.orderNoShowForProvider]),
        Case(
            name: "confirmed by nobody",
            publish: {
                let order = ending(.cancelled, by: .system, reason: "nobody-confirmed")($1)
                try await $0.publish(OrderCancelled(order: order))
            }, customer: [.orderUnconfirmedForCustomer], provider: [.orderUnconfirmedForProvider]),
        Case(
            name: "expired",
            publish: { try await $0.publish(OrderExpired(order: ending(.expired, by: .system)($1))) },
            customer: [.orderExpiredForCustomer], provider: [.orderExpiredForProvider]),
        Case(
            name: "not accepted in time",
            publish: {
                let order = ending(.expired, by: .system, reason: "accept-window-over")($1)
                try await $0.publish(OrderExpired(order: order))
            }, customer: [.orderUnansweredForCustomer], provider: [.orderUnansweredForProvider]),
        Case(
            name: "not paid in time",
            publish: {
                let order = ending(.expired, by: .system, reason: "payment-window-over")($1)
                try await $0.publish(OrderExpired(order: order))
            }, customer: [.orderUnpaidForCustomer], provider: [.orderUnpaidForProvider]),
        Case(
            name: "payment lost",
            publish: {
                let order = ending(.cancelled, by: .system, reason: "payment-lost")($1)
                try await $0.publish(OrderCancelled(order: order))
            }, customer: [.orderPaymentLostForCustomer], provider: [.orderPaymentLostForProvider]),
        // Told with the payment.
        Case(
            name: "cancelled for a lost promo code",
            publish: {
                let order = ending(.cancelled, by: .system, reason: "promo-code-lost")($1)
                try await $0.publish(OrderCancelled(order: order))
            }),
        Case(
            name: "payment lost after the work was done",
            publish: { world, sample in
                let order = sample.snapshot(.completed, version: 8, by: .system) { $0.payment.state = .released }
                try await world.publish(OrderPaymentChanged(order: order))
            }, provider: [.orderNotPaid]),
        Case(
            name: "cancelled on the way, with a fine",
            publish: { world, sample in
                let order = sample.snapshot(.cancelled, version: 5, by: .customer) { $0.fine = sample.fine }
                try await world.publish(OrderCancelled(order: order))
            }, provider: [.orderCancelledOnTheWay]),
        Case(
            name: "the customer is not there",
            publish: { world, sample in
                let order = sample.snapshot(.cancelled, version: 6, by: .provider) {
                    $0.fine = sample.fine
                    $0.reason = "customer-no-show"
                }
                try await world.publish(OrderCancelled(order: order))
            }, customer: [.orderMissedForCustomer], provider: [.orderMissedForProvider]),
        Case(
            name: "reported by the customer",
            publish: { world, sample in
                let order = sample.snapshot(.disputed, version: 5, by: .customer) { $0.reason = "not-done" }
                try await world.publish(OrderDisputed(order: order))
            }, customer: [.orderReportReceived], provider: [.orderReported]),
        Case(
            name: "reported by the provider in own words",
            publish: { world, sample in
                let order = sample.snapshot(.disputed, version: 5, by: .provider) { $0.reason = "a dog" }
                try await world.publish(OrderDisputed(order: order))
            }, customer: [.orderReported], provider: [.orderReportReceived]),
        Case(
            name: "not decided for long",
            publish: { world, sample in
                try await world.publish(OrderUndecided(order: sample.snapshot(.disputed, version: 6, by: .system)))
            }, customer: [.orderUndecided], provider: [.orderUndecided]),
        Case(
            name: "decided: the provider is paid",
            publish: { try await $0.publish(OrderCompleted(order: $1.decided(.payProvider, .completed, 0))) },
            customer: [.orderDecidedForProvider], provider: [.orderDecidedForProvider]),
        Case(
            name: "decided: all goes back",
            publish: { try await $0.publish(OrderCancelled(order: $1.decided(.returnToCustomer, .cancelled, 15_050))) },
            customer: [.orderDecidedForCustomer], provider: [.orderDecidedForCustomer]),
        Case(
            name: "decided: divided",
            publish: { try await $0.publish(OrderCompleted(order: $1.decided(.split, .completed, 5_050))) },
            customer: [.orderDecidedForBoth], provider: [.orderDecidedForBoth]),
        Case(
            name: "decided: cash is owed",
            publish: {
                try await $0.publish(OrderCompleted(order: $1.decided(.payProvider, .completed, 0, by: "cash")))
            },
            customer: [.orderCashDecidedForProvider], provider: [.orderCashDecidedForProvider]),
        Case(
            name: "decided: no cash is owed",
            publish: { world, sample in
                let order = sample.decided(.returnToCustomer, .cancelled, 15_050, by: "cash")
                try await world.publish(OrderCancelled(order: order))
            }, customer: [.orderCashDecidedForCustomer], provider: [.orderCashDecidedForCustomer]),
        Case(
            name: "decided: the payment was lost before",
            publish: { world, sample in
                let order = sample.decided(.payProvider, .completed, 0, isLost: true)
                try await world.publish(OrderCompleted(order: order))
            }, customer: [.orderDecidedUnpaid], provider: [.orderDecidedUnpaid]),
        Case(
            name: "a complaint is answered",
            publish: { world, sample in
                try await world.publish(
                    ReportAnswered(
                        report: .timeOrdered(), order: sample.order, market: "assef", account: sample.customer,
                        answer: "We have spoken with her.", by: .timeOrdered(), at: sample.start))
            }, customer: [.orderReportAnswered]),
        Case(name: "payment changed", publish: { try await $0.publish($1.changed(version: 4)) }),
    ]
}
