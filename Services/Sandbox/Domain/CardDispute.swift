/// A dispute of a payment by the card's owner.
struct CardDispute: Sendable, Equatable {
    enum Status: String, Sendable, CaseIterable {
        case warningNeedsResponse = "warning_needs_response"
        case warningClosed = "warning_closed"
        case needsResponse = "needs_response"
        case won, lost

        /// Whether the bank only asks and takes no money.
        var isInquiry: Bool { self == .warningNeedsResponse || self == .warningClosed }
        var isClosed: Bool { self == .warningClosed || self == .won || self == .lost }
        /// Whether the bank has taken the payment's money, or may keep it; then no refund is possible.
        var isChargedBack: Bool { self == .needsResponse || self == .lost }
    }

    let id: String
    let amount: Int
    /// Lower case.
    let currency: String
    let intent: String
    let charge: String?
    let reason: String
    /// In seconds since 1970.
    let created: Int
    var status: Status
}

/// Events at the payment provider without an API request.
extension PaymentProvider {
    /// - Parameter amount: nil for the captured amount minus refunds.
    mutating func dispute(
        _ id: String, _ amount: Int?, reason: String, as status: CardDispute.Status, at now: Moment
    ) throws(StripeError) -> CardDispute {
        let intent = try intent(id)
        guard intent.status == .succeeded, !status.isClosed else { throw .unexpectedState(intent, "disputed") }
        let left = intent.amountReceived - intent.amountRefunded
        guard amount ?? left > 0 else { throw .invalid("There is nothing left of it.", param: "amount") }
        let dispute = CardDispute(
            id: makeID("dp"), amount: amount ?? left,
            currency: intent.currency, intent: id, charge: intent.charge, reason: reason, created: now.seconds,
            status: status)
        disputes[dispute.id] = dispute
        tell(.disputeCreated, dispute, now)
        if !status.isInquiry { withdraw(dispute, now) }
        return dispute
    }

    /// Changes a dispute's status as its bank does.
    mutating func change(
        _ id: String, to status: CardDispute.Status, at now: Moment
    ) throws(StripeError) -> CardDispute {
        guard var dispute = disputes[id] else { throw .noSuch("dispute", id, param: "dispute") }
        guard !dispute.status.isClosed, dispute.status != status else {
            throw .invalidRequest("This dispute is closed, or has this status.")
        }
        let before = dispute.status
        dispute.status = status
        disputes[id] = dispute
        // A dispute takes the money, an inquiry does not.
        if before.isInquiry, !status.isInquiry { withdraw(dispute, now) }
        if status == .won {
            totals[dispute.currency, default: PaymentTotals()].disputed -= dispute.amount
            tell(.disputeReinstated, dispute, now)
        }
        tell(status.isClosed ? .disputeClosed : .disputeUpdated, dispute, now)
        return dispute
    }

    /// Refunds a payment as in the dashboard, without metadata of the platform.
    mutating func refundOutside(_ id: String, _ amount: Int?, at now: Moment) throws(StripeError) {
        var form = ["payment_intent": id]
        if let amount { form["amount"] = String(amount) }
        _ = try createRefund(FormParameters(form), now)
    }

    private mutating func withdraw(_ dispute: CardDispute, _ now: Moment) {
        totals[dispute.currency, default: PaymentTotals()].disputed += dispute.amount
        tell(.disputeWithdrawn, dispute, now)
    }

    private mutating func tell(_ kind: ProviderEvent.Kind, _ dispute: CardDispute, _ now: Moment) {
        events.append(ProviderEvent(id: makeID("evt"), kind: kind, created: now.seconds, object: .dispute(dispute)))
    }
}
