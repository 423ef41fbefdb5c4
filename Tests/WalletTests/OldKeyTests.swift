import Contracts
import Foundation
import Messaging
import Postgres
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet

@Suite("Keys that the payment provider has forgotten, or knows with another form", .timeLimit(.minutes(15)))
struct OldKeyTests {
    @Test("W8: a partial refund whose answer was lost and whose key is forgotten is looked for, and made once")
    func refundOnce() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.people.person("Amal", "admin")
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            try await wallet.working { try await wallet.eventually(order, is: .held) }
            try await wallet.hear(order.now(.completed))
            try await wallet.working { try await wallet.eventually(order, is: .captured) }
            #expect(try await wallet.refund(order, admin, 2_000, to: "card").status == 201)
            let charge = try #require(try await wallet.pool.query(ClaimCharges(limit: 10, leaseSeconds: 600)).first)
            // Asked, and killed before the answer was written down.
            _ = await wallet.parts.provider.ask(.refund, charge)
            #expect(wallet.books.refunded == 2_000)
            wallet.sandbox.forgetKeys()
            try await wallet.pool.execute(AgeAndWake())
            try await wallet.working {
                try await TestKit.eventually("it is made") {
                    try await wallet.pool.query(ListRefunds(order: order.order)).allSatisfy { $0.state == .made }
                }
            }
            #expect(wallet.books.refunded == 2_000)
            // Another one, of which the payment provider has never heard, is asked for however old it is.
            #expect(try await wallet.refund(order, admin, 3_000, to: "card").status == 201)
            try await wallet.pool.execute(AgeAndWake())
            try await wallet.working {
                try await TestKit.eventually("both are made") {
                    try await wallet.pool.query(ListRefunds(order: order.order)).allSatisfy { $0.state == .made }
                }
            }
            #expect(wallet.books.refunded == 5_000)
            try await wallet.expectSound()
        }
    }

    @Test("W8: a refund whose answer was lost is found among more refunds of its charge than one page has")
    func refundOnLaterPage() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.people.person("Amal", "admin")
            let order = try await wallet.accepted(salem, noura, amount: 20_000)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            try await wallet.working { try await wallet.eventually(order, is: .held) }
            try await wallet.hear(order.now(.completed))
            try await wallet.working { try await wallet.eventually(order, is: .captured) }
            #expect(try await wallet.refund(order, admin, 1_000, to: "card").status == 201)
            let charge = try #require(try await wallet.pool.query(ClaimCharges(limit: 10, leaseSeconds: 600)).first)
            _ = await wallet.parts.provider.ask(.refund, charge)
            // The newest come first: more than a hundred others, made by somebody there, stand before it.
            for _ in 0..<101 {
                let other = SeraiWallet.Charge(
                    id: .timeOrdered(), purpose: .refund, subject: .timeOrdered(), amount: 100, currency: "SAR",
                    card: nil, cvvReference: nil, madeAt: Date(), state: .captured, goal: .cancel,
                    reference: charge.reference)
                guard case .known(.refunded, _) = await wallet.parts.provider.ask(.refund, other) else {
                    Issue.record("a refund was not made")
                    return
                }
            }
            wallet.sandbox.forgetKeys()
            try await wallet.pool.execute(AgeAndWake())
            try await wallet.working {
                try await TestKit.eventually("it is made") {
                    try await wallet.pool.query(ListRefunds(order: order.order)).allSatisfy { $0.state == .made }
                }
            }
            #expect(wallet.books.refunded == 1_000 + 101 * 100)
        }
    }

    @Test("W6: a charge whose key is known with another return address is what the first request made of it")
    func otherForm() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            let charge = try #require(try await wallet.pool.query(ClaimCharges(limit: 10, leaseSeconds: 600)).first)
            // As a version of this program did that kept no address with the charge.
            _ = await Self.elsewhere(wallet).ask(.authorise, charge)
            #expect(wallet.books.payments == 1)
            try await wallet.pool.execute(AgeAndWake(hours: 0))
            try await wallet.working { try await wallet.eventually(order, is: .held) }
            #expect(wallet.books.payments == 1 && wallet.books.held == 12_000)
            try await wallet.expectSound()
        }
    }

    @Test("W6: what a charge is asked for with stays the same when the return address is configured anew in between")
    func sameForm() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            let settings = wallet.parts.provider.settings
            func claim(_ url: String) async throws -> SeraiWallet.Charge {
                try await wallet.pool.execute(AgeAndWake(hours: 0))
                let claimed = try await wallet.pool.query(ClaimCharges(limit: 10, leaseSeconds: 600, returnURL: url))
                return try #require(claimed.first)
            }
            let first = await wallet.parts.provider.ask(.authorise, try await claim(settings.returnURL))
            let second = await Self.elsewhere(wallet).ask(.authorise, try await claim("http://127.0.0.1/elsewhere"))
            for answer in [first, second] {
                guard case .known(.authorised, _) = answer else {
                    Issue.record("\(answer)")
                    continue
                }
            }
            #expect(wallet.books.payments == 1)
        }
    }

    private static func elsewhere(_ wallet: WalletFixture) -> SeraiWallet.PaymentProvider {
        let settings = wallet.parts.provider.settings
        return SeraiWallet.PaymentProvider(
            settings: .init(url: settings.url, key: settings.key, returnURL: "http://127.0.0.1/elsewhere"),
            client: wallet.parts.provider.client)
    }

    @Test("W3: a card's number in the holder's or the token's field is refused, and stored nowhere")
    func numberElsewhere() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            for holder in ["4242 4242 4242 4242", "S 4242-4242.4242:4242", "4242a4242b4242c4242", "٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢"] {
                let answer = try await wallet.post(
                    "cards", salem,
                    wallet.newCard(holder: holder))
                #expect(answer.status == 422 && answer.codes == ["/holder": "invalid-value"], "\(answer.text)")
            }
            let asMethod = try await wallet.post(
                "cards", salem, #"{"paymentMethod": "4242424242424242", "holder": "S SALEM"}"#)
            #expect(asMethod.codes == ["/paymentMethod": "invalid-value"], "\(asMethod.text)")
            let asCVV = try await wallet.post(
                "topups", salem,
                #"{"market": "assef", "amount": 5000, "card": "\#(UUID().text)", "cvvToken": "4242424242424242"}"#)
            #expect(asCVV.codes == ["/cvvToken": "invalid-value"], "\(asCVV.text)")
            let topUp = try await wallet.post(
                "topups", salem,
                #"{"market": "assef", "amount": 5000, "method": "applePay", "token": "4242424242424242"}"#)
            #expect(topUp.status == 422 && topUp.codes == ["/token": "invalid-value"], "\(topUp.text)")
        }
    }

    @Test("W3, W5: a card's number in the words of a bank account, a refund or a decision is refused")
    func numberInWords() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            let order = try await wallet.accepted(salem, noura)
            let iban = WalletFixture.iban(endingIn: "7519")
            let bank = #"{"market": "assef", "amount": 5000, "iban": "\#(iban)", "#
            let refund = #"{"amount": 500, "to": "wallet", "fundedBy": "platform", "reason": "#
            for (path, person, body, field) in [
                ("cash-outs", noura, bank + #""holder": "4242 4242 4242 4242", "bankName": "Alinma"}"#, "holder"),
                ("cash-outs", noura, bank + #""holder": "NOURA", "bankName": "A 4242-4242-4242-4242"}"#, "bankName"),
                ("bank-accounts", noura, bank + #""holder": "N", "bankName": "٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢"}"#, "bankName"),
                ("orders/\(order.order.text)/refunds", admin, refund + #""Card 4242.4242.4242.4242"}"#, "reason"),
                (
                    "markets/assef/cash-outs/\(UUID.timeOrdered().text)/decision", admin,
                    #"{"accept": false, "reason": "of 4242 4242 4242 4242"}"#, "reason"
                ),
            ] {
                let answer = try await wallet.post(path, person, body)
                #expect(answer.status == 422 && answer.codes["/\(field)"] == "invalid-value", "\(answer.text)")
            }
            // What is no card's number may have as many digits.
            let dates = refund + #""Late on 2026-01-02 and on 2026-01-09, see 4711."}"#
            let told = try await wallet.post("orders/\(order.order.text)/refunds", admin, dates)
            #expect(told.status == 409, "\(told.text)")
        }
    }
}

/// Lets hours pass for what is asked of the payment provider, and the leases end.
private struct AgeAndWake: Statement {
    static let sql: SQL = """
        UPDATE charges SET made_at = made_at - $1 * interval '1 hour', due_at = now() WHERE due_at IS NOT NULL
        """
    var hours = 25
    func bind(_ bindings: inout Bindings) { bindings.append(hours) }
}
