import Foundation
import TestKit
import Testing

@testable import Sandbox

/// What Stripe refuses before it looks at anything else, so that the wallet's own mistakes show here.
@Suite("Versions, parameters and currencies at the sandbox's provider", .timeLimit(.minutes(15)))
struct StrictTests {
    private static let token = [
        "bank_account[country]": "SE", "bank_account[currency]": "sek", "bank_account[account_holder_name]": "Sara",
        "bank_account[account_number]": "SE4550000000058398257466",
    ]

    @Test("W4: a request without a version of the API, or of another one, is refused; the answer and events say theirs")
    func version() async throws {
        try await WebhookReceiver.withReceiver { receiver, hook async throws in
            try await SandboxServer.withServer { sandbox, url async throws in
                sandbox.changeWebhooks { $0.url = hook }
                for version in [nil, "2019-01-01"] {
                    let stranger = ProviderClient(url: url, version: version)
                    let answer = try await stranger.post(
                        "/v1/payment_methods", ProviderClient.card("4242424242424242"))
                    #expect(answer.status == 400)
                    #expect(try answer.failure.type == "invalid_request_error")
                    #expect(try await stranger.get("/v1/payment_intents/pi_1").status == 400)
                }
                let client = ProviderClient(url: url)
                let form = ProviderClient.payment(try await client.method("4242424242424242"))
                #expect(try await client.post("/v1/payment_intents", form).version == "2024-06-20")
                let events = try await eventually("it is told", value: { try receiver.events }) { !$0.isEmpty }
                #expect(events.map(\.apiVersion) == ["2024-06-20"])
            }
        }
    }

    @Test("W4: a parameter that the request does not have is refused by its name, and nothing happens")
    func unknownParameters() async throws {
        try await SandboxServer.withServer { sandbox, url async throws in
            let client = ProviderClient(url: url)
            let paths = [
                "/v1/payment_methods", "/v1/payment_methods/pm_1", "/v1/payment_methods/pm_1/attach",
                "/v1/payment_methods/pm_1/detach", "/v1/customers", "/v1/tokens", "/v1/payment_intents",
                "/v1/payment_intents/pi_1/confirm", "/v1/payment_intents/pi_1/capture",
                "/v1/payment_intents/pi_1/cancel", "/v1/refunds", "/v1/payouts",
            ]
            for path in paths {
                for name in ["colour", "metadata[a][b]", "card[colour]"] {
                    let failure = try await client.post(path, [name: "red"], key: "k-\(path)-\(name)").failure
                    #expect(failure.code == "parameter_unknown" && failure.param == name, "\(path) \(name)")
                    #expect(failure.message == "Received unknown parameter: \(name)")
                }
            }
            // Under the same key the right request is another one, and is made.
            var form = ProviderClient.payment(try await client.method("4242424242424242"))
            form["ammount"] = "1"
            #expect(try await client.post("/v1/payment_intents", form, key: "k").failure.param == "ammount")
            #expect(sandbox.totals["sar"] == nil)
            form["ammount"] = nil
            #expect(try await client.post("/v1/payment_intents", form, key: "k").status == 200)
        }
    }

    @Test("W4: a query parameter that the request does not have is refused, and a page's length has bounds")
    func unknownQueries() async throws {
        try await SandboxServer.withServer { _, url async throws in
            let client = ProviderClient(url: url)
            let paths = [
                "/v1/payment_methods/pm_1", "/v1/payment_intents/pi_1", "/v1/payment_intents/search", "/v1/payouts",
                "/v1/payouts/po_1", "/v1/refunds",
            ]
            for path in paths {
                let failure = try await client.get("\(path)?lmit=1").failure
                #expect(failure.code == "parameter_unknown" && failure.param == "lmit", "\(path)")
            }
            #expect(try await client.delete("/v1/customers/cus_1?now=true").failure.code == "parameter_unknown")
            for limit in ["0", "101", "ten"] {
                let failure = try await client.get("/v1/payouts?limit=\(limit)").failure
                #expect(failure.code == "parameter_invalid_integer" && failure.param == "limit")
            }
            for path in ["/v1/payouts", "/v1/refunds"] {
                #expect(try await client.get("\(path)?limit=100").status == 200)
                #expect(try await client.get("\(path)?starting_after=none").failure.code == "resource_missing")
            }
            #expect(try await client.get("/v1/refunds?payment_intent=pi_none").failure.code == "resource_missing")
        }
    }

    @Test(
        "W4: a value of another form is refused",
        arguments: [
            ("confirm", "yes", ""), ("off_session", "1", ""), ("capture_method", "later", ""),
            ("amount", "12.50", "parameter_invalid_integer"), ("return_url", "", "parameter_invalid_empty"),
            ("payment_method_types[0]", "cheque", ""),
        ])
    func values(name: String, value: String, code: String) async throws {
        try await SandboxServer.withServer { _, url async throws in
            let client = ProviderClient(url: url)
            var form = ProviderClient.payment(try await client.method("4242424242424242"))
            form[name] = value
            let answer = try await client.post("/v1/payment_intents", form)
            #expect(answer.status == 400)
            #expect(try answer.failure.param == name)
            #expect(try answer.failure.code ?? "" == code)
        }
    }

    @Test("W2: a currency that Stripe does not have is refused", arguments: ["xxx", "xau", "se", "irr", "S€K"])
    func currencies(_ currency: String) async throws {
        try await SandboxServer.withServer { _, url async throws in
            let client = ProviderClient(url: url)
            var form = ProviderClient.payment(try await client.method("4242424242424242"))
            form["currency"] = currency
            let payment = try await client.post("/v1/payment_intents", form)
            #expect(payment.status == 400)
            #expect(try payment.failure.param == "currency")
            #expect(try payment.failure.message?.hasPrefix("Invalid currency: \(currency.lowercased()). ") == true)
            let payout = try await client.post(
                "/v1/payouts", ["amount": "100", "currency": currency, "destination": "ba_1"])
            #expect(try payout.failure.param == "currency")
            var token = Self.token
            token["bank_account[currency]"] = currency
            #expect(try await client.post("/v1/tokens", token).failure.param == "bank_account[currency]")
        }
    }

    @Test("W7: a bank account is paid in its own currency alone")
    func payoutCurrency() async throws {
        struct Token: Decodable, Sendable { let bankAccount: ProviderClient.Identified }
        try await SandboxServer.withServer { sandbox, url async throws in
            let client = ProviderClient(url: url)
            let account = try await client.post("/v1/tokens", Self.token, as: Token.self).body.bankAccount.id
            func pay(_ currency: String) async throws -> ProviderClient.Answer<ProviderClient.Identified> {
                try await client.post(
                    "/v1/payouts", ["amount": "5000", "currency": currency, "destination": account],
                    as: ProviderClient.Identified.self)
            }
            let other = try await pay("eur")
            #expect(other.status == 400)
            #expect(try other.failure.param == "currency")
            #expect(sandbox.totals["eur"] == nil)
            #expect(try await pay("sek").status == 200)
            #expect(sandbox.totals["sek"]?.paidOut == 5_000)
        }
    }
}
