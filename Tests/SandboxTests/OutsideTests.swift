import Foundation
import TestKit
import Testing

@testable import Sandbox

/// What happens at the payment provider without a word from those who use its API, and what it refuses.
@Suite("Disputes and refunds outside, and amounts", .timeLimit(.minutes(15)))
struct OutsideTests {
    private static func captured(_ client: ProviderClient) async throws -> String {
        let form = ProviderClient.payment(try await client.method("4242424242424242"), capture: "automatic")
        return try await client.post("/v1/payment_intents", form).body.id
    }

    private static func created(_ answer: ProviderClient.Answer<ProviderClient.Identified>) throws -> String {
        try #require(try JSONDecoder().decode([String: String].self, from: answer.data)["dispute"])
    }

    @Test("W5: a dispute takes the money and gives it back when it is won; each step is told by a webhook")
    func dispute() async throws {
        try await WebhookReceiver.withReceiver { receiver, hook async throws in
            try await SandboxServer.withServer { sandbox, url async throws in
                sandbox.changeWebhooks { $0.url = hook }
                let client = ProviderClient(url: url)
                let intent = try await Self.captured(client)
                let made = try await client.json(
                    "POST", "/sandbox/disputes",
                    #"{"paymentIntent": "\#(intent)", "amount": 5000, "status": "warning_needs_response"}"#)
                #expect(made.status == 201)
                let id = try Self.created(made)
                #expect(sandbox.totals["sar"]?.disputed == 0)
                func change(_ status: String) async throws -> Int {
                    try await client.json("PUT", "/sandbox/disputes/\(id)", #"{"status": "\#(status)"}"#).status
                }
                #expect(try await change("needs_response") == 204)
                #expect(sandbox.totals["sar"]?.disputed == 5_000)
                #expect(try await change("won") == 204)
                #expect(sandbox.totals["sar"]?.disputed == 0)
                #expect(try await change("lost") == 400)
                let whole = try Self.created(
                    try await client.json("POST", "/sandbox/disputes", #"{"paymentIntent": "\#(intent)"}"#))
                #expect(
                    try await client.json("PUT", "/sandbox/disputes/\(whole)", #"{"status": "lost"}"#).status == 204)
                #expect(sandbox.totals["sar"]?.disputed == 12_500)
                let none = #"{"paymentIntent": "pi_none"}"#
                #expect(try await client.json("POST", "/sandbox/disputes", none).status == 400)
                try await eventually("all is told") { sandbox.webhookCounts.pending == 0 }
                let kinds = try receiver.events.map(\.type).filter { $0.hasPrefix("charge.dispute.") }
                #expect(
                    kinds.sorted() == [
                        "charge.dispute.closed", "charge.dispute.closed", "charge.dispute.created",
                        "charge.dispute.created", "charge.dispute.funds_reinstated", "charge.dispute.funds_withdrawn",
                        "charge.dispute.funds_withdrawn", "charge.dispute.updated",
                    ])
            }
        }
    }

    @Test("W5: somebody gives back in the dashboard, in parts, up to what was taken")
    func refund() async throws {
        try await SandboxServer.withServer { sandbox, url async throws in
            let client = ProviderClient(url: url)
            let intent = try await Self.captured(client)
            func refund(_ amount: String) async throws -> Int {
                try await client.json(
                    "POST", "/sandbox/refunds", #"{"paymentIntent": "\#(intent)"\#(amount)}"#
                ).status
            }
            #expect(try await refund(#", "amount": 500"#) == 204)
            #expect(try await refund("") == 204)
            #expect(try await refund("") == 400)
            #expect(sandbox.totals["sar"]?.refunded == 12_500)
        }
    }

    @Test("W5: a disputed payment is not refunded until the dispute is won, nor one disputed of which nothing is left")
    func refundOfDisputed() async throws {
        try await SandboxServer.withServer { sandbox, url async throws in
            let client = ProviderClient(url: url)
            let intent = try await Self.captured(client)
            func refund(_ amount: String) async throws -> ProviderClient.Answer<ProviderClient.Identified> {
                try await client.post(
                    "/v1/refunds", ["payment_intent": intent, "amount": amount], as: ProviderClient.Identified.self)
            }
            let inquiry = try #require(sandbox.dispute(intent, amount: 5_000, as: .warningNeedsResponse))
            #expect(try await refund("500").status == 200)
            #expect(sandbox.changeDispute(inquiry, to: .needsResponse))
            let refused = try await refund("500")
            #expect(refused.status == 400)
            #expect(try refused.failure.code == "charge_disputed")
            #expect(sandbox.changeDispute(inquiry, to: .won))
            #expect(try await refund("500").status == 200)
            let above = try await refund("12000")
            #expect(try above.failure.code == "amount_too_large")
            #expect(try await refund("11500").status == 200)
            #expect(sandbox.dispute(intent) == nil)
            #expect(sandbox.totals["sar"]?.refunded == 12_500)
        }
    }

    @Test(
        "W2: an amount that Stripe would not take is refused with its code",
        arguments: [
            ("100", "sek", "amount_too_small"), ("49", "usd", "amount_too_small"), ("0", "sar", "amount_too_small"),
            ("100000000", "sar", "amount_too_large"), ("12005", "kwd", "parameter_invalid_integer"),
            ("550", "isk", "parameter_invalid_integer"), ("300", "sek", ""), ("12010", "kwd", ""),
            ("99999999", "sar", ""), ("100000000", "idr", ""), ("17500", "huf", ""),
        ])
    func amounts(_ amount: String, _ currency: String, _ code: String) async throws {
        try await SandboxServer.withServer { _, url async throws in
            let client = ProviderClient(url: url)
            var form = ProviderClient.payment(try await client.method("4242424242424242"))
            form["amount"] = amount
            form["currency"] = currency
            let answer = try await client.post("/v1/payment_intents", form)
            if code.isEmpty {
                #expect(answer.status == 200)
            } else {
                #expect(answer.status == 400)
                #expect(try answer.failure.code == code && answer.failure.param == "amount")
            }
        }
    }
}
