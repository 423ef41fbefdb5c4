/// An effect of a transition, carried out in its transaction.
enum PaymentEffect: String, Sendable {
    case beginCharge, captureCharge, cancelCharge
    case holdFromWallet, holdFromCard, holdFromDesk, payOut, takeCommission, returnToWallet, returnToCard
    case tellActionRequired, tellHeld, tellRefused, tellCaptured, tellReleased
}
