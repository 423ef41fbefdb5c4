import Foundation
import SeraiJSON
import TestKit

@testable import SeraiDispatch

/// An order for tests of the domain, where nothing is random and no time passes by itself.
enum SampleOrder {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    static let windows = OrderWindows(
        acceptSeconds: 120, paymentSeconds: 600, arrivalSeconds: 7_200, completionSeconds: 43_200,
        confirmationSeconds: 86_400, decisionSeconds: 259_200, searchSeconds: 604_800, offerSeconds: 20,
        assignmentSeconds: 3_600, deskSeconds: 86_400, depositSeconds: 60, preparationSeconds: 3_600,
        noShowWaitSeconds: 900, phonePaymentSeconds: 172_800, startEarlySeconds: 900)
    static let report = SequentialIDs(first: 900).next()

    static func opened(_ ids: SequentialIDs = SequentialIDs()) -> OrderChange {
        let lines = [Order.Line(service: "wound-care", names: ["en": "Wound care"], price: 12_000)]
        let request = Order.Request(
            id: ids.next(), market: "assef", customer: Order.Party(account: ids.next(), name: "Salem"),
            provider: Order.Party(account: ids.next(), name: "Noura"), lines: lines, total: 12_000, currency: "SAR",
            place: Order.Place(latitude: 24.7, longitude: 46.7, description: nil))
        return Order.opened(request, at: start, windows: windows, in: .visit)
    }

    /// A requested order that then went through these.
    static func after(_ steps: (OrderTrigger, OrderActor)...) throws -> Order {
        var order = opened().order
        for (trigger, actor) in steps {
            order = try order.applying(trigger, by: actor, at: start, windows: windows, in: .visit).order
        }
        return order
    }

    static func held(_ version: Int = 2, method: String = "card") -> OrderTrigger {
        .paymentHeld(OrderTrigger.PaymentNews(method: method, version: version))
    }

    /// The way to each state that a visit knows.
    static func inState(_ state: OrderState) throws -> Order {
        switch state {
        case .requested: try after()
        case .accepted: try after((.accept(companion: nil), .provider))
        case .enRoute: try after((.accept(companion: nil), .provider), (held(), .system))
        case .arrived: try after((.accept(companion: nil), .provider), (held(), .system), (.arrive, .provider))
        case .completed:
            try after(
                (.accept(companion: nil), .provider), (held(), .system), (.arrive, .provider),
                (.complete, .customer), (.complete, .provider))
        case .cancelled: try after((.cancel(reason: nil), .customer))
        case .refused: try after((.decline(reason: nil), .provider))
        case .expired: try after((.windowOver(.accept), .system))
        case .disputed:
            try after(
                (.accept(companion: nil), .provider), (held(), .system), (.arrive, .provider),
                (.report(report, reason: "not-done"), .customer))
        case .pending, .offered, .preparing, .inProgress: throw NotOfVisit()
        }
    }

    struct NotOfVisit: Error {}

    static let states: [OrderState] = [
        .requested, .accepted, .enRoute, .arrived, .completed, .cancelled, .refused, .expired, .disputed,
    ]

    static func verdict(_ decision: Order.Verdict.Decision, toCustomer: Int = 4_000) -> Order.Verdict {
        Order.Verdict(decision: decision, toCustomer: toCustomer, reason: "Half of it came")
    }

    /// A quarter of an hour after the start, when a provider has waited long enough.
    static let later = start.addingTimeInterval(900)

    static let other = Order.Party(account: SequentialIDs(first: 800).next(), name: "Huda")

    static let triggers: [OrderTrigger] =
        [
            .accept(companion: "Huda Salem"), .decline(reason: "away"), .cancel(reason: "too late"), .arrive, .complete,
            .missCustomer(fine: LateCancellationFee(metres: 12_000, amount: 600)), .report(report, reason: "not-done"),
            .decide(verdict(.payProvider)), .decide(verdict(.returnToCustomer)),
            .comeNear(metresLeft: 400, secondsLeft: 60), held(9),
            .paymentCaptured(.init(method: "card", version: 9)), .paymentReleased(.init(method: "card", version: 9)),
            .offer(other), .take(other), .assign(other), .unassign(reason: nil), .giveUp(reason: "ill"), .start,
            .ready,
            .askForTime(later), .reschedule(later), .depositLocked(orderVersion: 3), .depositRefused(orderVersion: 3),
            .depositEnded(toCustomer: false), .customerBanned, .providerBanned, .merchantBanned,
            .missProvider, .bringBack(cost: 900), .endEarly(cost: 900),
        ] + OrderWindow.allCases.map { .windowOver($0) }
}

extension Order {
    /// Its provider's account; of a visit there always is one.
    var assignee: UUID { provider?.account ?? SampleOrder.other.account }
}
