import AsyncHTTPClient
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import LiveMarkets
import Messaging
import NIOCore
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiWallet
@testable import ServiceKit

@Suite("Routes of the wallet", .timeLimit(.minutes(15)))
struct RouteTests {
    @Test("W3: a card is added once for a key, shown with its last four alone, and removed by its owner only")
    func cards() async throws {
        try await WalletFixture.run { wallet in
            let (salem, other) = (try await wallet.people.customer(), try await wallet.people.customer("Huda"))
            let body = wallet.newCard("4242 4242 4242 4242", year: 39, holder: "S")
            let key = UUID.timeOrdered().text
            #expect(try await wallet.post("cards", salem, body, key: key).codes == ["/holder": "too-short"])
            let good = body.replacing(#""S""#, with: #""S SALEM""#)
            let first = try await wallet.post("cards", salem, good, key: key)
            #expect(first.status == 201, "\(first.text)")
            #expect(first.json["brand"]?.string == "visa" && first.json["lastFour"]?.string == "4242")
            #expect(first.json["expiryYear"]?.integer == 2039)
            wallet.setProviderDown(true)
            #expect(try await wallet.post("cards", salem, good, key: key).text == first.text)
            wallet.setProviderDown(false)
            #expect(try await wallet.get("cards", salem).items.count == 1)
            #expect(try await wallet.get("cards", other).items.isEmpty)
            let id = try #require(first.json["card"]?.string)
            #expect(try await wallet.call(.delete, "cards/\(id)?confirm=true", other, nil).status == 404)
            let asked = try await wallet.call(.delete, "cards/\(id)", salem, nil)
            #expect(asked.status == 409 && asked.slug == "confirmation-needed" && asked.text.contains("4242"))
            #expect(try await wallet.get("cards", salem).items.count == 1)
            #expect(try await wallet.call(.delete, "cards/\(id)?confirm=true", salem, nil).status == 204)
            #expect(try await wallet.call(.delete, "cards/\(id)?confirm=true", salem, nil).status == 404)
            #expect(try await wallet.get("cards", salem).items.isEmpty)
        }
    }

    @Test("W3: wrong cards are refused with the field that is wrong, and nothing is kept")
    func wrongCards() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let cases: [(String, [String: String])] = [
                (#"{}"#, ["paymentMethod", "holder"].fields("required")),
                (Self.card("4242424242424242"), ["/paymentMethod": "invalid-value"]),
                (Self.card("pm_1/../x"), ["/paymentMethod": "invalid-value"]),
                (Self.card("tok_sandbox_apple_pay"), ["/paymentMethod": "invalid-value"]),
                (Self.card("pm_unknown"), ["/paymentMethod": "card-refused"]),
                (wallet.newCard(holder: "S\\u0007S"), ["/holder": "control-characters"]),
                (wallet.newCard(holder: String(repeating: "S", count: 101)), ["/holder": "too-long"]),
            ]
            for (body, codes) in cases {
                let answer = try await wallet.post("cards", salem, body)
                #expect(answer.status == 422 && answer.codes == codes, "\(body) \(answer.text)")
            }
            #expect(try await wallet.post("cards", salem, "[").status == 400)
            #expect(try await wallet.post("cards", salem, wallet.newCard(), key: nil).status == 400)
            wallet.setProviderDown(true)
            let down = try await wallet.post("cards", salem, wallet.newCard())
            #expect(down.status == 503 && down.slug == "payment-provider-down", "\(down.text)")
            #expect(try await wallet.get("cards", salem).items.isEmpty)
        }
    }

