import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Webhooks of the payment provider", .timeLimit(.minutes(15)))
struct WebhookTests {
    @Test("W4: a webhook sent three times has its effect once, and one that the worker has overtaken has none")
    func repeated() async throws {
        // No worker: only webhooks tell what happened.
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            let charge = try #require(try await wallet.pool.first(FindPayment(order: order.order))?.charge)
            func event(_ type: String, _ status: String) -> String {
                WalletFixture.event(type, status: status, charge: charge, reference: "pi_1", amount: 12_000)
            }
            let held = event("amount_capturable_updated", "requires_capture")
            for _ in 0..<3 { #expect(try await wallet.webhook(held).status == 200) }
            #expect(try await wallet.state(of: order) == .held)
            // The same news under another id, and older news.
            #expect(try await wallet.webhook(event("amount_capturable_updated", "requires_capture")).status == 200)
            #expect(try await wallet.webhook(event("payment_failed", "requires_payment_method")).status == 200)
            #expect(try await wallet.told(about: order.order) == ["held"])
            // One that does not say whose charge it is: its payment intent does.
            #expect(try await wallet.pool.first(FindChargeByReference(reference: "pi_1")) == charge)
            try await wallet.expectSound()

            try await wallet.hear(order.now(.completed))
            let captured = event("succeeded", "succeeded")
            for _ in 0..<3 { #expect(try await wallet.webhook(captured).status == 200) }
            #expect(try await wallet.webhook(event("succeeded", "succeeded")).status == 200)
            #expect(try await wallet.webhook(event("canceled", "canceled")).status == 200)
            #expect(try await wallet.state(of: order) == .captured)
            #expect(try await wallet.told(about: order.order) == ["held", "captured"])
            #expect(try await wallet.balance(noura) == 10_200)
            try await wallet.expectSound()
        }
    }

    @Test("W4: an authorisation that the payment provider lets go leaves escrow without what is not there")
    func authorisationLost() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            let charge = try #require(try await wallet.pool.first(FindPayment(order: order.order))?.charge)
            for (type, status) in [("amount_capturable_updated", "requires_capture"), ("canceled", "canceled")] {
                let event = WalletFixture.event(type, status: status, charge: charge, reference: "pi_1", amount: 12_000)
                #expect(try await wallet.webhook(event).status == 200)
            }
            try await wallet.hear(order.now(.completed))
            #expect(try await wallet.told(about: order.order) == ["held", "released"])
            #expect(try await wallet.balance(noura) == 0)
            try await wallet.expectSound()
        }
    }

    @Test("W4: webhooks of another amount, another payment intent or another kind change nothing")
    func foreign() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            let charge = try #require(try await wallet.pool.first(FindPayment(order: order.order))?.charge)
            func event(_ type: String, _ status: String, charge: UUID = charge, amount: Int = 12_000) -> String {
                WalletFixture.event(type, status: status, charge: charge, reference: "pi_1", amount: amount)
            }
            for body in [
                event("amount_capturable_updated", "requires_capture", amount: 1),
                event("amount_capturable_updated", "requires_capture", charge: .timeOrdered()),
                event("amount_capturable_updated", "processing"), event("created", "requires_capture"),
                event("succeeded", "requires_capture"), #"{"id": "evt_1", "type": "charge.refunded", "data": {}}"#,
                #"{"id": "evt_2", "type": "payment_intent.succeeded", "data": {"object": {"id": 5}}}"#,
                #"{"id": "", "type": "payment_intent.succeeded"}"#,
            ] {
                #expect(try await wallet.webhook(body).status == 200, "\(body)")
            }
            #expect(try await wallet.state(of: order) == .authorising)
            #expect(try await wallet.told(about: order.order).isEmpty)
        }
    }

    @Test("W4: a webhook that is not signed, wrongly signed, changed, or not of this moment is refused")
    func signatures() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let body = #"{"id": "evt_1", "type": "payment_intent.succeeded"}"#
            #expect(try await wallet.webhook(body).status == 200)
            for answer in [
                try await wallet.webhook(body, secret: "another"), try await wallet.webhook(body, signed: body + " "),
                try await wallet.webhook(body, at: Date().addingTimeInterval(-301)),
                try await wallet.webhook(body, at: Date().addingTimeInterval(302)),
                try await wallet.call(.post, "webhooks/stripe", nil, body),
            ] {
                #expect(answer.status == 400 && answer.slug == "invalid-signature", "\(answer.text)")
            }
            #expect(try await wallet.webhook("{").slug == "malformed-body")
            let signature = SeraiWallet.WebhookSignature(secret: Redacted("s"))
            for header in ["", "t=,v1=", "t=1", "v1=00", "t=x,v1=zz", "t=99999999999999999999,v1=00", ",,,=,"] {
                #expect(!signature.accepts(header, body: Data(), at: Date(timeIntervalSince1970: 1)))
            }
        }
    }

    @Test("W4: webhooks that nobody sends any more are forgotten")
    func purge() async throws {
        try await TestDatabase.withDatabase(WalletService.migrations) { database in
            try await database.withPool { pool in
                for id in ["evt_1", "evt_2"] { #expect(try await pool.execute(RememberWebhook(id: id)) == 1) }
                #expect(try await pool.execute(RememberWebhook(id: "evt_1")) == 0)
                #expect(try await pool.execute(PurgeWebhooks()) == 0)
                try await pool.execute(AgeWebhook())
                #expect(try await pool.execute(PurgeWebhooks()) == 1)
            }
        }
    }
}

private struct AgeWebhook: Statement {
    static let sql: SQL =
        "UPDATE webhook_events SET received_at = now() - interval '8 days' WHERE id = 'evt_1'"
}
