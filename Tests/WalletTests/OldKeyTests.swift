import Contracts
import Foundation
import Postgres
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet

@Suite("Keys that the payment provider has forgotten, or knows with another form", .timeLimit(.minutes(5)))
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

    @Test("W6: a charge whose key is known with another return address is what the first request made of it")
    func otherForm() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            let charge = try #require(try await wallet.pool.query(ClaimCharges(limit: 10, leaseSeconds: 600)).first)
            let settings = wallet.parts.provider.settings
            let before = SeraiWallet.PaymentProvider(
                settings: .init(url: settings.url, key: settings.key, returnURL: "http://127.0.0.1/elsewhere"),
                client: wallet.parts.provider.client)
            _ = await before.ask(.authorise, charge)
            #expect(wallet.books.payments == 1)
            try await wallet.pool.execute(AgeAndWake(hours: 0))
            try await wallet.working { try await wallet.eventually(order, is: .held) }
            #expect(wallet.books.payments == 1 && wallet.books.held == 12_000)
            try await wallet.expectSound()
        }
    }

    @Test("W3: a card's number in the holder's or the token's field is refused, and stored nowhere")
    func numberElsewhere() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            for holder in ["4242 4242 4242 4242", "S 4242-4242.4242:4242", "٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢"] {
                let answer = try await wallet.post(
                    "cards", salem,
                    """
                    {"number": "4242424242424242", "expiryMonth": 12, "expiryYear": 2039, "cvv": "737",
                     "holder": "\(holder)"}
                    """)
                #expect(answer.status == 422 && answer.codes == ["/holder": "invalid-value"], "\(answer.text)")
            }
            let topUp = try await wallet.post(
                "topups", salem,
                #"{"market": "assef", "amount": 5000, "method": "applePay", "token": "4242424242424242"}"#)
            #expect(topUp.status == 422 && topUp.codes == ["/token": "invalid-value"], "\(topUp.text)")
        }
    }
}

/// Lets hours pass for what is asked of the payment provider, and the leases end.
private struct AgeAndWake: Statement {
    static let sql: StaticString = """
        UPDATE charges SET made_at = made_at - $1 * interval '1 hour', due_at = now() WHERE due_at IS NOT NULL
        """
    var hours = 25
    func bind(_ bindings: inout Bindings) { bindings.append(hours) }
}