    @Test("W3: an account has a limited number of cards")
    func tooManyCards() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            try await wallet.fillCards(salem, count: StoredCard.limit - 1)
            let numbers = ["4242424242424242", "4111111111111111", "5555555555554444", "5105105105105100"]
            let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
                for number in numbers {
                    tasks.addTask { try await wallet.post("cards", salem, wallet.newCard(number)).status }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [201, 409, 409, 409])
        }
    }

    @Test("W5: a top-up by card reaches the wallet once, and a refused one never")
    func topUps() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let other = try await wallet.people.customer("Huda")
            let card = try await wallet.card(salem, "4000000000007775")
            let body = #"{"market": "assef", "amount": 5000, "card": "\#(card)", "cvvToken": "cvctok_test"}"#
            let key = UUID.timeOrdered().text
            let first = try await wallet.post("topups", salem, body, key: key)
            #expect(first.status == 202 && first.json["state"]?.string == "waiting", "\(first.text)")
            #expect(try await wallet.post("topups", salem, body, key: key).text == first.text)
            let id = try #require(first.json["topUp"]?.string)
            try await TestKit.eventually("the top-up is there", value: { try await wallet.balance(salem) }) {
                $0 == 5_000
            }
            #expect(try await wallet.get("topups/\(id)", salem).json["state"]?.string == "completed")
            #expect(try await wallet.get("topups/\(id)", other).status == 404)
            #expect(wallet.books.captured == 5_000 && wallet.books.payments == 1)
            #expect(try await wallet.told(about: try #require(UUID(uuidString: id))) == ["completed"])
            // Another's card is nobody's.
            #expect(try await wallet.post("topups", other, body).codes == ["/card": "no-such-card"])

            let poor = try await wallet.card(salem, "4000000000009995")
            let refused = try await wallet.post("topups", salem, body.replacing(card, with: poor))
            let refusedID = try #require(refused.json["topUp"]?.string)
            try await TestKit.eventually("the refusal is known") {
                try await wallet.get("topups/\(refusedID)", salem).json["reason"]?.string == "insufficient-funds"
            }
            #expect(try await wallet.balance(salem) == 5_000)
            try await wallet.expectSound()
        }
    }

    @Test("W5: a top-up of a wrong amount, market or card is refused with its fields")
    func wrongTopUps() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let card = try await wallet.card(salem)
            for (amount, code) in [
                ("99", "out-of-range"), ("10000001", "out-of-range"), ("-5", "out-of-range"), ("0", "out-of-range"),
                ("1.5", "not-a-whole-number"), ("\"5000\"", "not-a-whole-number"), ("null", "required"),
                ("9223372036854775807", "out-of-range"), ("99999999999999999999999", "not-a-whole-number"),
            ] {
                let body = #"{"market": "assef", "amount": \#(amount), "card": "\#(card)", "cvvToken": "cvctok_test"}"#
                let answer = try await wallet.post("topups", salem, body)
                #expect(answer.status == 422 && answer.codes == ["/amount": code], "\(amount) \(answer.text)")
            }
            let nowhere = #"{"market": "nowhere", "amount": 500, "card": "\#(UUID().text)", "cvvToken": "cvctok_test"}"#
            #expect(try await wallet.post("topups", salem, nowhere).codes == ["/market": "invalid-value"])
            let stranger = try await wallet.people.person("X", "customer", in: "hajji")
            let assef = nowhere.replacing("nowhere", with: "assef")
            #expect(try await wallet.post("topups", stranger, assef).status == 403)
            #expect(try await wallet.post("topups", salem, assef).codes == ["/card": "no-such-card"])
        }
    }

    @Test("W2: a payment is its order's customer's, by a method that the market allows")
    func payments() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let other = try await wallet.people.customer("Huda")
            let order = try await wallet.accepted(salem, noura)
            let path = "orders/\(order.order.text)/payment"
            for person in [noura, other, try await wallet.people.master()] {
                #expect(try await wallet.get(path, person).status == 404)
                #expect(try await wallet.pay(order, person, by: "cash").status == 404)
            }
            for wrong in ["orders/\(UUID().text)/payment", "orders/1/payment"] {
                #expect(try await wallet.get(wrong, salem).status == 404)
                #expect(try await wallet.post(wrong, salem, #"{"method": "cash"}"#).status == 404)
            }
            #expect(try await wallet.pay(order, salem, by: "gold").codes == ["/method": "not-a-choice"])
            let bare = try await wallet.pay(order, salem, by: "card")
            #expect(bare.codes == ["/card": "required", "/cvvToken": "required"], "\(bare.text)")
            #expect(try await wallet.payByCard(order, salem, UUID().text).codes == ["/card": "no-such-card"])
            try await wallet.pool.withTransaction { transaction in
                transaction.send(
                    ForbidCash(market: "assef", key: "paymentMethods", value: "card,wallet"))
            }
            try await wallet.parts.markets.refresh()
            #expect(try await wallet.pay(order, salem, by: "cash").codes == ["/method": "not-a-choice"])
            #expect(try await wallet.get(path, salem).json["state"]?.string == "due")
            let amount = try await wallet.get(path, salem).json["amount"]
            #expect(amount?["amount"]?.integer == 12_000 && amount?["currency"]?.string == "SAR")
        }
    }

    @Test("W1: every route asks who calls; only the ledger's admins see its sums")
    func callers() async throws {
        try await WalletFixture.run { wallet in
            let id = UUID.timeOrdered().text
            for path in [
                "wallets", "statement", "cards", "topups/\(id)", "orders/\(id)/payment", "ledger/trial-balance",
            ] {
                let answer = try await wallet.get(path, nil)
                #expect(answer.status == 401, "\(path) \(answer.text)")
            }
            for path in ["cards", "topups", "orders/\(id)/payment"] {
                #expect(try await wallet.post(path, nil, "{}").status == 401)
            }
            #expect(try await wallet.call(.delete, "cards/\(id)?confirm=true", nil, nil).status == 401)
            #expect(try await wallet.call(.patch, "cards/\(id)", nil, "{}").status == 401)
            #expect(try await wallet.call(.delete, "orders/\(id)/payment", nil, nil).status == 401)
            for role in ["customer", "provider", "admin"] {
                let person = try await wallet.people.person("X", role)
                #expect(try await wallet.get("ledger/trial-balance", person).status == 403)
            }
            let salem = try await wallet.people.customer()
            try await wallet.give(700, to: salem)
            let balance = try await wallet.get("ledger/trial-balance", try await wallet.people.master())
            #expect(balance.status == 200 && balance.json["isSound"]?.bool == true)
            #expect(balance.items.map { $0["sum"]?.integer } == [0])
            #expect(balance.items.map { $0["currency"]?.string } == ["SAR"])
        }
    }

    @Test("W1: a wallet is there in each of the caller's markets, with nothing in it at first")
    func wallets() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let empty = try await wallet.get("wallets", salem)
            let wallets = try #require(empty.items.first)
            #expect(empty.items.count == 1 && wallets["currency"]?.string == "SAR")
            for sum in ["balance", "held", "availableForCashOut"] { #expect(wallets[sum]?.integer == 0, "\(sum)") }
            #expect(wallets["availableLater"] == .array([]) && wallets["isFrozen"]?.bool == false)
            try await wallet.give(300, to: salem, currency: "EUR")
            #expect(try await wallet.get("wallets", salem).items.map { $0["currency"]?.string } == ["EUR", "SAR"])
        }
    }

    @Test("the OpenAPI document and the routes are the same")
    func openAPI() throws {
        let document = try OpenAPIDocument(yaml: String(decoding: WalletService.openAPI, as: UTF8.self))
        #expect(document.faults.isEmpty)
        let database = PostgresConfiguration(dsn: "postgresql://u@127.0.0.1:1/none", schema: "wallet")
        let pool = PostgresPool(.init(database), thread: TestThreads.postgres, logger: TestThreads.logger)
        let client = PaymentProvider.makeClient()
        defer { client.shutdown { _ in } }
        let parts = WalletFixture.parts(
            url: "http://127.0.0.1:1", "k", pool, client, tries: 1, logger: TestThreads.logger)
        let router = Router(context: SeraiRequestContext.self)
        ServiceAssembly<WalletService>.addRoutes(of: WalletService.features(parts), pool: parts.pool, to: router)
        let routes = router.routes.map { route in
            let path = "\(route.path)".split(separator: "/").map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : "\($0)" }
            return "\(route.method.rawValue) /\(path.joined(separator: "/"))"
        }
        #expect(document.operations == Set(routes))
    }

    private static func card(_ method: String) -> String {
        #"{"paymentMethod": "\#(method)", "holder": "S SALEM"}"#
    }
}

private struct ForbidCash: Statement {
    static let sql: SQL =
        "INSERT INTO market_settings (market, key, value, version) VALUES ($1, $2, $3, 1)"
    let market: String
    let key: String
    let value: String
    func bind(_ bindings: inout Bindings) { bindings.append(market, key, value) }
}

extension [String] {
    /// The same code for each field.
    fileprivate func fields(_ code: String) -> [String: String] {
        Dictionary(uniqueKeysWithValues: map { ("/\($0)", code) })
    }
}
