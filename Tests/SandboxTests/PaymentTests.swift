import AsyncHTTPClient
import Foundation
import TestKit
import Testing

@testable import Sandbox

@Suite("Payments at the sandbox's provider", .timeLimit(.minutes(15)))
struct PaymentTests {
    @Test("W4: a card becomes a token with its brand and last four")
    func card() async throws {
        try await SandboxServer.withServer { _, url async throws in
            let answer = try await ProviderClient(url: url).post(
                "/v1/payment_methods", ProviderClient.card("4242424242424242"), as: ProviderClient.Method.self)
            #expect(answer.status == 200)
            let method = try answer.body
            #expect(method.id.hasPrefix("pm_"))
            #expect(method.card == .init(brand: "visa", last4: "4242", expMonth: 12, expYear: 2040))
        }
    }

    @Test(
        "W3: a card that cannot be one is refused, and the answer says why",
        arguments: [
            (ProviderClient.card("4242424242424241"), 402, "incorrect_number"),
            (ProviderClient.card("4242424242424242", year: "2020"), 402, "invalid_expiry_year"),
            (ProviderClient.card("4242424242424242", month: "13"), 402, "invalid_expiry_month"),
            (ProviderClient.card("4242424242424242", code: "12"), 402, "invalid_cvc"),
            (["type": "card"], 400, "parameter_missing"),
        ])
    func wrongCard(form: [String: String], status: Int, code: String) async throws {
        try await SandboxServer.withServer { _, url async throws in
            let answer = try await ProviderClient(url: url).post("/v1/payment_methods", form)
            #expect(answer.status == status)
            #expect(try answer.failure.code == code)
        }
    }

