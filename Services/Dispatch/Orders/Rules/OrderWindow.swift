import Foundation

/// A wait of an order; the market's settings give its length.
enum OrderWindow: String, Sendable, CaseIterable {
    /// The provider's answer.
    case accept
    /// The customer's payment.
    case payment
    /// The provider's arrival.
    case arrival
    /// A first party's word that the work is done, after the arrival.
    case completion
    /// The second party's word that the work is done.
    case confirmation
    /// An admin's decision about a report.
    case decision
    /// A provider: found on the board, or by the platform.
    case search
    /// The answer of a provider to whom the platform offers it.
    case offer
    /// The work of the admins' desk.
    case assignment
    /// The admins' desk.
    case desk
    /// The wallet's answer about the provider's deposit.
    case deposit
    /// The merchant's preparation.
    case preparation

    /// Whether the window begins at the scheduled time, if that is later.
    var beginsAtScheduledTime: Bool { self == .arrival }
}

/// Lengths of an order's windows at the moment of a transition.
struct OrderWindows: Sendable, Equatable {
    var acceptSeconds: Int
    var paymentSeconds: Int
    var arrivalSeconds: Int
    var completionSeconds: Int
    var confirmationSeconds: Int
    var decisionSeconds: Int
    var searchSeconds: Int
    var offerSeconds: Int
    var assignmentSeconds: Int
    var deskSeconds: Int
    var depositSeconds: Int
    var preparationSeconds: Int
    /// Seconds that one party must wait before reporting the other's no-show. Not a window: nothing happens at its end.
    var noShowWaitSeconds: Int
    /// Seconds that the customer has to pay an order that an admin made.
    var phonePaymentSeconds: Int
    /// Seconds before the scheduled time from which the work may begin. Not a window either.
    var startEarlySeconds: Int

    /// End of a window that begins at `start`.
    ///
    /// - Parameters:
    ///   - scheduled: the time that the order is for; nil means at once.
    ///   - isByPhone: whether an admin ordered for a caller, or a series ordered it for a customer who is not there.
    ///   - isUnattended: whether the order is paid without its customer's presence. The customer is told and has until
    ///     a day before the scheduled time; if that is over, as long as a caller has.
    func end(
        of window: OrderWindow, from start: Date, scheduled: Date? = nil, isByPhone: Bool = false,
        isUnattended: Bool = false
    ) -> Date {
        let seconds =
            switch window {
            case .accept: acceptSeconds
            case .payment: isByPhone ? phonePaymentSeconds : paymentSeconds
            case .arrival: arrivalSeconds
            case .completion: completionSeconds
            case .confirmation: confirmationSeconds
            case .decision: decisionSeconds
            case .search: searchSeconds
            case .offer: offerSeconds
            case .assignment: assignmentSeconds
            case .desk: deskSeconds
            case .deposit: depositSeconds
            case .preparation: preparationSeconds
            }
        let begin = window.beginsAtScheduledTime ? max(start, scheduled ?? start) : start
        let end = begin.addingTimeInterval(Double(seconds))
        guard let scheduled else { return end }
        if window == .payment, isUnattended {
            let dayBefore = scheduled.addingTimeInterval(-86_400)
            let soon = start.addingTimeInterval(Double(phonePaymentSeconds))
            return min(dayBefore > start ? max(dayBefore, end) : soon, scheduled)
        }
        return switch window {
        // The desk has until the scheduled time; payment and assignment never wait beyond it.
        case .desk: scheduled
        case .payment, .assignment: min(end, scheduled)
        default: end
        }
    }
}
