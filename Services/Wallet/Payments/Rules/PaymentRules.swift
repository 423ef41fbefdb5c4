/// The whole life of a payment. What has no rule does not happen: the customer is refused, a repeat or a late message
/// changes nothing.
struct PaymentRule: Sendable {
    let from: PaymentState
    let trigger: PaymentTrigger
    /// Nil where it does not matter. `card` stands for all that the payment provider takes.
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
        // Somebody was faster, at the payment provider.
        PaymentRule(.authorising, .captured, nil, .held, .holdFromCard, .tellHeld),

        // Captured before the order is done, lest the authorisation lapses, or by somebody at the payment provider.
        // The price is in escrow as before; what is to become of it is still for the order to say.
        PaymentRule(.held, .captured, .card, .held),

        // The order is done.
        PaymentRule(.held, .completed, .wallet, .captured, .payOut, .tellCaptured),
        PaymentRule(.held, .completed, .cash, .captured, .takeCommission, .tellCaptured),
        PaymentRule(.held, .completed, .card, .capturing, .captureCharge),
        PaymentRule(.capturing, .captured, nil, .captured, .payOut, .tellCaptured),

        // The order has ended without being done.
        PaymentRule(.requested, .ended, nil, .closed),
        PaymentRule(.due, .ended, nil, .closed),
        PaymentRule(.authorising, .ended, nil, .closed, .cancelCharge),
        PaymentRule(.held, .ended, .wallet, .released, .returnToWallet, .tellReleased),
        PaymentRule(.held, .ended, .cash, .released, .tellReleased),
        PaymentRule(.held, .ended, .card, .releasing, .cancelCharge),
        PaymentRule(.releasing, .cancelled, nil, .released, .returnToCard, .tellReleased),
        // What is captured cannot be cancelled. The charge goes on to be refunded, and escrow keeps the price until
        // that is answered.
        PaymentRule(.releasing, .captured, nil, .releasing),
        PaymentRule(.releasing, .refunded, nil, .released, .returnToCard, .tellReleased),

        // Cancelled late: the price goes to the customer's wallet whatever it was paid by, and the fine is taken from there.
        PaymentRule(.held, .endedWithFine, .card, .crediting, .captureCharge),
        PaymentRule(.frozen, .endedWithFine, .card, .crediting, .captureCharge),
        PaymentRule(.crediting, .captured, nil, .credited, .returnToWallet, .tellReleased),
        // Nothing has come that could be in the wallet.
        PaymentRule(.crediting, .cancelled, nil, .released, .returnToCard, .tellReleased),
        PaymentRule(.crediting, .refunded, nil, .released, .returnToCard, .tellReleased),

        // The order was reported. What is held waits for the admin's decision, which is `completed` or `ended`; an order
        // that was not paid is not to be paid any more.
        PaymentRule(.requested, .disputed, nil, .closed),
        PaymentRule(.due, .disputed, nil, .closed),
        PaymentRule(.authorising, .disputed, nil, .closed, .cancelCharge),
        PaymentRule(.held, .disputed, nil, .frozen),
        PaymentRule(.frozen, .captured, .card, .frozen),
        PaymentRule(.frozen, .completed, .wallet, .captured, .payOut, .tellCaptured),
        PaymentRule(.frozen, .completed, .cash, .captured, .takeCommission, .tellCaptured),
        PaymentRule(.frozen, .completed, .card, .capturing, .captureCharge),
        PaymentRule(.frozen, .ended, .wallet, .released, .returnToWallet, .tellReleased),
        PaymentRule(.frozen, .ended, .cash, .released, .tellReleased),
        PaymentRule(.frozen, .ended, .card, .releasing, .cancelCharge),

        // The payment provider let the money go by itself, or somebody gave it back there: escrow must not hold what
        // is not there.
        PaymentRule(.held, .cancelled, .card, .released, .returnToCard, .tellReleased),
        PaymentRule(.held, .refunded, .card, .released, .returnToCard, .tellReleased),
        PaymentRule(.frozen, .cancelled, .card, .released, .returnToCard, .tellReleased),
        PaymentRule(.frozen, .refunded, .card, .released, .returnToCard, .tellReleased),
        PaymentRule(.capturing, .cancelled, nil, .released, .returnToCard, .tellReleased),
        PaymentRule(.capturing, .refunded, nil, .released, .returnToCard, .tellReleased),

        // Done without having been paid through here. Nothing to divide.
        PaymentRule(.requested, .completed, nil, .closed),
        PaymentRule(.due, .completed, nil, .closed),
        PaymentRule(.authorising, .completed, nil, .closed, .cancelCharge),
    ]

    static func rule(from state: PaymentState, _ trigger: PaymentTrigger, _ method: PaymentMethod?) -> PaymentRule? {
        let kind = method?.isCharged == true ? .card : method
        return all.first { $0.from == state && $0.trigger == trigger && ($0.method == nil || $0.method == kind) }
    }
}
