/// An event that the provider sends by webhook.
struct ProviderEvent: Sendable, Equatable {
    enum Kind: String, Sendable {
        case capturable = "payment_intent.amount_capturable_updated"
        case actionRequired = "payment_intent.requires_action"
        case failed = "payment_intent.payment_failed"
        case succeeded = "payment_intent.succeeded"
        case canceled = "payment_intent.canceled"
        case refunded = "charge.refunded"
        case refundFailed = "refund.failed"
        case disputeCreated = "charge.dispute.created"
        case disputeUpdated = "charge.dispute.updated"
        case disputeClosed = "charge.dispute.closed"
        case disputeWithdrawn = "charge.dispute.funds_withdrawn"
        case disputeReinstated = "charge.dispute.funds_reinstated"
        case payoutPaid = "payout.paid"
        case payoutFailed = "payout.failed"
    }

    /// The event's object, as it is after the event.
    enum Object: Sendable, Equatable {
        case intent(PaymentIntent)
        case payout(Payout)
        case refund(MadeRefund)
        case dispute(CardDispute)
    }

    let id: String
    let kind: Kind
    /// In seconds since 1970.
    let created: Int
    let object: Object
}
