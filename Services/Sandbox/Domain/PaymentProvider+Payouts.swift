/// Payouts.
extension PaymentProvider {
    func payout(_ id: String) throws(StripeError) -> Payout {
        guard let payout = payouts.last(where: { $0.id == id }) else { throw .noSuch("payout", id, param: "payout") }
        return payout
    }

    /// A page of the payouts since a time in seconds since 1970, newest first.
    func payouts(since: Int, after: String?, limit: Int) throws(StripeError) -> Result {
        var found = Array(payouts.filter { $0.created >= since }.reversed())
        if let after {
            guard let place = found.firstIndex(where: { $0.id == after }) else {
                throw .noSuch("payout", after, status: 400, param: "starting_after")
            }
            found.removeFirst(place + 1)
        }
        return .payouts(Array(found.prefix(limit)), hasMore: found.count > limit)
    }

    /// Answers `pending`; the books have the result at once, and a webhook reports it.
    mutating func createPayout(_ form: FormParameters, _ now: Moment) throws(StripeError) -> Result {
        guard let amount = try form.integer("amount") else { throw .missing("amount") }
        let currency = try ProviderCurrencies.checked(try form.required("currency"))
        try AmountRules.checkPayout(amount, currency)
        let destination = try form.required("destination")
        guard bankAccounts[destination] != nil || methods[destination]?.customer != nil else {
            throw .noSuch("external account", destination, status: 400, param: "destination")
        }
        // A card is paid in any currency here, a bank account in its own alone.
        guard bankAccounts[destination]?.currency ?? currency == currency else {
            throw .invalid(
                "Sorry, you don't have any external accounts in that currency (\(currency)).", param: "currency")
        }
        let behaviour = bankAccounts[destination]?.behaviour ?? .pays
        guard behaviour != .isUnavailable else { throw .unavailable }
        if behaviour == .failsInside, failedInside.insert(destination).inserted { throw .internalFault }
        guard !isBalanceLow else { throw .balanceInsufficient }
        let made = Payout(
            id: makeID("po"), amount: amount, currency: currency, destination: destination,
            metadata: form.group("metadata"), created: now.seconds)
        var settled = made
        settled.status = .paid
        if case .fails(let code) = behaviour {
            settled.status = .failed
            settled.failureCode = code
        } else {
            totals[made.currency, default: PaymentTotals()].paidOut += amount
        }
        payouts.append(settled)
        events.append(
            ProviderEvent(
                id: makeID("evt"), kind: settled.status == .paid ? .payoutPaid : .payoutFailed, created: now.seconds,
                object: .payout(settled)))
        return .payout(made, answerIsLost: behaviour == .losesAnswer)
    }
}
