import Foundation
import SeraiJSON
import ServiceKit

/// Cards, and the customers that own them: Stripe charges a card repeatedly only when it is attached to a customer.
extension PaymentProvider {
    /// A card that its owner's app has handed to the payment provider.
    struct OfferedCard: Sendable {
        let reference: String
        let brand: String
        let lastFour: String
        let expiry: CardExpiry
        /// Equal for equal numbers; nil if it is not told.
        let fingerprint: String?
        /// The customer that it belongs to already.
        let customer: String?
    }

    /// Reads a card that an app has handed to the payment provider with the publishable key. Its number was never here.
    ///
    /// - Throws: ``CardError/refused(_:)`` with `no_such_method` when there is no such payment method, or when it is
    ///   not a card with a number but a phone's wallet, which is not kept.
    func offered(_ method: String) async throws(CardError) -> OfferedCard {
        guard Self.isPathSafe(method) else { throw .refused("no_such_method") }
        let reply: Reply
        do {
            reply = try await get("/v1/payment_methods/\(method)", limit: settings.tokenLimit)
        } catch {
            throw .unavailable
        }
        if reply.status == 404 || reply.status == 400 { throw .refused("no_such_method") }
        // try?: an unreadable reply is no answer.
        guard reply.status == 200, let found = try? JSON.wire.decode(StripeJSON.PaymentMethod.self, reply.body) else {
            throw .unavailable
        }
        guard found.card.wallet == nil,
            let expiry = CardExpiry(month: found.card.exp_month, year: found.card.exp_year)
        else { throw .refused("no_such_method") }
        return OfferedCard(
            reference: found.id, brand: found.card.brand, lastFour: found.card.last4, expiry: expiry,
            fingerprint: found.card.fingerprint, customer: found.customer)
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
        if reply.status == 200, let value = try? JSON.wire.decode(Value.self, reply.body) { return value }
        // try?: a reply that is no card error is the payment provider's own failure.
        let failure = try? JSON.wire.decode(StripeJSON.ErrorAnswer.self, reply.body).error
        if isToken, reply.status == 400, failure?.type == "invalid_request_error" { throw .refused("invalid_token") }
        guard reply.status == 402 || reply.status == 400, let failure, failure.type == "card_error" else {
            throw .unavailable
        }
        throw .refused(failure.code ?? "card_declined")
    }
}
