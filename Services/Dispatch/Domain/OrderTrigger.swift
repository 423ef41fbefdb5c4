/// What happens to an order, with what is said along with it.
enum OrderTrigger: Sendable, Hashable {
    case accept(companion: String?)
    case decline(reason: String?)
    case cancel(reason: String?)
    case arrive
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
        case paymentHeld, paymentCaptured, paymentReleased
        case acceptWindowOver, paymentWindowOver, arrivalWindowOver, completionWindowOver, confirmationWindowOver

        /// Whether it is what a window is for, so that it comes too late from the window's end on, fired deadline or not.
        /// To end an order in another way, or to arrive after all, stays possible until the deadline fires.
        var isBoundByWindow: Bool {
            switch self {
            case .accept, .paymentHeld, .complete: true
            case .decline, .cancel, .arrive, .comeNear, .paymentCaptured, .paymentReleased: false
            case .acceptWindowOver, .paymentWindowOver, .arrivalWindowOver: false
            case .completionWindowOver, .confirmationWindowOver: false
            }
        }
    }

    var kind: Kind {
        switch self {
        case .accept: .accept
        case .decline: .decline
        case .cancel: .cancel
        case .arrive: .arrive
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
        }
    }

    var payment: PaymentNews? {
        switch self {
        case .paymentHeld(let news), .paymentCaptured(let news), .paymentReleased(let news): news
        default: nil
        }
    }
}
