import Foundation

/// What an order waits for; each has its length by the market's settings.
enum OrderWindow: String, Sendable, CaseIterable {
    /// The provider's answer.
    case accept
    /// The customer's payment.
    case payment
    /// The provider's arrival.
    case arrival
    /// Anybody's word that the work is done, after the arrival.
    case completion
    /// The second party's word that it is.
    case confirmation
    /// An admin's decision about a report.
    case decision
    /// That somebody is found: on the board, or by the platform.
    case search
    /// The answer of a provider to whom the platform offers it.
    case offer
    /// The answer of a provider to whom an admin sent it.
    case assignment
    /// The admins' desk.
    case desk
    /// The wallet's word about the provider's deposit.
    case deposit
    /// What a merchant prepares.
    case preparation

    /// Whether it begins with the time that the order is for, where that is later.
    var isOfSchedule: Bool { self == .arrival }
}

/// How long an order waits for what, at the moment of a transition.
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
    /// How long who is there waits for the other who is not; no window, for nothing happens at its end.
    var noShowWaitSeconds: Int
    /// How long the customer has to pay what an admin ordered.
    var phonePaymentSeconds: Int
    /// How long before its time the work may begin; no window either.
    var startEarlySeconds: Int

    /// - Parameters:
    ///   - scheduled: the time that the order is for; nil is at once.
    ///   - isByPhone: whether an admin has ordered for a caller.
    ///   - isUnattended: whether it is paid without its customer, who is told and has until a day before it; of what is sooner,
    ///     as long as a caller.
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
        let begin = window.isOfSchedule ? max(start, scheduled ?? start) : start
        let end = begin.addingTimeInterval(Double(seconds))
        guard let scheduled else { return end }
        if window == .payment, isUnattended {
            let dayBefore = scheduled.addingTimeInterval(-86_400)
            let soon = start.addingTimeInterval(Double(phonePaymentSeconds))
            return min(dayBefore > start ? max(dayBefore, end) : soon, scheduled)
        }
        return switch window {
        // The desk has until the time itself, and nobody is waited for longer than that.
        case .desk: scheduled
        case .payment, .assignment: min(end, scheduled)
        default: end
        }
    }
}
