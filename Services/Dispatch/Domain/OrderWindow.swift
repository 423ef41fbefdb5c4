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
}

/// How long an order waits for what, at the moment of a transition.
struct OrderWindows: Sendable, Equatable {
    var acceptSeconds: Int
    var paymentSeconds: Int
    var arrivalSeconds: Int
    var completionSeconds: Int
    var confirmationSeconds: Int
    var decisionSeconds: Int
    /// How long a provider waits for a customer who is not there; no window, for nothing happens at its end.
    var noShowWaitSeconds: Int

    func end(of window: OrderWindow, from start: Date) -> Date {
        let seconds =
            switch window {
            case .accept: acceptSeconds
            case .payment: paymentSeconds
            case .arrival: arrivalSeconds
            case .completion: completionSeconds
            case .confirmation: confirmationSeconds
            case .decision: decisionSeconds
            }
        return start.addingTimeInterval(Double(seconds))
    }
}
