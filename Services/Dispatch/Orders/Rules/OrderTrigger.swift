import Foundation

/// An event for an order, with the data that comes with it.
enum OrderTrigger: Sendable, Hashable {
    /// Acceptance: by a provider with the companion's name, by a merchant with the minutes until the meal is ready.
    case accept(companion: String?, minutes: Int? = nil)
    case decline(reason: String?)
    /// With the fine that the customer agreed to, where the workflow takes one.
    case cancel(reason: String?, fine: LateCancellationFee = .none)
    case arrive
    /// The provider is at the place and the customer is not.
    case missCustomer(fine: LateCancellationFee)
    /// The customer is at the place and the provider is not.
    case missProvider
    /// A party reports the order, with a reason of the market or in the party's own words.
    case report(UUID, reason: String)
    /// An admin has decided about the report.
    case decide(Order.Verdict)
    case complete
    case comeNear(metresLeft: Int, secondsLeft: Int)
    case paymentHeld(PaymentNews)
    case paymentCaptured(PaymentNews)
    case paymentReleased(PaymentNews)
    case windowOver(OrderWindow)
    /// The platform offers the order to a provider.
    case offer(Order.Party)
    /// A provider takes the order, from the board or from the open requests.
    case take(Order.Party)
    /// An admin sends the order to a provider.
    case assign(Order.Party)
    /// An admin takes the order back to the desk.
    case unassign(reason: String?)
    /// The provider cannot do the order after all.
    case giveUp(reason: String?)
    /// The work begins: the parcel is picked up, the visit has begun.
    case start
    /// The merchant's goods are ready for pick-up.
    case ready
    /// The provider asks for another time.
    case askForTime(Date)
    /// An admin sets another time.
    case reschedule(Date)
    /// The wallet locked the provider's deposit, or refused to, for the acceptance with this version.
    case depositLocked(orderVersion: Int)
    case depositRefused(orderVersion: Int)
    /// The wallet has given the deposit back, or paid it to the customer.
    case depositEnded(toCustomer: Bool)
    /// A party is banned in the market, or is no provider of it any more.
    case customerBanned, providerBanned, merchantBanned
    /// A ride ends before its destination. From the driver: the driven part costs `cost` minor units. From the rider: a
    /// request; the price is known when the driver, or the window, confirms the end.
    case endEarly(cost: Int)
    /// The driver or the window confirms the early end that the rider asked for; the way until then costs `cost` minor
    /// units.
    case confirmEarlyEnd(cost: Int, isWindow: Bool = false)
    /// The driver says "done" away from the destination: the driven `metres` cost `cost` minor units.
    case completeElsewhere(cost: Int, metres: Int)
    /// The hired bike is back; its time costs `cost` minor units.
    case bringBack(cost: Int)

    /// The wallet's news about the payment.
    struct PaymentNews: Sendable, Hashable {
        var method: String?
        /// Grows with each change of the payment; news that is not newer than the known version is ignored.
        var version: Int
        /// Minor units that the provider received, once the payment is captured.
        var earned: Int?
        /// Minor units of the merchant's final sale, before the platform's share, once the payment is captured.
        var sold: Int?
        /// Slug of the reason why nothing was and nothing will be held; nil if something was held.
        var neverHeld: String?

        /// Possible values of ``neverHeld``.
        static let reasons: Set<String> = ["promo-code-lost"]
    }

    /// The trigger's name in the workflows' tables.
    enum Kind: String, Sendable, CaseIterable {
        case accept, decline, cancel, arrive, complete, comeNear
        case missCustomer, missProvider, report, decideForProvider, decideForCustomer
        case paymentHeld, paymentCaptured, paymentReleased
        case acceptWindowOver, paymentWindowOver, arrivalWindowOver, completionWindowOver, confirmationWindowOver
        case decisionWindowOver
        case offer
        case take, assign, unassign, giveUp, start, ready, askForTime, reschedule
        case depositLocked, depositRefused, depositEnded
        case searchWindowOver, offerWindowOver, assignmentWindowOver, deskWindowOver, depositWindowOver
        case preparationWindowOver
        case customerBanned, providerBanned, merchantBanned, bringBack, endEarly

