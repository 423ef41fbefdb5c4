/// The table of a payment's life. A trigger without a rule has no effect: a customer's request is refused, a repeated
/// or late message changes nothing.
struct PaymentRule: Sendable {
    let from: PaymentState
    let trigger: PaymentTrigger
    /// Nil when the method does not matter. `card` stands for every method that the payment provider charges.
    let method: PaymentMethod?
    let to: PaymentState
    let effects: [PaymentEffect]

    init(
        _ from: PaymentState, _ trigger: PaymentTrigger, _ method: PaymentMethod? = nil, _ to: PaymentState,
        _ effects: PaymentEffect...
    ) {
        self.from = from
        self.trigger = trigger
        self.method = method
        self.to = to
        self.effects = effects
    }

    static let all: [PaymentRule] = [
        PaymentRule(.requested, .pending, nil, .due),
        PaymentRule(.requested, .accepted, nil, .due),

        // The customer pays.
        PaymentRule(.due, .payFromWallet, nil, .held, .holdFromWallet, .tellHeld),
        PaymentRule(.due, .promiseCash, nil, .held, .tellHeld),
        PaymentRule(.due, .takeDeskCash, nil, .held, .holdFromDesk, .tellHeld),
        PaymentRule(.due, .payByCard, nil, .authorising, .beginCharge),
        PaymentRule(.due, .notCharged, nil, .due, .tellRefused),
        PaymentRule(.authorising, .actionRequired, nil, .authorising, .tellActionRequired),
        PaymentRule(.authorising, .abandoned, nil, .due, .cancelCharge, .tellRefused),
        PaymentRule(.authorising, .authorised, nil, .held, .holdFromCard, .tellHeld),
        PaymentRule(.authorising, .refused, nil, .due, .tellRefused),
        // Whatever the payment provider did or will do is undone, so that another method can be tried.
        PaymentRule(.authorising, .givenUp, nil, .due, .cancelCharge, .tellRefused),
        PaymentRule(.authorising, .cancelled, nil, .due, .tellRefused),
        PaymentRule(.authorising, .refunded, nil, .due, .tellRefused),
        // Captured by somebody at the payment provider.
        PaymentRule(.authorising, .captured, nil, .held, .holdFromCard, .tellHeld),

        // Captured before completion, so that the authorisation does not lapse, or by somebody at the payment provider.
        // The price stays in escrow; the order still decides where it goes.
        PaymentRule(.held, .captured, .card, .held),

        // The order is done.
        PaymentRule(.held, .completed, .wallet, .captured, .payOut, .tellCaptured),
        PaymentRule(.held, .completed, .cash, .captured, .takeCommission, .tellCaptured),
        PaymentRule(.held, .completed, .deskCash, .captured, .payOut, .tellCaptured),
        PaymentRule(.held, .completed, .card, .capturing, .captureCharge),
        PaymentRule(.capturing, .captured, nil, .captured, .payOut, .tellCaptured),

        // The order has ended without completion.
        PaymentRule(.requested, .ended, nil, .closed),
        PaymentRule(.due, .ended, nil, .closed),
        PaymentRule(.authorising, .ended, nil, .closed, .cancelCharge),
        PaymentRule(.held, .ended, .wallet, .released, .returnToWallet, .tellReleased),
        PaymentRule(.held, .ended, .cash, .released, .tellReleased),
        // The desk's cash stays with the platform, so the customer has it in the wallet.
        PaymentRule(.held, .ended, .deskCash, .credited, .returnToWallet, .tellReleased),
        PaymentRule(.held, .ended, .card, .releasing, .cancelCharge),
        PaymentRule(.releasing, .cancelled, nil, .released, .returnToCard, .tellReleased),
        // A captured charge cannot be cancelled, so it is refunded; escrow keeps the price until that is answered.
        PaymentRule(.releasing, .captured, nil, .releasing),
        PaymentRule(.releasing, .refunded, nil, .released, .returnToCard, .tellReleased),

        // A late cancellation: the price goes to the customer's wallet whatever the method was, and the fine is taken
        // from there.
        PaymentRule(.held, .endedWithFine, .card, .crediting, .captureCharge),
        PaymentRule(.frozen, .endedWithFine, .card, .crediting, .captureCharge),
        PaymentRule(.crediting, .captured, nil, .credited, .returnToWallet, .tellReleased),
        // No money was captured, so none goes to the wallet.
        PaymentRule(.crediting, .cancelled, nil, .released, .returnToCard, .tellReleased),
        PaymentRule(.crediting, .refunded, nil, .released, .returnToCard, .tellReleased),

        // The order was reported. Held money waits for the admin's decision, which arrives as `completed` or `ended`.
        // An unpaid order cannot be paid any more.
        PaymentRule(.requested, .disputed, nil, .closed),
        PaymentRule(.due, .disputed, nil, .closed),
        PaymentRule(.authorising, .disputed, nil, .closed, .cancelCharge),
        PaymentRule(.held, .disputed, nil, .frozen),
        PaymentRule(.frozen, .captured, .card, .frozen),
        PaymentRule(.frozen, .completed, .wallet, .captured, .payOut, .tellCaptured),
        PaymentRule(.frozen, .completed, .cash, .captured, .takeCommission, .tellCaptured),
        PaymentRule(.frozen, .completed, .deskCash, .captured, .payOut, .tellCaptured),
        PaymentRule(.frozen, .completed, .card, .capturing, .captureCharge),
        PaymentRule(.frozen, .ended, .wallet, .released, .returnToWallet, .tellReleased),
        PaymentRule(.frozen, .ended, .cash, .released, .tellReleased),
        PaymentRule(.frozen, .ended, .deskCash, .credited, .returnToWallet, .tellReleased),
        PaymentRule(.frozen, .ended, .card, .releasing, .cancelCharge),

        // The payment provider released or refunded the money without being asked. Escrow must not hold money that does
        // not exist.
        PaymentRule(.held, .cancelled, .card, .released, .returnToCard, .tellReleased),
        PaymentRule(.held, .refunded, .card, .released, .returnToCard, .tellReleased),
        PaymentRule(.frozen, .cancelled, .card, .released, .returnToCard, .tellReleased),
        PaymentRule(.frozen, .refunded, .card, .released, .returnToCard, .tellReleased),
        PaymentRule(.capturing, .cancelled, nil, .released, .returnToCard, .tellReleased),
        PaymentRule(.capturing, .refunded, nil, .released, .returnToCard, .tellReleased),

        // Completed without a payment through this service: nothing to divide.
        PaymentRule(.requested, .completed, nil, .closed),
        PaymentRule(.due, .completed, nil, .closed),
        PaymentRule(.authorising, .completed, nil, .closed, .cancelCharge),
    ]

    static func rule(from state: PaymentState, _ trigger: PaymentTrigger, _ method: PaymentMethod?) -> PaymentRule? {
        let kind = method?.isCharged == true ? .card : method
        return all.first { $0.from == state && $0.trigger == trigger && ($0.method == nil || $0.method == kind) }
    }
}
