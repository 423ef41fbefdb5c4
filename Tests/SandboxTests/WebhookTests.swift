import Crypto
import Foundation
import TestKit
import Testing

@testable import Sandbox

@Suite("Webhooks and the sink of the sandbox", .timeLimit(.minutes(15)))
struct WebhookTests {
    private func settings(_ url: String) -> SandboxSettings {
        var settings = SandboxSettings()
        settings.webhookURL = url
        settings.webhookSecret = "whsec_test"
        return settings
    }

    @Test("W4: what happens to payments is told, signed by the secret")
    func events() async throws {
        try await WebhookReceiver.withReceiver { receiver, hook async throws in
            try await SandboxServer.withServer(settings(hook)) { _, url async throws in
                let client = ProviderClient(url: url)
                var form = ProviderClient.payment(try await client.method("4242424242424242"))
                let kept = try await client.post("/v1/payment_intents", form).body
                _ = try await client.post("/v1/payment_intents/\(kept.id)/capture", [:])
                _ = try await client.post("/v1/refunds", ["payment_intent": kept.id, "amount": "500"])
                form["payment_method"] = try await client.method("4242424242424242")
                let left = try await client.post("/v1/payment_intents", form).body
                _ = try await client.post("/v1/payment_intents/\(left.id)/cancel", [:])
                let poor = ProviderClient.payment(try await client.method("4000000000009995"))
                _ = try await client.post("/v1/payment_intents", poor)

                let events = try await eventually("all six are told", value: { try receiver.events }) { $0.count == 6 }
                let kinds = events.map(\.type).sorted()
                #expect(
                    kinds == [
                        "charge.refunded", "payment_intent.amount_capturable_updated",
                        "payment_intent.amount_capturable_updated", "payment_intent.canceled",
                        "payment_intent.payment_failed", "payment_intent.succeeded",
                    ])
                let succeeded = events.first { $0.type == "payment_intent.succeeded" }
                #expect(succeeded?.data.object.id == kept.id)
                let refunded = events.first { $0.type == "charge.refunded" }
                #expect(refunded?.data.object.amountRefunded == 500)
                for message in receiver.received { #expect(Self.isSigned(message, secret: "whsec_test")) }
            }
        }
    }

    @Test("W8: a refund that the card's bank does not take is pending or failed, gives nothing back, and is told")
    func failedRefunds() async throws {
        try await WebhookReceiver.withReceiver { receiver, hook async throws in
            try await SandboxServer.withServer(settings(hook)) { sandbox, url async throws in
                let client = ProviderClient(url: url)
                struct Refund: Decodable, Sendable { let id, status: String }
                var made: Set<String> = []
                for (card, status) in [("4000000000005126", "pending"), ("4000000000005134", "failed")] {
                    let form = ProviderClient.payment(try await client.method(card), capture: "automatic")
                    let paid = try await client.post("/v1/payment_intents", form).body
                    let refund = try await client.post(
                        "/v1/refunds", ["payment_intent": paid.id, "amount": "500"], as: Refund.self
                    ).body
                    #expect(refund.status == status)
                    made.insert(refund.id)
                }
                #expect(sandbox.totals["sar"]?.refunded == 0)
                let events = try await eventually("both are told", value: { try receiver.events }) { events in
                    events.count { $0.type == "refund.failed" } == 2
                }
                let told = events.filter { $0.type == "refund.failed" }.map(\.data.object.id)
                #expect(Set(told) == made)
            }
        }
    }

    @Test("W6: an event that is refused comes again, and each is sent as often as wanted")
    func retriesAndCopies() async throws {
        try await WebhookReceiver.withReceiver(refusing: 3) { receiver, hook async throws in
            try await SandboxServer.withServer { sandbox, url async throws in
                let client = ProviderClient(url: url)
                var form = ProviderClient.payment(try await client.method("4242424242424242"))
                _ = try await client.post("/v1/payment_intents", form)
                form["payment_method"] = try await client.method("4242424242424242")
                let change = #"{"url": "\#(hook)", "copies": 3}"#
                #expect(try await client.json("PUT", "/sandbox/webhooks", change).status == 204)
                _ = try await client.post("/v1/payment_intents", form)
                try await eventually("all copies have come", value: { sandbox.webhookCounts }) {
                    $0 == WebhookSender.Counts(pending: 0, delivered: 3, failedAttempts: 3)
                }
                #expect(Set(try receiver.events.map(\.id)).count == 1)
            }
        }
    }

    @Test("what was sent to people can be read by recipient, and is removed")
    func sink() async throws {
        try await SandboxServer.withServer { sandbox, url async throws in
            let client = ProviderClient(url: url)
            for name in ["a@example.org", "b@example.org"] {
                let mail = #"{"to": "\#(name)", "subject": "Hello", "text": "Welcome"}"#
                #expect(try await client.json("POST", "/sink/mail", mail).status == 201)
            }
            #expect(try await client.json("POST", "/sink/sms", #"{"to": "+966500000000"}"#).status == 400)
            let read = String(decoding: try await client.json("GET", "/sink/mail?to=a@example.org").data, as: UTF8.self)
            #expect(read.contains("a@example.org"))
            #expect(!read.contains("b@example.org"))
            #expect(sandbox.messages(.mail).map(\.to) == ["a@example.org", "b@example.org"])
            #expect(try await client.json("DELETE", "/sink/mail?to=a@example.org").status == 204)
            #expect(sandbox.messages(.mail).map(\.to) == ["b@example.org"])
        }
    }

    @Test("the books can be read over HTTP")
    func books() async throws {
        try await SandboxServer.withServer { _, url async throws in
            let client = ProviderClient(url: url)
            let form = ProviderClient.payment(try await client.method("4242424242424242"))
            _ = try await client.post("/v1/payment_intents", form)
            struct Books: Decodable { let items: [Totals] }
            struct Totals: Decodable, Equatable {
                let currency: String
                let payments, authorised, captured, cancelled, refunded, held: Int
            }
            let data = try await client.json("GET", "/sandbox/payments").data
            #expect(
                try JSONDecoder().decode(Books.self, from: data).items == [
                    Totals(
                        currency: "SAR", payments: 1, authorised: 12_500, captured: 0, cancelled: 0, refunded: 0,
                        held: 12_500)
                ])
        }
    }

    private static func isSigned(_ message: WebhookReceiver.Received, secret: String) -> Bool {
        let parts = message.signature.split(separator: ",").map { $0.split(separator: "=").map(String.init) }
        guard parts.count == 2, parts[0].first == "t", parts[1].first == "v1" else { return false }
        let signed = Data("\(parts[0][1]).".utf8) + message.body
        let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: Data(secret.utf8)))
        return parts[1][1] == code.map { String(format: "%02x", $0) }.joined()
    }
}
