import Foundation

/// What happens to an order, with what is said along with it.
enum OrderTrigger: Sendable, Hashable {
    /// With who comes along; a merchant says in how many minutes it is ready.
    case accept(companion: String?, minutes: Int? = nil)
    case decline(reason: String?)
    /// With the fine that the customer agreed to, for where the workflow takes one.
    case cancel(reason: String?, fine: WayFine = .none)
    case arrive
    /// The provider is there and the customer is not.
    case missCustomer(fine: WayFine)
    /// The customer is there and the provider is not.
    case missProvider
    /// A party reports the order: a reason of the market, or the party's own words.
    case report(UUID, reason: String)
    /// An admin has decided about the report.
    case decide(Order.Verdict)
    case complete
    case comeNear(metresLeft: Int, secondsLeft: Int)
    case paymentHeld(PaymentNews)
    case paymentCaptured(PaymentNews)
    case paymentReleased(PaymentNews)
    case windowOver(OrderWindow)
    /// The platform asks somebody.
    case offer(Order.Party)
    /// Somebody takes it from the board.
    case take(Order.Party)
    /// An admin sends it to somebody.
    case assign(Order.Party)
    /// An admin takes it back to the desk.
    case unassign(reason: String?)
    /// The provider cannot do it after all.
    case giveUp(reason: String?)
    /// The work begins: the parcel is picked up, the visit has begun.
    case start
    /// What the merchant prepares can be fetched.
    case ready
    /// The provider asks for another time.
    case askForTime(Date)
    /// An admin sets another time.
    case reschedule(Date)
    /// The wallet has taken the provider's deposit, or could not, for the acceptance of this version.
    case depositLocked(orderVersion: Int)
    case depositRefused(orderVersion: Int)
    /// The deposit is kept no longer.
    case depositEnded(toCustomer: Bool)
    /// Somebody may do nothing in the market any more.
    case customerBanned, providerBanned, merchantBanned
    /// A ride ends before its destination. By its driver what was driven costs this, in minor units; by its rider it is asked for,
    /// and what it costs is known when the driver, or the window, says that it has ended.
    case endEarly(cost: Int)
    /// The last word about a ride that its rider wanted to end early, the driver's or the window's: the way until then costs this.
    case settleEarly(cost: Int, isWindow: Bool = false)
    /// A ride's driver says "done" away from its destination: what was driven, so many metres, costs this; minor units.
    case completeAway(cost: Int, metres: Int)
    /// What was hired is back, and its time costs this; minor units.
    case bringBack(cost: Int)

    /// What the wallet says of the payment.
    struct PaymentNews: Sendable, Hashable {
        var method: String?
        /// Grows with each change of the payment; what is not newer than known is ignored.
        var version: Int
        /// What the provider got of it, once it is captured: minor units.
        var earned: Int?
        /// What the merchant sold of it in the end, before the platform's share, once it is captured: minor units.
        var sold: Int?
        /// Why nothing was held and nothing will be, a slug; nil of what was held.
        var neverHeld: String?

        /// The slugs of ``neverHeld``.
        static let reasons: Set<String> = ["promo-code-lost"]
    }

    /// The trigger as the workflows' tables name it.
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

        /// Whether it is what a window is for, so that it comes too late from the window's end on, fired deadline or not.
        /// To end an order in another way, or to arrive after all, stays possible until the deadline fires.
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
        case .windowOver(let window): window.overKind
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
        case .completeAway: .complete
        case .settleEarly(_, let isWindow): isWindow ? .confirmationWindowOver : .complete
        }
    }

    /// Of the acceptance that the wallet's word about a deposit answers.
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

    /// What the customer has to pay for the provider's way, where the workflow takes it.
    var fine: WayFine? {
        switch self {
        case .cancel(_, let fine), .missCustomer(let fine): fine
        default: nil
        }
    }
}

extension OrderWindow {
    /// That its time is over.
    var overKind: OrderTrigger.Kind {
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
