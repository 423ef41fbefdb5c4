import Contracts
import Foundation
import Messaging

/// What an order says of the desk, in markets whose admins assign the work (P4).
enum OrderAdminFacts {
    private static let soon = ["en": "as soon as possible", "ar": "في أقرب وقت"]

    static func of(_ event: any OrderEvent, _ settings: MarketSettings?) -> [AdminFact] {
        let order = event.order
        guard isAssigned(order) else { return [] }
        return [desk(order, settings, isLate: false)] + time(event, settings)
    }

    /// Of an order that is told again, which may be no news.
    static func of(_ order: OrderSnapshot, _ settings: MarketSettings?) -> [AdminFact] {
        isAssigned(order) ? [desk(order, settings, isLate: false)] : []
    }

    static func of(_ event: OrderNobodyYet, _ settings: MarketSettings?) -> [AdminFact] {
        isAssigned(event.order) ? [desk(event.order, settings, isLate: true)] : []
    }

    private static func isAssigned(_ order: OrderSnapshot) -> Bool {
        order.kind == Market.Workflow.homeCare.rawValue
    }

    private static func desk(_ order: OrderSnapshot, _ settings: MarketSettings?, isLate: Bool) -> AdminFact {
        guard order.state == .requested else {
            return .settled(.visit, order.order, in: order.market, mark: order.version, at: order.changedAt)
        }
        var fact = AdminFact.waits(
            .visit, order.order, in: order.market, about: order.customer.account, order: order.order,
            [
                "services": .words(order.services.map(\.name.texts)),
                "time": order.scheduledAt.map { .text(text($0, settings)) } ?? .words([soon]),
            ], mark: order.version, at: order.changedAt)
        (fact.isUrgent, fact.reopens) = (isLate, isLate)
        return fact
    }

    /// Another time waits until it is set, or the visit goes on in another way.
    private static func time(_ event: any OrderEvent, _ settings: MarketSettings?) -> [AdminFact] {
        let order = event.order
        switch event {
        case let asked as OrderTimeAsked:
            return [
                .waits(
                    .time, order.order, in: order.market, about: order.provider?.account, order: order.order,
                    [
                        "time": .text(text(asked.time, settings)),
                        "former": order.scheduledAt.map { .text(text($0, settings)) } ?? .words([soon]),
                    ], mark: order.version, at: order.changedAt)
            ]
        case is OrderPaymentChanged, is OrderNearby, is OrderAccepted, is OrderDeposited: return []
        default: return [.settled(.time, order.order, in: order.market, mark: order.version, at: order.changedAt)]
        }
    }

    private static func text(_ time: Date, _ settings: MarketSettings?) -> String {
        settings?.moment(of: time) ?? time.ISO8601Format()
    }
}
