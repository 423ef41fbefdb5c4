import Foundation

/// What an order waits for; each has its length by the market's settings.
enum OrderWindow: String, Sendable, CaseIterable {
    /// The provider's answer.
    case accept
    /// The customer's payment.
    case payment
    /// The provider's arrival.
    case arrival
    /// Both parties' word that the work is done.
    case confirmation
}

/// How long an order waits for what, at the moment of a transition.
struct OrderWindows: Sendable, Equatable {
    var acceptSeconds: Int
    var paymentSeconds: Int
    var arrivalSeconds: Int
    var confirmationSeconds: Int

    func end(of window: OrderWindow, from start: Date) -> Date {
        let seconds =
            switch window {
            case .accept: acceptSeconds
            case .payment: paymentSeconds
            case .arrival: arrivalSeconds
            case .confirmation: confirmationSeconds
            }
        return start.addingTimeInterval(Double(seconds))
    }
}
