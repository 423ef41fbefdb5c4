/// Money out.
extension PaymentProvider {
    func payout(_ id: String) throws(StripeError) -> Payout {
        guard let payout = payouts[id] else { throw .noSuch("payout", id, param: "payout") }
        return payout
    }

    /// The answer says `pending`; what becomes of it stands in the books at once, and is told by webhook.
    mutating func createPayout(_ form: FormParameters, _ now: Moment) throws(StripeError) -> Result {
        guard let amount = try form.integer("amount"), amount > 0 else { throw .missing("amount") }
        let destination = try form.required("destination")
        guard bankAccounts[destination] != nil || methods[destination]?.customer != nil else {
            throw .noSuch("external account", destination, status: 400, param: "destination")
        }
        let behaviour = bankAccounts[destination]?.behaviour ?? .pays
        guard behaviour != .isUnavailable else { throw .unavailable }
        let made = Payout(
            id: makeID("po"), amount: amount, currency: try form.required("currency").lowercased(),
            destination: destination, metadata: form.group("metadata"), created: now.seconds)
        var settled = made
        settled.status = .paid
        if case .fails(let code) = behaviour {
            settled.status = .failed
            settled.failureCode = code
        } else {
            totals[made.currency, default: PaymentTotals()].paidOut += amount
        }
        payouts[made.id] = settled
        events.append(
            ProviderEvent(
                id: makeID("evt"), kind: settled.status == .paid ? .payoutPaid : .payoutFailed, created: now.seconds,
                object: .payout(settled)))
        return .payout(made, answerIsLost: behaviour == .losesAnswer)
    }
}
