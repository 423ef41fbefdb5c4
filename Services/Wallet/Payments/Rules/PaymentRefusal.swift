import Foundation

/// Why a payment cannot be made now.
enum PaymentRefusal: Error, Hashable {
    /// Nobody has accepted the order yet, as far as is known here. It may be a moment until the news is.
    case tooEarly(order: String)
    /// The order has ended, or its time to be paid is over.
    case tooLate(order: String)
    /// It is paid, or being paid.
    case payment(PaymentState)

    /// - Returns: nil when it can be paid.
    init?(_ payment: Payment, at now: Date) {
        switch payment.state {
        case .requested: self = .tooEarly(order: payment.orderState)
        case .due:
            // The order's own deadline may fire a moment later; what comes after it is too late all the same.
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
