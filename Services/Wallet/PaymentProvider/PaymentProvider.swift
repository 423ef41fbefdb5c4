import AsyncHTTPClient
import Foundation
import HTTPTypes
import Logging
import Messaging
import NIOCore
import NIOHTTP1
import ServiceKit

/// The payment provider, through Stripe's API: forms in, JSON out, each charging request with a key under which it
/// happens once.
///
/// Nothing here is tried again: who asks knows whether and when. No transaction is open while it is asked.
struct PaymentProvider: Sendable {
    struct Settings: Sendable {
        /// Without a path.
        let url: String
        let key: Redacted<String>
        /// How long a person's request waits for it.
        var tokenLimit: Duration = .seconds(5)
        /// How long a worker waits for it.
        var chargeLimit: Duration = .seconds(10)
    }

    /// What it said of a charge.
    enum Answer: Sendable {
        case known(Charge.Outcome, reference: String?)
        /// It may have happened or not. For the log, without anything secret.
        case unknown(String)
        /// It was understood and says nothing that the step can end with; asking again soon will hardly help.
        case unexpected(String)
    }

    /// Of a request about a card. Nothing was charged by any of them.
    enum CardError: Error, Sendable, Equatable {
        /// The payment provider does not take the card: its own code.
        case refused(String)
        case unavailable
    }

    static let answerLimitBytes = 262_144

    let settings: Settings
    let client: HTTPClient

    /// A client that asks once: no redirects, no proxy's retries, no wait for a host that does not answer. The deadline
    /// of a request ends with the answer's head; the limit for reading keeps a body that stops from holding a worker.
    static func makeClient() -> HTTPClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout = .init(connect: .seconds(3), read: .seconds(10))
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    // MARK: Cards

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

    /// Hands a CVV over and gets something to name it by, once.
    func reference(cvv: Redacted<String>) async throws(CardError) -> String {
        try await cardRequest("/v1/tokens", FormBody(["cvc_update[cvc]": cvv.revealed]), StripeJSON.Token.self).id
    }

    private func cardRequest<Value: Decodable>(
        _ path: String, _ form: FormBody, _: Value.Type
    ) async throws(CardError) -> Value {
        let status: UInt
        let body: Data
        do {
            (status, body) = try await post(path, form, key: nil, limit: settings.tokenLimit)
        } catch {
            throw .unavailable
        }
        if status == 200, let value = try? JSONDecoder().decode(Value.self, from: body) { return value }
        // try?: an answer that is no error of the card's is one of the payment provider's.
        let failure = try? JSONDecoder().decode(StripeJSON.ErrorAnswer.self, from: body).error
        guard status == 402 || status == 400, let failure, failure.type == "card_error" else { throw .unavailable }
        throw .refused(failure.code ?? "card_declined")
    }

    // MARK: Charges

    /// Asks for the next step of a charge. Asking again asks for the same.
    func ask(_ request: Charge.Request, _ charge: Charge) async -> Answer {
        let path: String
        var form = FormBody()
        switch request {
        case .authorise, .take:
            path = "/v1/payment_intents"
            form = Self.intent(charge, takesAtOnce: request == .take)
        case .capture, .cancel, .refund:
            guard let reference = charge.reference, Self.isPathSafe(reference) else {
                return .unexpected("no reference")
            }
            path = request == .refund ? "/v1/refunds" : "/v1/payment_intents/\(reference)/\(request.rawValue)"
            switch request {
            case .capture: form.add("amount_to_capture", String(charge.amount))
            case .refund:
                form = FormBody([
                    "payment_intent": reference, "amount": String(charge.amount), "metadata[charge]": charge.id.text,
                ])
            case .authorise, .take, .cancel: break
            }
        }
        do {
            let key = "\(request.rawValue)-\(charge.id.text)"
            let (status, body) = try await post(path, form, key: key, limit: settings.chargeLimit)
            return PaymentProviderAnswer(status: status, body: body).meaning(of: request, charge)
        } catch {
            // The type alone: a URL in the error's text has no secret, but texts of other layers may have.
            return .unknown("\(type(of: error))")
        }
    }

    private static func intent(_ charge: Charge, takesAtOnce: Bool) -> FormBody {
        var form = FormBody([
            "amount": String(charge.amount), "currency": charge.currency.lowercased(),
            "payment_method": charge.card, "capture_method": takesAtOnce ? "automatic" : "manual",
            "confirm": "true", "metadata[payment]": charge.subject.text, "metadata[charge]": charge.id.text,
        ])
        // By the owner's consent, while the owner is away.
        if charge.purpose == .subscription, charge.cvvReference == nil { form.add("off_session", "true") }
        if let cvv = charge.cvvReference { form.add("payment_method_options[card][cvc_token]", cvv) }
        return form
    }

    /// Identifiers come from outside and go into a path.
    static func isPathSafe(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || byte == 0x5f
            }
    }

    func post(
        _ path: String, _ form: FormBody, key: String?, limit: Duration
    ) async throws -> (status: UInt, body: Data) {
        var request = HTTPClientRequest(url: settings.url + path)
        request.method = .POST
        request.headers.add(name: "Authorization", value: "Bearer \(settings.key.revealed)")
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        if let key { request.headers.add(name: "Idempotency-Key", value: key) }
        request.body = .bytes(ByteBuffer(string: form.text))
        return try await answer(to: request, limit: limit)
    }

    func get(_ path: String, limit: Duration) async throws -> (status: UInt, body: Data) {
        var request = HTTPClientRequest(url: settings.url + path)
        request.headers.add(name: "Authorization", value: "Bearer \(settings.key.revealed)")
        return try await answer(to: request, limit: limit)
    }

    private func answer(
        to request: HTTPClientRequest, limit: Duration
    ) async throws -> (status: UInt, body: Data) {
        let response = try await client.execute(
            request, deadline: .now() + .milliseconds(Int64(limit / .milliseconds(1))))
        let body = try await response.body.collect(upTo: Self.answerLimitBytes)
        return (response.status.code, Data(body.readableBytesView))
    }
}
