import Foundation
import ServiceKit

/// Cards, and the customers that they belong to: at Stripe a card can be charged more than once only when it is attached
/// to a customer.
extension PaymentProvider {
    /// Hands a card over and gets its reference.
    func store(
        number: CardNumber, expiry: CardExpiry, cvv: Redacted<String>, holder: String
    ) async throws(CardError) -> (reference: String, brand: String, lastFour: String) {
        let form = FormBody([
            "type": "card", "card[number]": number.digits, "card[exp_month]": String(expiry.month),
            "card[exp_year]": String(expiry.year), "card[cvc]": cvv.revealed, "billing_details[name]": holder,
        ])
        let method = try await cardRequest("/v1/payment_methods", form, StripeJSON.PaymentMethod.self)
        return (method.id, method.card.brand, method.card.last4)
    }

    /// Makes something that can be charged once of what a phone's wallet gave.
    ///
    /// - Throws: ``CardError/refused(_:)`` also when it is of another wallet, or a plain card.
    func exchange(_ token: Redacted<String>, of wallet: PaymentMethod) async throws(CardError) -> String {
        let form = FormBody(["type": "card", "card[token]": token.revealed])
        let method = try await cardRequest("/v1/payment_methods", form, StripeJSON.PaymentMethod.self, isToken: true)
        let expected = wallet == .applePay ? "apple_pay" : "google_pay"
        guard method.card.wallet?.type == expected else { throw .refused("invalid_token") }
        return method.id
    }

    /// Changes what is printed on a card: the bank has sent a new one with the same number.
    func update(_ reference: String, expiry: CardExpiry?, holder: String?) async throws(CardError) {
        guard Self.isPathSafe(reference) else { throw .unavailable }
        var form = FormBody()
        if let expiry {
            form.add("card[exp_month]", String(expiry.month))
            form.add("card[exp_year]", String(expiry.year))
        }
        if let holder { form.add("billing_details[name]", holder) }
        _ = try await cardRequest("/v1/payment_methods/\(reference)", form, StripeJSON.Identified.self)
    }

    /// How long asking again gets the same customer. The payment provider repeats an answer for as long as it knows the
    /// key: under one that lasts it would repeat a fault for a day, or a customer that has been removed since. Shorter
    /// than ``RemovalWorker/graceSeconds``, so that what is repeated is still there. Two customers of one account do no
    /// harm: the one that is not kept is removed.
    static let customerKeySeconds = 60

    /// - Returns: whom the payment provider knows the account as. Asked again within the same minute it is the same.
    func makeCustomer(_ account: UUID, at now: Date) async throws(CardError) -> String {
        let id = account.uuidString.lowercased()
        let form = FormBody(["metadata[account]": id])
        let key = "customer-\(id)-\(Int(now.timeIntervalSince1970) / Self.customerKeySeconds)"
        return try await cardRequest("/v1/customers", form, StripeJSON.Identified.self, key: key).id
    }

    /// Lets a card belong to a customer. Its bank may refuse.
    func attach(_ reference: String, to customer: String) async throws(CardError) {
        guard Self.isPathSafe(reference) else { throw .unavailable }
        _ = try await cardRequest(
            "/v1/payment_methods/\(reference)/attach", FormBody(["customer": customer]), StripeJSON.Identified.self,
            key: "attach-\(reference)")
    }

    /// Hands a CVV over and gets something to name it by, once.
    func reference(cvv: Redacted<String>) async throws(CardError) -> String {
        try await cardRequest("/v1/tokens", FormBody(["cvc_update[cvc]": cvv.revealed]), StripeJSON.Identified.self).id
    }

    /// - Parameter isToken: the form has a token in it, which the payment provider may not know.
    private func cardRequest<Value: Decodable>(
        _ path: String, _ form: FormBody, _: Value.Type, key: String? = nil, isToken: Bool = false
    ) async throws(CardError) -> Value {
        let reply: Reply
        do {
            reply = try await post(path, form, key: key, limit: settings.tokenLimit)
        } catch {
            throw .unavailable
        }
        // try?: what cannot be read is no answer.
        if reply.status == 200, let value = try? JSONDecoder().decode(Value.self, from: reply.body) { return value }
        // try?: an answer that is no error of the card's is one of the payment provider's.
        let failure = try? JSONDecoder().decode(StripeJSON.ErrorAnswer.self, from: reply.body).error
        if isToken, reply.status == 400, failure?.type == "invalid_request_error" { throw .refused("invalid_token") }
        guard reply.status == 402 || reply.status == 400, let failure, failure.type == "card_error" else {
            throw .unavailable
        }
        throw .refused(failure.code ?? "card_declined")
    }
}
