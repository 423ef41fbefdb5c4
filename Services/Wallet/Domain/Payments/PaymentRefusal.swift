/// A payment cannot be made any more, or not again.
struct PaymentRefusal: Error, Hashable {
    /// Of the payment, or of the order when that has ended.
    let state: String

    init(payment: Payment) {
        let hasEnded = [.closed, .released].contains(payment.state)
        state = hasEnded ? payment.orderState : payment.state.rawValue
    }
}
