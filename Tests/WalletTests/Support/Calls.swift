import AsyncHTTPClient
import Contracts
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Messaging
import NIOCore
import NIOHTTP1
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet
@testable import ServiceKit

/// An answer as a client reads it.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPFields
    let text: String
    let json: JSONValue

    init(_ response: TestResponse) throws {
        status = response.status.code
        headers = response.headers
        text = String(buffer: response.body)
        json = text.isEmpty ? .null : try JSONValue(parsing: text.utf8)
    }

    /// Of a problem: `payment-state`.
    var slug: String { json["type"]?.string.map { String($0.dropFirst("urn:serai:problem:".count)) } ?? "" }

    /// Of a problem: codes by field.
    var codes: [String: String] {
        guard case .array(let errors)? = json["errors"] else { return [:] }
        let pairs = errors.compactMap { error -> (String, String)? in
            guard let field = error["field"]?.string, let code = error["code"]?.string else { return nil }
            return (field, code)
        }
        return Dictionary(pairs) { first, _ in first }
    }

    var items: [JSONValue] {
        guard case .array(let items)? = json["items"] else { return [] }
        return items
    }
}

extension JSONValue {
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var integer: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
    var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
}

extension WalletFixture {
    func get(_ path: String, _ person: Person?) async throws -> Answer { try await call(.get, path, person, nil) }

    /// - Parameter key: the Idempotency-Key; nil sends none.
    func post(
        _ path: String, _ person: Person?, _ body: String, key: String? = UUID.timeOrdered().text
    ) async throws -> Answer {
        try await call(.post, path, person, body, key: key)
    }

    func call(
        _ method: HTTPRequest.Method, _ path: String, _ person: Person?, _ body: String?, key: String? = nil,
        language: String = "en"
    ) async throws -> Answer {
        var headers: HTTPFields = [.acceptLanguage: language]
        if let person { headers[.authorization] = "Bearer \(person.token)" }
        if body != nil { headers[.contentType] = "application/json" }
        if let key, let name = HTTPField.Name("Idempotency-Key") { headers[name] = key }
        return try Answer(
            await http.executeRequest(
                uri: "/wallet/v1/\(path)", method: method, headers: headers, body: body.map(ByteBuffer.init(string:))))
    }

    // MARK: What customers do

    /// A card number that the sandbox approves; another one for each index below 10 000.
    static func cardNumber(_ index: Int) -> String {
        let digits = "42424242424" + String(format: "%04d", index)
        let sum = digits.reversed().enumerated().reduce(0) { sum, entry in
            let digit = entry.element.wholeNumberValue ?? 0
            guard entry.offset.isMultiple(of: 2) else { return sum + digit }
            return sum + (digit > 4 ? digit * 2 - 9 : digit * 2)
        }
        return digits + String((10 - sum % 10) % 10)
    }

    /// The body that adds a card which its owner's app has handed to the payment provider.
    ///
    /// - Parameter more: further members, each after a comma.
    func newCard(
        _ number: String = "4242424242424242", month: Int = 12, year: Int = 2039, holder: String = "S SALEM",
        _ more: String = ""
    ) -> String {
        let method = sandbox.handOver(number, month: month, year: year) ?? "pm_refused"
        return #"{"paymentMethod": "\#(method)", "holder": "\#(holder)"\#(more)}"#
    }

    /// Adds a card; returns its id.
    func card(_ person: Person, _ number: String = "4242424242424242") async throws -> String {
        let answer = try await post("cards", person, newCard(number))
        return try #require(answer.json["card"]?.string, "\(answer.text)")
    }

