import Contracts
import Foundation
import Messaging

@testable import SeraiNotifications

extension ItemTests {
    /// Events of fines, refunds, tips, deposits and reports.
    static let wallets: [Case] = [
        Case(
            name: "pending",
            publish: { try await $0.publish(OrderPending(order: ending(.pending, by: .customer)($1))) },
            customer: [.orderPending]),
        Case(
            name: "a visit of a series waits for its payment, as was agreed",
            publish: { world, sample in
                let order = sample.snapshot(.pending, version: 2, by: .customer) { $0.paysByConsent = true }
                try await world.publish(OrderPending(order: order))
            }),
        Case(
            name: "a driver fetches a bike",
            publish: { world, sample in
                try await world.publish(OrderAccepted(order: dropOff(.accepted)(sample), companion: nil))
            }, customer: [.dropOffTaken]),
        Case(
            name: "a driver is at the rack, where nobody waits",
            publish: { try await $0.publish(OrderArrived(order: dropOff(.arrived)($1))) }),
        Case(
            name: "a bike is on its way",
            publish: { try await $0.publish(OrderStarted(order: dropOff(.inProgress, by: .system)($1))) },
            customer: [.dropOffOnTheWay]),
        Case(
            name: "a driver says that the bike is there",
            publish: { try await $0.publish(OrderConfirmed(order: dropOff(.inProgress)($1))) },
            customer: [.dropOffConfirm]),
        Case(
            name: "a customer says that the bike is there",
            publish: { try await $0.publish(OrderConfirmed(order: dropOff(.inProgress, by: .customer)($1))) },
            provider: [.dropOffReceived]),
        Case(
            name: "a bike was delivered",
            publish: { try await $0.publish(OrderCompleted(order: dropOff(.completed, by: .customer)($1))) },
            customer: [.dropOffDelivered], provider: [.orderCompletedForProvider]),
        Case(
            name: "nobody is at the door for a bike",
            publish: { world, sample in
                var order = dropOff(.cancelled, "customer-no-show")(sample)
                order.fine = Money(amount: 900, currency: "AUD")
                try await world.publish(OrderCancelled(order: order))
            }, customer: [.orderMissedForCustomer], provider: [.dropOffNotTakenForProvider]),
        Case(
            name: "a bike did not come, and both see each other's contact",
            publish: {
                try await $0.publish(OrderDisputed(order: dropOff(.disputed, by: .customer, "not-received")($1)))
            }, customer: [.dropOffNotReceivedForCustomer], provider: [.dropOffNotReceivedForProvider]),
        Case(
            name: "a bike's driver is reported for something else",
            publish: { try await $0.publish(OrderDisputed(order: dropOff(.disputed, by: .customer, "unsafe")($1))) },
            customer: [.orderReportReceived], provider: [.orderReported]),
        Case(
            name: "a bike is ready",
            publish: { world, sample in
                try await world.publish(OrderAccepted(order: hire(.accepted)(sample), companion: nil))
            }, customer: [.hireReady]),
        Case(
            name: "a bike is out, which its rider knows",
            publish: { try await $0.publish(OrderStarted(order: hire(.inProgress)($1))) }),
        Case(
            name: "a bike is back",
            publish: { try await $0.publish(OrderCompleted(order: hire(.completed)($1))) }, customer: [.hireEnded]),
        Case(
            name: "a bike does not come back",
            publish: { try await $0.publish(OrderCompleted(order: hire(.completed, "not-brought-back")($1))) },
            customer: [.hireNotBroughtBack]),
        Case(
            name: "a bike is not picked up",
            publish: { try await $0.publish(OrderExpired(order: hire(.expired, "not-picked-up")($1))) },
            customer: [.hireNotPickedUp]),
        Case(
            name: "fined",
            publish: { world, sample in
                try await world.publish(
                    FineCharged(
                        order: sample.order, market: "assef", account: sample.customer, provider: sample.provider,
                        amount: riyals(600), providerShare: riyals(510), platformShare: riyals(90),
                        dueAt: sample.start.addingTimeInterval(30 * 86_400), at: sample.start))
            }, customer: [.fineCharged], provider: [.fineReceived]),
        Case(
            name: "money waits for its debtor",
            publish: { world, sample in
                try await world.publish(
                    MoneyWaiting(
                        account: sample.provider, market: "assef", order: sample.order, amount: riyals(510),
                        at: sample.start))
            }, provider: [.moneyWaiting]),
        Case(
            name: "a debtor has paid",
            publish: { world, sample in
                try await world.publish(
                    MoneyAvailable(
                        account: sample.provider, market: "assef", order: sample.order, amount: riyals(510),
                        at: sample.start))
            }, provider: [.moneyAvailable]),
        Case(
            name: "given up by its receiver",
            publish: { world, sample in
                try await world.publish(
                    MoneyGivenUp(
                        account: sample.provider, debtor: sample.customer, market: "assef", order: sample.order,
                        amount: riyals(510), at: sample.start))
            }, customer: [.moneyGivenUp]),
        Case(
            name: "what an admin accepted first was stopped",
            publish: { world, sample in
                try await world.publish(
                    ApprovalEnded(
                        approval: .timeOrdered(), market: "assef", kind: "cashOut", subject: .timeOrdered(),
                        amount: riyals(600), reason: "charge-disputed", begunBy: sample.customer, at: sample.start))
            }, customer: [.approvalEnded]),
        Case(
            name: "a debt is written off", publish: { try await $0.publish(writtenOff($1, .made)) },
            customer: [.debtWrittenOff]),
        Case(
            name: "a debt is to be written off", publish: { try await $0.publish(writtenOff($1, .waiting)) }),
        Case(
            name: "reminded of a fine",
            publish: { world, sample in
                try await world.publish(
                    FineReminder(
                        account: sample.customer, market: "assef", owed: riyals(600),
                        dueAt: sample.start.addingTimeInterval(86_400), at: sample.start))
            }, customer: [.fineReminder]),
        Case(
            name: "reminded of a fine after the block",
            publish: { world, sample in
                try await world.publish(
                    FineReminder(
                        account: sample.customer, market: "assef", owed: riyals(600), dueAt: sample.start,
                        at: sample.start))
            }, customer: [.fineReminderBlocked]),
        Case(
            name: "blocked",
            publish: { world, sample in
                try await world.publish(
                    AccountBlocked(
                        account: sample.customer, market: "assef", owed: riyals(600), version: 1, at: sample.start))
            }, customer: [.accountBlocked]),
        Case(
            name: "unblocked",
            publish: { world, sample in
                try await world.publish(
                    AccountUnblocked(account: sample.customer, market: "assef", version: 2, at: sample.start))
            }, customer: [.accountUnblocked]),
        Case(
            name: "refunded to the wallet", publish: { try await $0.publish(refunded($1, to: .wallet, by: .platform)) },
            customer: [.paymentRefunded]),
        Case(
            name: "refunded to the card by the provider",
            publish: { try await $0.publish(refunded($1, to: .card, by: .provider)) },
            customer: [.paymentRefundedToCard], provider: [.paymentRefundFunded]),
        Case(
            name: "tipped",
            publish: { world, sample in
                try await world.publish(
                    TipGiven(
                        order: sample.order, market: "assef", customer: sample.customer, provider: sample.provider,
                        amount: riyals(1_000), at: sample.start))
            }, provider: [.tipReceived]),
        Case(
            name: "deposit locked",
            publish: { world, sample in
                try await world.publish(
                    DepositLocked(
                        order: sample.order, orderVersion: 2, market: "assef", provider: sample.provider,
                        amount: riyals(5_000), at: sample.start))
            }, provider: [.depositLocked]),
        Case(
            name: "deposit refused",
            publish: { world, sample in
                try await world.publish(
                    DepositRefused(
                        order: sample.order, orderVersion: 2, market: "assef", provider: sample.provider,
                        amount: riyals(5_000), at: sample.start))
            }, provider: [.depositRefused]),
        Case(
            name: "deposit returned", publish: { try await $0.publish(depositEnded($1, to: .provider)) },
            provider: [.depositReturned]),
        Case(
            name: "deposit given to the customer", publish: { try await $0.publish(depositEnded($1, to: .customer)) },
            customer: [.depositReceived], provider: [.depositForfeited]),
    ]

