/// Payment methods and customers.
extension PaymentProvider {
    mutating func createMethod(_ form: FormParameters, _ now: Moment) throws(StripeError) -> Result {
        guard try form.required("type") == "card" else {
            throw .invalid("The sandbox stores cards only.", param: "type")
        }
        let card: TestCard
        if let token = form["card[token]"] {
            let made = applePayTokens.remove(token).map { _ in "tok_sandbox_apple_pay" }
            guard let known = TestCard.walletTokens[made ?? token] else {
                throw .noSuch("token", token, status: 400, param: "card[token]")
            }
            card = known
        } else {
            card = try TestCard(form, today: (now.year, now.month))
        }
        let id = makeID("pm")
        methods[id] = StoredMethod(kind: .card(card))
        return .method(id: id, card, customer: nil)
    }

    mutating func updateMethod(_ id: String, _ form: FormParameters, _ now: Moment) throws(StripeError) -> Result {
        var method = try method(id)
        guard method.customer != nil, case .card(var card) = method.kind else {
            throw .invalidRequest("You must save this PaymentMethod to a customer before you can update it.")
        }
        try card.renew(form, today: (now.year, now.month))
        method.kind = .card(card)
        methods[id] = method
        return .method(id: id, card, customer: method.customer)
    }

    mutating func createCustomer(_ form: FormParameters) -> Result {
        let id = makeID("cus")
        customers.insert(id)
        return .customer(id: id, isDeleted: false)
    }

    /// Deletes a customer and detaches all of its payment methods.
    mutating func deleteCustomer(_ id: String) throws(StripeError) -> Result {
        guard !isDown else { throw .unavailable }
        guard customers.remove(id) != nil else { throw .noSuch("customer", id, param: "id") }
        for (method, stored) in methods where stored.customer == id {
            methods[method]?.customer = nil
            methods[method]?.isUsedUp = true
        }
        return .customer(id: id, isDeleted: true)
    }

    mutating func attach(_ id: String, _ form: FormParameters) throws(StripeError) -> Result {
        var method = try method(id)
        let customer = try form.required("customer")
        guard customers.contains(customer) else {
            throw .noSuch("customer", customer, status: 400, param: "customer")
        }
        guard method.customer == nil || method.customer == customer, !method.isUsedUp else { throw .methodUsedUp }
        method.customer = customer
        methods[id] = method
        return try answer(id, method)
    }

    mutating func detach(_ id: String) throws(StripeError) -> Result {
        var method = try method(id)
        guard method.customer != nil else {
            throw .invalidRequest(
                "The payment method you provided is not attached to a customer so detachment is impossible.")
        }
        method.customer = nil
        method.isUsedUp = true
        methods[id] = method
        return try answer(id, method)
    }

    /// The number of payment methods that belong to customers.
    var attachedCount: Int { methods.values.count { $0.customer != nil } }

    func method(_ id: String) throws(StripeError) -> StoredMethod {
        guard let method = methods[id] else { throw .noSuch("PaymentMethod", id, param: "payment_method") }
        return method
    }

    func known(_ id: String) throws(StripeError) -> Result { try answer(id, try method(id)) }

    private func answer(_ id: String, _ method: StoredMethod) throws(StripeError) -> Result {
        guard case .card(let card) = method.kind else { throw .noSuch("card", id, param: "payment_method") }
        return .method(id: id, card, customer: method.customer)
    }
}