        /// Whether a window exists for this trigger, so that the trigger is too late from the window's end on, whether
        /// or not the deadline has fired. Other endings, and a late arrival, stay possible until the deadline fires.
        var isBoundByWindow: Bool {
            switch self {
            case .accept, .paymentHeld, .complete, .endEarly, .take, .assign, .depositLocked, .offer: true
            case .decline, .cancel, .arrive, .comeNear, .paymentCaptured, .paymentReleased: false
            case .acceptWindowOver, .paymentWindowOver, .arrivalWindowOver: false
            case .completionWindowOver, .confirmationWindowOver, .decisionWindowOver: false
            case .missCustomer, .missProvider, .report, .decideForProvider, .decideForCustomer: false
            case .unassign, .giveUp, .start, .ready, .askForTime, .reschedule: false
            case .depositRefused, .depositEnded: false
            case .searchWindowOver, .offerWindowOver, .assignmentWindowOver, .deskWindowOver: false
            case .depositWindowOver, .preparationWindowOver, .bringBack: false
            case .customerBanned, .providerBanned, .merchantBanned: false
            }
        }
    }

    var kind: Kind {
        switch self {
        case .accept: .accept
        case .decline: .decline
        case .cancel: .cancel
        case .arrive: .arrive
        case .missCustomer: .missCustomer
        case .missProvider: .missProvider
        case .report: .report
        case .decide(let verdict): verdict.decision == .returnToCustomer ? .decideForCustomer : .decideForProvider
        case .complete: .complete
        case .comeNear: .comeNear
        case .paymentHeld: .paymentHeld
        case .paymentCaptured: .paymentCaptured
        case .paymentReleased: .paymentReleased
        case .windowOver(let window): window.endTrigger
        case .offer: .offer
        case .take: .take
        case .assign: .assign
        case .unassign: .unassign
        case .giveUp: .giveUp
        case .start: .start
        case .ready: .ready
        case .askForTime: .askForTime
        case .reschedule: .reschedule
        case .depositLocked: .depositLocked
        case .depositRefused: .depositRefused
        case .depositEnded: .depositEnded
        case .customerBanned: .customerBanned
        case .providerBanned: .providerBanned
        case .merchantBanned: .merchantBanned
        case .bringBack: .bringBack
        case .endEarly: .endEarly
        case .completeElsewhere: .complete
        case .confirmEarlyEnd(_, let isWindow): isWindow ? .confirmationWindowOver : .complete
        }
    }

    /// Version of the acceptance that the wallet's answer about a deposit refers to.
    var acceptance: Int? {
        switch self {
        case .depositLocked(let version), .depositRefused(let version): version
        default: nil
        }
    }

    var payment: PaymentNews? {
        switch self {
        case .paymentHeld(let news), .paymentCaptured(let news), .paymentReleased(let news): news
        default: nil
        }
    }

    /// Fine for the provider's way, where the workflow takes one.
    var fine: LateCancellationFee? {
        switch self {
        case .cancel(_, let fine), .missCustomer(let fine): fine
        default: nil
        }
    }
}

extension OrderWindow {
    /// The trigger for the end of this window.
    var endTrigger: OrderTrigger.Kind {
        switch self {
        case .accept: .acceptWindowOver
        case .payment: .paymentWindowOver
        case .arrival: .arrivalWindowOver
        case .completion: .completionWindowOver
        case .confirmation: .confirmationWindowOver
        case .decision: .decisionWindowOver
        case .search: .searchWindowOver
        case .offer: .offerWindowOver
        case .assignment: .assignmentWindowOver
        case .desk: .deskWindowOver
        case .deposit: .depositWindowOver
        case .preparation: .preparationWindowOver
        }
    }
}
