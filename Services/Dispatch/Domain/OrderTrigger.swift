import Foundation

/// What happens to an order, with what is said along with it.
enum OrderTrigger: Sendable, Hashable {
    case accept(companion: String?)
    case decline(reason: String?)
    /// With the fine that the customer agreed to, for where the workflow takes one.
    case cancel(reason: String?, fine: WayFine = .none)
    case arrive
    /// The provider is there and the customer is not.
    case missCustomer(fine: WayFine)
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

    /// What the wallet says of the payment.
    struct PaymentNews: Sendable, Hashable {
        var method: String?
        /// Grows with each change of the payment; what is not newer than known is ignored.
        var version: Int
    }

    /// The trigger as the workflows' tables name it.
    enum Kind: String, Sendable, CaseIterable {
        case accept, decline, cancel, arrive, complete, comeNear
        case missCustomer, report, decideForProvider, decideForCustomer
        case paymentHeld, paymentCaptured, paymentReleased
        case acceptWindowOver, paymentWindowOver, arrivalWindowOver, completionWindowOver, confirmationWindowOver
        case decisionWindowOver

        /// Whether it is what a window is for, so that it comes too late from the window's end on, fired deadline or not.
        /// To end an order in another way, or to arrive after all, stays possible until the deadline fires.
        var isBoundByWindow: Bool {
            switch self {
            case .accept, .paymentHeld, .complete: true
            case .decline, .cancel, .arrive, .comeNear, .paymentCaptured, .paymentReleased: false
            case .acceptWindowOver, .paymentWindowOver, .arrivalWindowOver: false
            case .completionWindowOver, .confirmationWindowOver, .decisionWindowOver: false
            case .missCustomer, .report, .decideForProvider, .decideForCustomer: false
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
        case .report: .report
        case .decide(let verdict): verdict.decision == .returnToCustomer ? .decideForCustomer : .decideForProvider
        case .complete: .complete
        case .comeNear: .comeNear
        case .paymentHeld: .paymentHeld
        case .paymentCaptured: .paymentCaptured
        case .paymentReleased: .paymentReleased
        case .windowOver(.accept): .acceptWindowOver
        case .windowOver(.payment): .paymentWindowOver
        case .windowOver(.arrival): .arrivalWindowOver
        case .windowOver(.completion): .completionWindowOver
        case .windowOver(.confirmation): .confirmationWindowOver
        case .windowOver(.decision): .decisionWindowOver
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