    private static func riyals(_ amount: Int) -> Money { Money(amount: amount, currency: "SAR") }

    private static func writtenOff(_ sample: Sample, _ state: WriteOffChanged.State) -> WriteOffChanged {
        WriteOffChanged(
            writeOff: .timeOrdered(), market: "assef", account: sample.customer, amount: riyals(600), state: state,
            reason: "Cannot be reached.", by: .timeOrdered(), at: sample.start)
    }

    private static func refunded(
        _ sample: Sample, to: PaymentRefunded.Destination, by funder: PaymentRefunded.Funder
    ) -> PaymentRefunded {
        PaymentRefunded(
            refund: .timeOrdered(), order: sample.order, market: "assef", customer: sample.customer,
            amount: riyals(4_000), to: to, fundedBy: funder, funder: funder == .platform ? nil : sample.provider,
            reason: "Late", by: .timeOrdered(), at: sample.start)
    }

    private static func depositEnded(_ sample: Sample, to: DepositEnded.Receiver) -> DepositEnded {
        DepositEnded(
            order: sample.order, market: "assef", provider: sample.provider, customer: sample.customer,
            amount: riyals(5_000), to: to, at: sample.start)
    }
}

/// A bike that a driver brings.
private func dropOff(
    _ state: OrderSnapshot.State, by: OrderSnapshot.Actor = .provider, _ reason: String? = nil
) -> (Sample) -> OrderSnapshot {
    { sample in
        sample.snapshot(state, version: 4, by: by) {
            $0.market = "btnc"
            $0.kind = "bikeDropOff"
            $0.reason = reason
        }
    }
}

/// A bike from a rack, which has no provider.
private func hire(_ state: OrderSnapshot.State, _ reason: String? = nil) -> (Sample) -> OrderSnapshot {
    { sample in
        sample.snapshot(state, version: 4, by: .system) {
            $0.kind = "bikePickUp"
            $0.provider = nil
            $0.reason = reason
        }
    }
}