    @Test("W2: an authorised payment is held, captured in part, refunded, and the books add up")
    func holdCaptureRefund() async throws {
        try await SandboxServer.withServer { sandbox, url async throws in
            let client = ProviderClient(url: url)
            let form = ProviderClient.payment(try await client.method("4242424242424242"))
            let held = try await client.post("/v1/payment_intents", form).body
            #expect(held.status == "requires_capture")
            #expect(held.amountCapturable == 12_500)
            #expect(held.metadata == ["order": "0198 & more"])
            #expect(held.latestCharge?.hasPrefix("ch_") == true)

            let path = "/v1/payment_intents/\(held.id)"
            let tooMuch = try await client.post("\(path)/capture", ["amount_to_capture": "12501"])
            #expect(tooMuch.status == 400)
            let captured = try await client.post("\(path)/capture", ["amount_to_capture": "10000"]).body
            #expect(captured.status == "succeeded")
            #expect(captured.amountReceived == 10_000)
            let again = try await client.post("\(path)/capture", [:])
            #expect(again.status == 400)
            #expect(try again.failure.code == "payment_intent_unexpected_state")
            #expect(try again.failure.paymentIntent == captured)
            #expect(try await client.post("\(path)/cancel", [:]).failure.code == "payment_intent_unexpected_state")

            let refund = ["payment_intent": held.id, "amount": "4000"]
            #expect(try await client.post("/v1/refunds", refund, as: ProviderClient.Identified.self).status == 200)
            let rest = try await client.post("/v1/refunds", ["payment_intent": held.id, "amount": "6001"])
            #expect(try rest.failure.code == "amount_too_large")
            #expect(try await client.get(path).body.status == "succeeded")
            #expect(
                sandbox.totals["sar"]
                    == PaymentTotals(
                        authorised: 12_500, captured: 10_000, cancelled: 2_500, refunded: 4_000, payments: 1))
        }
    }

    @Test("W2: an automatic payment is captured at once, and a cancelled one lets its money go")
    func automaticAndCancelled() async throws {
        try await SandboxServer.withServer { sandbox, url async throws in
            let client = ProviderClient(url: url)
            let method = try await client.method("4242424242424242")
            let paid = try await client.post(
                "/v1/payment_intents", ProviderClient.payment(method, amount: 700, capture: "automatic")
            ).body
            #expect(paid.status == "succeeded")
            #expect(paid.amountReceived == 700)
            let other = try await client.method("4242424242424242")
            let held = try await client.post("/v1/payment_intents", ProviderClient.payment(other, amount: 300)).body
            #expect(try await client.post("/v1/payment_intents/\(held.id)/cancel", [:]).body.status == "canceled")
            #expect(
                sandbox.totals["sar"]
                    == PaymentTotals(authorised: 1_000, captured: 700, cancelled: 300, refunded: 0, payments: 2))
        }
    }

    @Test(
        "W4: a declined card answers 402 with the reason, and the payment can be tried with another card",
        arguments: [
            ("4000000000000002", "card_declined", "generic_decline"),
            ("4000000000009995", "card_declined", "insufficient_funds"),
            ("4000000000000069", "expired_card", "expired_card"),
            ("4000000000000127", "incorrect_cvc", "incorrect_cvc"),
            ("4000000000000119", "processing_error", "processing_error"),
        ])
    func declined(number: String, code: String, declineCode: String) async throws {
        try await SandboxServer.withServer { sandbox, url async throws in
            let client = ProviderClient(url: url)
            let form = ProviderClient.payment(try await client.method(number))
            let answer = try await client.post("/v1/payment_intents", form)
            #expect(answer.status == 402)
            let failure = try answer.failure
            #expect(failure.type == "card_error")
            #expect(failure.code == code)
            #expect(failure.declineCode == declineCode)
            #expect(sandbox.totals["sar"] == nil)
            let intent = try #require(failure.paymentIntent)
            #expect(intent.status == "requires_payment_method")
            let other = try await client.method("5555555555554444")
            let retried = try await client.post(
                "/v1/payment_intents/\(intent.id)/confirm", ["payment_method": other])
            #expect(try retried.body.status == "requires_capture")
        }
    }

    @Test("W3: a CVC token is good for one payment, and a wrong CVC gets none")
    func codeToken() async throws {
        try await SandboxServer.withServer { _, url async throws in
            let client = ProviderClient(url: url)
            #expect(try await client.post("/v1/tokens", ["cvc_update[cvc]": "1x3"]).failure.code == "invalid_cvc")
            let token = try await client.post(
                "/v1/tokens", ["cvc_update[cvc]": "123"], as: ProviderClient.Identified.self
            ).body.id
            #expect(token.hasPrefix("cvctok_"))
            var form = ProviderClient.payment(try await client.method("4242424242424242"))
            form["payment_method_options[card][cvc_token]"] = token
            #expect(try await client.post("/v1/payment_intents", form).status == 200)
            form["payment_method"] = try await client.method("4242424242424242")
            let again = try await client.post("/v1/payment_intents", form)
            #expect(again.status == 400)
            #expect(try again.failure.code == "resource_missing")
        }
    }

    @Test("a caller without the secret key is refused, and nothing happens")
    func wrongKey() async throws {
        try await SandboxServer.withServer { _, url async throws in
            let stranger = ProviderClient(url: url, key: "sk_test_other")
            let answer = try await stranger.post("/v1/payment_methods", ProviderClient.card("4242424242424242"))
            #expect(answer.status == 401)
            #expect(try await stranger.get("/v1/payment_intents/pi_1").status == 401)
            #expect(try await ProviderClient(url: url).get("/v1/payment_intents/pi_1").status == 404)
        }
    }

    @Test("the publishable key hands over a card and its CVV, also as a field of the form, and does nothing else")
    func publishableKey() async throws {
        try await SandboxServer.withServer { sandbox, url async throws in
            let app = ProviderClient(url: url, key: sandbox.settings.publishableKey)
            var card = ProviderClient.card("4242424242424242")
            #expect(
                try await app.post("/v1/payment_methods", card, as: ProviderClient.Identified.self).status == 200)
            let cvv = ["cvc_update[cvc]": "123"]
            #expect(try await app.post("/v1/tokens", cvv, as: ProviderClient.Identified.self).status == 200)
            let nobody = ProviderClient(url: url, key: "")
            card["key"] = sandbox.settings.publishableKey
            #expect(
                try await nobody.post("/v1/payment_methods", card, as: ProviderClient.Identified.self).status == 200)
            card["key"] = "pk_test_other"
            #expect(
                try await app.post("/v1/payment_methods", card, as: ProviderClient.Identified.self).status == 401)
            for path in ["/v1/customers", "/v1/payment_intents", "/v1/refunds", "/v1/payouts"] {
                #expect(try await app.post(path, [:]).status == 401, "\(path)")
            }
            #expect(try await app.get("/v1/payment_methods/pm_1").status == 401)
        }
    }
}
