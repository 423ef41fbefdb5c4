import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet

@Suite("How often cards can be tried", .timeLimit(.minutes(15)))
struct CardLimitTests {
    @Test("W3: after five refused cards in an hour an account tries no other, whatever it pays for; others go on")
    func refused() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (bad, good) = (try await wallet.card(salem, "4000000000000002"), try await wallet.card(salem))
            // What is taken does not count.
            for _ in 0..<6 { try await topUp(wallet, salem, good, until: "completed") }
            for _ in 0..<5 { try await topUp(wallet, salem, bad, until: "refused") }
            let order = try await wallet.accepted(salem, noura)
            for card in [bad, good] {
                for answer in [
                    try await wallet.payByCard(order, salem, card),
                    try await wallet.post("topups", salem, Self.body(card)),
                ] {
                    #expect(answer.status == 429 && answer.slug == "too-many-requests", "\(answer.text)")
                    let seconds = try #require(answer.headers[.retryAfter].flatMap { Int($0) })
                    #expect((3_400...3_600).contains(seconds))
                }
            }
            let add = try await wallet.post("cards", salem, wallet.newCard())
            #expect(add.status == 429, "\(add.text)")
            #expect(try await wallet.state(of: order) == .due)
            // The wallet is no card.
            #expect(try await wallet.pay(order, salem, by: "cash").status == 202)
            let other = try await wallet.people.customer("Huda")
            try await topUp(wallet, other, try await wallet.card(other), until: "completed")
            try await wallet.pool.execute(AgeAttempts(minutes: 61))
            try await topUp(wallet, salem, good, until: "completed")
            try await wallet.expectSound()
        }
    }

    @Test("W3: many attempts at once are no way around the limit: what is not answered yet counts")
    func atOnce() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            let card = try await wallet.card(salem, "4000000000000002")
            let statuses = try await WalletFixture.statuses(16) { _ in
                try await wallet.post("topups", salem, Self.body(card)).status
            }
            #expect(statuses == [202: 5, 429: 11])
            try await wallet.working {
                try await TestKit.eventually("all are refused") {
                    try await wallet.pool.first(CountAttempts()) == 5
                }
            }
            #expect(try await wallet.post("topups", salem, Self.body(card)).status == 429)
        }
    }

    @Test("W3: ten cards are added in a day, in all processes together, and of more the payment provider hears nothing")
    func added() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            var cards: [String] = []
            for index in 0..<10 { cards.append(try await wallet.card(salem, WalletFixture.cardNumber(index))) }
            let late = try await wallet.post("cards", salem, wallet.newCard())
            #expect(late.status == 429 && late.headers[.retryAfter].flatMap { Int($0) } ?? 0 > 80_000, "\(late.text)")
            for card in cards {
                #expect(try await wallet.call(.delete, "cards/\(card)?confirm=true", salem, nil).status == 204)
            }
            #expect(try await wallet.post("cards", salem, wallet.newCard()).status == 429)
            #expect(wallet.sandbox.attachedCount == 10)
            try await wallet.pool.execute(AgeAttempts(minutes: 24 * 60 + 1))
            _ = try await wallet.card(salem)
            // What is over is forgotten.
            #expect(try await wallet.pool.execute(PurgeCardAttempts()) == 10)
            // While the payment provider is away nothing counts.
            wallet.setProviderDown(true)
            for _ in 0..<12 { #expect(try await wallet.post("cards", salem, wallet.newCard()).status == 503) }
            wallet.setProviderDown(false)
            _ = try await wallet.card(salem)
        }
    }

    @Test("W3: an account with twenty cards renews one of them, and another one is attached to nobody")
    func full() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            try await wallet.fillCards(salem)
            #expect(try await wallet.post("cards", salem, wallet.newCard()).slug == "too-many-cards")
            #expect(wallet.sandbox.attachedCount == 0 && wallet.sandbox.customerCount == 0)
            let huda = try await wallet.people.customer("Huda")
            try await wallet.fillCards(huda, count: StoredCard.limit - 1)
            #expect(try await wallet.post("cards", huda, wallet.newCard()).status == 201)
            let again = try await wallet.post("cards", huda, wallet.newCard())
            #expect(again.status == 200, "\(again.text)")
        }
    }

    private static func body(_ card: String) -> String {
        #"{"market": "assef", "amount": 5000, "card": "\#(card)", "cvvToken": "cvctok_test"}"#
    }

    private func topUp(_ wallet: WalletFixture, _ person: Person, _ card: String, until state: String) async throws {
        let answer = try await wallet.post("topups", person, Self.body(card))
        let id = try #require(answer.json["topUp"]?.string, "\(answer.text)")
        try await TestKit.eventually("it is \(state)") {
            try await wallet.get("topups/\(id)", person).json["state"]?.string == state
        }
    }
}

extension WalletFixture {
    /// Gives somebody as many cards as there can be.
    func fillCards(_ person: Person, count: Int = StoredCard.limit) async throws {
        let expiry = try #require(CardExpiry(month: 12, year: 2039))
        for number in 0..<count {
            let card = StoredCard(
                id: .timeOrdered(), account: person.account, reference: "pm_full_\(number)", brand: "visa",
                lastFour: "4242", expiry: expiry, holder: "S SALEM")
            _ = try await pool.first(InsertCard(card: card, limit: StoredCard.limit))
        }
    }
}

extension CardForm {
    /// - Parameter method: the payment method at the payment provider.
    static func of(_ method: String) throws -> CardForm {
        try CardForm(Form(.object(["paymentMethod": .string(method), "holder": .string("S SALEM")])))
    }
}

private struct AgeAttempts: Statement {
    static let sql: SQL = "UPDATE card_attempts SET until = until - $1 * interval '1 minute'"
    let minutes: Int
    func bind(_ bindings: inout Bindings) { bindings.append(minutes) }
}

private struct CountAttempts: Statement {
    static let sql: SQL = "SELECT count(*) FROM card_attempts WHERE kind = 'refused'"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
