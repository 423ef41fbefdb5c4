import Contracts
import Foundation
import SeraiJSON

/// Requests about charges.
extension PaymentProvider {
    /// Makes the next request of a charge. A repeat asks for the same thing.
    func ask(_ request: Charge.Request, _ charge: Charge) async -> Answer {
        do {
            let reply: Reply
            switch request {
            case .authorise, .take:
                reply = try await post(
                    "/v1/payment_intents", intent(charge, takesAtOnce: request == .take), key: charge.key(of: request),
                    limit: settings.chargeLimit)
            case .capture, .cancel, .refund, .findRefund, .check:
                guard let reference = charge.reference, Self.isPathSafe(reference) else {
                    return .unexpected("no reference")
                }
                if request == .findRefund, let known = try await findRefund(charge, reference) { return known }
                reply = try await ask(request == .findRefund ? .refund : request, charge, reference)
            case .find: reply = try await find(charge)
            }
            let answer = PaymentProviderAnswer(status: reply.status, body: reply.body)
            if answer.isKeyReused, request == .authorise || request == .take { return try await findEarlier(charge) }
            return answer.meaning(of: request, charge)
        } catch {
            // Only the type is logged: texts of other layers may contain secrets.
            return .unknown("\(type(of: error))")
        }
    }

    private func find(_ charge: Charge) async throws -> Reply {
        // Stripe's search syntax; an id needs no quoting.
        let query = "metadata%5B%27charge%27%5D%3A%27\(Self.text(charge.id))%27"
        return try await get("/v1/payment_intents/search?query=\(query)", limit: settings.chargeLimit)
    }

    /// Searches for the charge after the key was found to be used by an earlier request with another form, such as
    /// another return URL. Its result counts; while it cannot be found, the answer is unknown.
    private func findEarlier(_ charge: Charge) async throws -> Answer {
        let reply = try await find(charge)
        let answer = PaymentProviderAnswer(status: reply.status, body: reply.body).meaning(of: .find, charge)
        if case .absent = answer { return .unknown("idempotency_error") }
        return answer
    }

    /// - Returns: the result of the charge's refund; nil when the payment provider knows of none.
    private func findRefund(_ charge: Charge, _ reference: String) async throws -> Answer? {
        var after = ""
        while true {
            let reply = try await get(
                "/v1/refunds?payment_intent=\(reference)&limit=100\(after)", limit: settings.chargeLimit)
            guard reply.status == 200 else { return .unknown("HTTP \(reply.status)") }
            // try?: an unreadable reply is no answer.
            guard let page = try? JSON.wire.decode(StripeJSON.Refunds.self, reply.body) else {
                return .unexpected("unreadable")
            }
            if let refund = page.data.first(where: { $0.metadata?["charge"] == Self.text(charge.id) }) {
                guard let outcome = PaymentProviderAnswer.outcome(ofRefund: refund.status) else {
                    return .unexpected("refund not made")
                }
                return .known(outcome, reference: nil)
            }
            guard page.has_more else { return nil }
            guard let last = page.data.last?.id, Self.isPathSafe(last) else { return .unexpected("unreadable") }
            after = "&starting_after=\(last)"
        }
    }

    private func ask(_ request: Charge.Request, _ charge: Charge, _ reference: String) async throws -> Reply {
        let path = "/v1/payment_intents/\(reference)"
        switch request {
        case .check: return try await get(path, limit: settings.chargeLimit)
        case .refund:
            let form = FormBody([
                "payment_intent": reference, "amount": Self.amount(charge.amount, charge.currency),
                "metadata[charge]": Self.text(charge.id),
            ])
            return try await post("/v1/refunds", form, key: charge.key(of: request), limit: settings.chargeLimit)
        case .capture, .cancel, .authorise, .take, .find, .findRefund:
            var form = FormBody()
            if request == .capture {
                form.add("amount_to_capture", Self.amount(charge.amount, charge.currency))
            }
            return try await post(
                "\(path)/\(request.rawValue)", form, key: charge.key(of: request), limit: settings.chargeLimit)
        }
    }

    /// The form is the same for each try, like the key: it is made of the charge's row alone, not of anything that may
    /// differ between versions or configurations of this program.
    private func intent(_ charge: Charge, takesAtOnce: Bool) -> FormBody {
        var form = FormBody([
            "amount": Self.amount(charge.amount, charge.currency), "currency": charge.currency.lowercased(),
            "capture_method": takesAtOnce ? "automatic" : "manual", "confirm": "true",
            "payment_method_types[0]": charge.method == .payPal ? "paypal" : "card",
            "metadata[payment]": Self.text(charge.subject), "metadata[charge]": Self.text(charge.id),
        ])
        if let card = charge.card {
            form.add("payment_method", card)
        } else {
            form.add("payment_method_data[type]", "paypal")
        }
        if let customer = charge.customer { form.add("customer", customer) }
        if let cvv = charge.cvvReference { form.add("payment_method_options[card][cvc_token]", cvv) }
        if charge.consentedAt != nil {
            form.add("off_session", "true")
        } else {
            let back = charge.returnURL ?? settings.returnURL
            form.add(
                "return_url",
                "\(back)\(back.contains("?") ? "&" : "?")\(charge.purpose.rawValue)=\(Self.text(charge.subject))")
        }
        return form
    }

    private static func text(_ id: UUID) -> String { id.uuidString.lowercased() }
}

/// Amounts in the payment provider's units.
extension PaymentProvider {
    /// - Parameter amount: minor units of ISO 4217. Amounts that the provider cannot represent are refused earlier.
    static func counted(_ amount: Int, _ currency: String) -> Int {
        Currency.named(currency)?.providerAmount(of: amount) ?? amount
    }

    static func amount(_ amount: Int, _ currency: String) -> String { String(counted(amount, currency)) }

    /// Minor units of ISO 4217, rounded up, since money taken back must be debited in full.
    static func minorUnits(_ counted: Int, _ currency: String) -> Int {
        guard let known = Currency.named(currency) else { return counted }
        return known.amount(ofProvider: counted)
            ?? known.amount(ofProvider: counted / 100 * 100).map { $0 + 1 } ?? counted
    }
}
