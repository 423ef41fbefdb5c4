import Foundation
import ServiceKit

/// Cards, and the customers that own them: Stripe charges a card repeatedly only when it is attached to a customer.
extension PaymentProvider {
    /// Stores a card and returns its reference.
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

    /// Turns the token of a phone's wallet into a payment method that can be charged once.
    ///
    /// - Throws: ``CardError/refused(_:)`` also for a token of another wallet or of a plain card.
    func exchange(_ token: Redacted<String>, of wallet: PaymentMethod) async throws(CardError) -> String {
        let form = FormBody(["type": "card", "card[token]": token.revealed])
        let method = try await cardRequest("/v1/payment_methods", form, StripeJSON.PaymentMethod.self, isToken: true)
        let expected = wallet == .applePay ? "apple_pay" : "google_pay"
        guard method.card.wallet?.type == expected else { throw .refused("invalid_token") }
        return method.id
    }

    /// Updates a card after the bank has sent a new one with the same number.
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

    /// How long repeated requests return the same customer. The payment provider repeats an answer as long as it knows
    /// the key; a lasting key would repeat a fault, or a customer that was removed meanwhile, for a day. It must be
    /// shorter than ``RemovalWorker/graceSeconds``, so that a repeated customer still exists. Two customers of one
    /// account are harmless: the unused one is removed.
    static let customerKeySeconds = 60

    /// - Returns: the account's customer at the payment provider; the same for requests within the same minute.
    func makeCustomer(_ account: UUID, at now: Date) async throws(CardError) -> String {
        let id = account.uuidString.lowercased()
        let form = FormBody(["metadata[account]": id])
        let key = "customer-\(id)-\(Int(now.timeIntervalSince1970) / Self.customerKeySeconds)"
        return try await cardRequest("/v1/customers", form, StripeJSON.Identified.self, key: key).id
    }

    /// Attaches a card to a customer. The bank may refuse.
    func attach(_ reference: String, to customer: String) async throws(CardError) {
        guard Self.isPathSafe(reference) else { throw .unavailable }
        _ = try await cardRequest(
            "/v1/payment_methods/\(reference)/attach", FormBody(["customer": customer]), StripeJSON.Identified.self,
            key: "attach-\(reference)")
    }

    /// Exchanges a CVV for a reference that is good for one use.
    func reference(cvv: Redacted<String>) async throws(CardError) -> String {
        try await cardRequest("/v1/tokens", FormBody(["cvc_update[cvc]": cvv.revealed]), StripeJSON.Identified.self).id
    }

    /// - Parameter isToken: whether the form has a token, which the payment provider may not know.
    private func cardRequest<Value: Decodable>(
        _ path: String, _ form: FormBody, _: Value.Type, key: String? = nil, isToken: Bool = false
    ) async throws(CardError) -> Value {
        let reply: Reply
        do {
            reply = try await post(path, form, key: key, limit: settings.tokenLimit)
        } catch {
            throw .unavailable
        }
        // try?: an unreadable reply is no answer.
        if reply.status == 200, let value = try? JSONDecoder().decode(Value.self, from: reply.body) { return value }
        // try?: a reply that is no card error is the payment provider's own failure.
        let failure = try? JSONDecoder().decode(StripeJSON.ErrorAnswer.self, from: reply.body).error
        if isToken, reply.status == 400, failure?.type == "invalid_request_error" { throw .refused("invalid_token") }
        guard reply.status == 402 || reply.status == 400, let failure, failure.type == "card_error" else {
            throw .unavailable
        }
        throw .refused(failure.code ?? "card_declined")
    }
}