    func payByCard(
        _ order: OrderSnapshot, _ person: Person, _ card: String, key: String = UUID.timeOrdered().text
    ) async throws -> Answer {
        try await post(
            "orders/\(order.order.text)/payment", person,
            #"{"method": "card", "card": "\#(card)", "cvvToken": "cvctok_test"}"#, key: key)
    }

    func pay(
        _ order: OrderSnapshot, _ person: Person, by method: String, key: String? = UUID.timeOrdered().text
    ) async throws -> Answer {
        try await post("orders/\(order.order.text)/payment", person, #"{"method": "\#(method)"}"#, key: key)
    }

    // MARK: What the payment provider does

    /// Sends a webhook as the payment provider would.
    func webhook(
        _ body: String, secret: String = webhookSecret, at time: Date = Date(), signed: String? = nil
    ) async throws -> Answer {
        let seconds = Int(time.timeIntervalSince1970)
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(seconds).\(signed ?? body)".utf8), using: SymmetricKey(data: Data(secret.utf8)))
        let header = "t=\(seconds),v1=" + code.map { String(format: "%02x", $0) }.joined()
        var headers: HTTPFields = [.contentType: "application/json"]
        if let name = HTTPField.Name("Stripe-Signature") { headers[name] = header }
        return try Answer(
            await http.executeRequest(
                uri: "/wallet/v1/webhooks/stripe", method: .post, headers: headers, body: ByteBuffer(string: body)))
    }

    /// A payment intent's event.
    static func event(
        _ type: String, status: String, charge: UUID, reference: String, amount: Int, id: String = UUID().uuidString
    ) -> String {
        """
        {"id": "evt_\(id)", "object": "event", "type": "payment_intent.\(type)", "created": 1,
         "data": {"object": {"id": "\(reference)", "object": "payment_intent", "status": "\(status)",
          "amount": \(amount), "currency": "sar", "metadata": {"charge": "\(charge.text)"}}}}
        """
    }

    /// All of a charge's money is given back.
    static func refund(of charge: UUID, reference: String, isWhole: Bool = true) -> String {
        """
        {"id": "evt_\(UUID().uuidString)", "object": "event", "type": "charge.refunded", "created": 1,
         "data": {"object": {"id": "ch_1", "object": "charge", "payment_intent": "\(reference)", "amount": 12000,
          "amount_refunded": \(isWhole ? 12000 : 500), "refunded": \(isWhole), "metadata": {"charge": "\(charge.text)"}}}}
        """
    }

    /// A refund that was asked for here does not arrive.
    static func failedRefund(
        of charge: UUID, reference: String, amount: Int, id: String = UUID().uuidString, status: String = "failed",
        currency: String = "SAR"
    ) -> String {
        """
        {"id": "evt_\(id)", "object": "event", "type": "refund.failed", "created": 1,
         "data": {"object": {"id": "re_1", "object": "refund", "payment_intent": "\(reference)", "status": "\(status)",
          "amount": \(amount), "currency": "\(currency.lowercased())", "metadata": {"charge": "\(charge.text)"}}}}
        """
    }

    /// What somebody does at the payment provider: `capture`, `cancel`.
    func outside(_ verb: String, _ charge: SeraiWallet.Charge) async throws {
        let reference = try #require(charge.reference)
        var request = HTTPClientRequest(
            url: "\(parts.provider.settings.url)/v1/payment_intents/\(reference)/\(verb)")
        request.method = .POST
        request.headers.add(name: "Authorization", value: "Bearer \(providerKey)")
        request.headers.add(name: "Stripe-Version", value: SeraiWallet.PaymentProvider.apiVersion)
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        let response = try await parts.provider.client.execute(request, timeout: .seconds(10))
        #expect(response.status == .ok)
    }

    /// The last attempt by card.
    func charge(of order: OrderSnapshot) async throws -> SeraiWallet.Charge {
        let payment = try #require(try await pool.first(FindPayment(order: order.order)))
        let id = try #require(payment.charge)
        return try #require(try await pool.first(FindCharge(charge: id)))
    }

    /// What the payment provider's books say of riyals.
    var books: Books {
        let totals = sandbox.totals["sar"] ?? PaymentTotals()
        return Books(
            held: totals.held, captured: totals.captured, cancelled: totals.cancelled, refunded: totals.refunded,
            payments: totals.payments)
    }

    /// What the payment provider knows us by.
    var providerKey: String { sandbox.settings.apiKey }

    /// Whether the payment provider answers everything with a 503.
    func setProviderDown(_ isDown: Bool) { sandbox.setProviderDown(isDown) }
}

struct Books: Equatable {
    let held: Int
    let captured: Int
    let cancelled: Int
    let refunded: Int
    let payments: Int
}
