import Contracts
import Foundation
import Messaging

/// The notices for the three parties of a meal: customer, restaurant and courier.
extension OrderNotices {
    /// Whether the restaurant gets notices. It gets none for an order that was never paid.
    var isMerchantAsked: Bool { order.merchant != nil && order.payment.method != nil }

    /// Nil if the notices are those of an order with two parties.
    func mealItems() throws -> [Notice?]? {
        switch event {
        case is OrderRequested:
            [try toMerchant(.mealRequested, ["minutes": .number(minutesLeft(\.acceptWindowSeconds))])]
        case let preparing as OrderPreparing: [try toCustomer(.mealAccepted, ["minutes": minutes(preparing)])]
        case is OrderReady:
            // A courier with an offer has not accepted yet.
            [order.state == .offered ? nil : try toProvider(.mealReady)]
        case is OrderAccepted: [try toCustomer(.mealCourierFound), try toMerchant(.mealCourierComing)]
        case is OrderArrived: [try toMerchant(.mealCourierArrived)]
        case is OrderStarted: [try toCustomer(.mealOnTheWay)]
        case is OrderRefused: [try toCustomer(.mealRefused, ["reason": reason]), try toProvider(.orderCancelled)]
        case is OrderDisputed: try review()
        case is OrderUndecided: try all(.orderUndecided)
        case is OrderCompleted where order.outcome != nil: try decided()
        case is OrderCompleted where order.reason == "customer-no-show":
            [
                try toCustomer(.mealNotTakenForCustomer), try toProvider(.mealNotTakenForProvider),
                try toMerchant(.mealNotTakenForMerchant),
            ]
        case is OrderCompleted:
            [
                try toCustomer(.orderCompletedForCustomer), try toProvider(.orderCompletedForProvider),
                try toMerchant(.mealCompleted),
            ]
        case is OrderCancelled: try cancelled()
        case is OrderExpired where order.reason == "accept-window-over":
            [try toCustomer(.mealUnanswered), try toMerchant(.mealMissed)]
        case is OrderPaymentChanged where order.state == .completed && order.payment.state == .released:
            [try toProvider(.orderNotPaid), try toMerchant(.orderNotPaid)]
        default: nil
        }
    }

    private func cancelled() throws -> [Notice?] {
        if order.outcome != nil { return try decided() }
        if order.by == .customer {
            return [
                try toMerchant(.orderCancelledByOther, ["name": TextArgument(order.customer)]),
                try toProvider(.orderCancelledByOther, ["name": TextArgument(order.customer)]),
            ]
        }
        // The payment event has informed the customer already, and the order was visible to nobody else.
        if order.reason == PaymentRefused.promoCodeLost { return [] }
        return order.reason == "payment-lost" ? try all(.mealPaymentLost) : try all(.orderCancelled)
    }

    /// The reporting party gets a confirmation; the others learn why the order stops.
    private func review() throws -> [Notice?] {
        let more = ["reason": reason]
        return [
            try order.by == .customer ? toCustomer(.orderReportReceived) : toCustomer(.mealReported, more),
            try order.by == .provider ? toProvider(.orderReportReceived) : toProvider(.mealReported, more),
            try order.by == .merchant ? toMerchant(.orderReportReceived) : toMerchant(.mealReported, more),
        ]
    }

    /// The same text for all parties; the wallet's events tell each one the own amount.
    private func decided() throws -> [Notice?] {
        guard let outcome = order.outcome else { return [] }
        return try all(
            .mealDecided, ["returned": TextArgument(outcome.toCustomer), "reason": .text(outcome.reason)])
    }

    private func all(_ topic: InboxTopic, _ more: [String: TextArgument] = [:]) throws -> [Notice?] {
        [try toCustomer(topic, more), try toProvider(topic, more), try toMerchant(topic, more)]
    }

    /// Nil if the order has no restaurant, or the restaurant was not asked.
    func toMerchant(_ topic: InboxTopic, _ more: [String: TextArgument] = [:]) throws -> Notice? {
        guard isMerchantAsked, let merchant = order.merchant else { return nil }
        return try item(topic, more, to: merchant.account, as: .merchant)
    }

    /// The minutes until the meal is ready, rounded up.
    private func minutes(_ preparing: OrderPreparing) -> TextArgument {
        let seconds = preparing.readyAt?.timeIntervalSince(order.changedAt) ?? 0
        return .number(max(1, Int((min(seconds, 1e6) / 60).rounded(.up))))
    }
}
