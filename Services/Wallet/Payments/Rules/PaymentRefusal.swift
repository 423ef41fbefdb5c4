import Foundation

/// Why a payment cannot be made now.
enum PaymentRefusal: Error, Hashable {
    /// The wallet has not heard of an acceptance yet; the event may arrive in a moment.
    case tooEarly(order: String)
    /// The order has ended, or its payment deadline has passed.
    case tooLate(order: String)
    /// The order is already paid or being paid.
    case payment(PaymentState)

    /// - Returns: nil when the payment can be made.
    init?(_ payment: Payment, at now: Date) {
        switch payment.state {
        case .requested: self = .tooEarly(order: payment.orderState)
        case .due:
            // The order's own deadline may fire a moment later; payment is refused from the deadline on all the same.
            guard let end = payment.orderDeadline, end <= now else { return nil }
            self = .tooLate(order: "expired")
        case .closed: self = .tooLate(order: payment.orderState)
        case .released where payment.hasOrderEnded, .credited where payment.hasOrderEnded:
            self = .tooLate(order: payment.orderState)
        case .authorising, .held, .frozen, .capturing, .captured, .releasing, .released, .crediting,
            .credited:
            self = .payment(payment.shownState)
        }
    }
}
