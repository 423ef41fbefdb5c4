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

@Suite("Statements", .timeLimit(.minutes(15)))
struct StatementTests {
    @Test("W1: both parties read who paid whom for what, when, and how it stands")
    func lines() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer("Salem"), try await wallet.people.provider("Noura"))
            try await wallet.give(24_000, to: salem)
            let done = try await wallet.accepted(salem, noura)
            let ended = try await wallet.accepted(salem, noura)
            for order in [done, ended] { _ = try await wallet.pay(order, salem, by: "wallet") }
            let waiting = try await wallet.get("statement", salem)
            #expect(waiting.items.map { $0["state"]?.string } == ["waiting", "waiting"], "\(waiting.text)")
            try await wallet.hear(done.now(.completed))
            try await wallet.hear(ended.now(.expired))

            let mine = try await wallet.get("statement", salem).items
            #expect(mine.map { $0["state"]?.string } == ["accepted", "rejected"])
            #expect(mine.map { $0["reason"]?.string } == [nil, "order-expired"])
            #expect(mine.map { $0["amount"]?.integer } == [-12_000, -12_000])
            #expect(mine.map { $0["order"]?.string } == [done.order.text, ended.order.text])
            let english = try await wallet.csv("statement.csv", salem)
            #expect(english.contains("The order's time was over") && !english.contains("order-expired"), "\(english)")
            let file = try await wallet.csv("statement.csv", salem, language: "ar")
            #expect(file.contains("انتهت مهلة الطلب"), "\(file)")
            #expect(try await wallet.get("statement?reason=x", salem).status == 400)
            let first = try #require(mine.first)
            #expect(first["beneficiary"]?.string == "Noura" && first["payer"]?.string == "Salem")
            #expect(first["transaction"]?.string == "Payment: Wound care")
            let arabic = try await wallet.call(.get, "statement", salem, nil, language: "ar").items.first
            #expect(arabic?["transaction"]?.string == "دفع: العناية بالجروح")

            let earned = try await wallet.get("statement?state=accepted", noura).items
            #expect(earned.map { $0["amount"]?.integer } == [10_200])
            #expect(earned.map { $0["kind"]?.string } == ["share"])
        }
    }

    @Test("W1: who reads on, the oldest first, misses no line that is committed after later ones")
    func lateLine() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            func store(_ name: String, at: Date, in transaction: PostgresTransaction) {
                let line = StatementLine(
                    account: salem.account, source: name, kind: .topUp, market: "assef", currency: "SAR", amount: 1,
                    order: nil, method: nil, title: [:], payer: name, beneficiary: "", state: .accepted, reason: nil)
                transaction.send(StoreStatementLine(id: .timeOrdered(), line: line, at: at))
            }
            func storeAlone(_ name: String, at: Date) async throws {
                try await wallet.pool.withTransaction { store(name, at: at, in: $0) }
            }
            func page(_ cursor: String?) async throws -> (payers: [String], next: String?) {
                let answer = try await wallet.get(
                    "statement?limit=2" + (cursor.map { "&cursor=\($0)" } ?? ""), salem)
                return (answer.items.compactMap { $0["payer"]?.string }, answer.json["next"]?.string)
            }
            try await storeAlone("first", at: Date() - 10)
            let (early, nothing) = try await wallet.pool.withTransaction { transaction in
                store("late", at: Date(), in: transaction)
                _ = try await transaction.first(FindSettledTime())
                for name in ["second", "third"] { try await storeAlone(name, at: Date()) }
                let early = try await page(nil)
                for name in ["fourth", "fifth"] { try await storeAlone(name, at: Date()) }
                return (early, try await page(early.next))
            }
            #expect(early.payers == ["first"])
            // Nothing is certain yet, and there is more.
            #expect(nothing.payers.isEmpty)
            var (seen, cursor) = ([String](), nothing.next)
            while let position = cursor {
                let next = try await page(position)
                (seen, cursor) = (seen + next.payers, next.next)
            }
            #expect(seen == ["late", "second", "third", "fourth", "fifth"])
        }
    }

    @Test("W5: who reads cash-outs on, the oldest first, misses none that is committed after later ones")
    func lateCashOut() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(5_000, to: noura)
            func page(
                _ path: String, _ person: Person, _ cursor: String?
            ) async throws -> (amounts: [Int], next: String?) {
                let answer = try await wallet.get(
                    path + "?limit=1" + (cursor.map { "&cursor=\($0)" } ?? ""), person)
                return (answer.items.compactMap { $0["amount"]?["amount"]?.integer }, answer.json["next"]?.string)
            }
            for amount in [1_000, 1_100] { #expect(try await wallet.cashOut(amount, noura).status == 201) }
            let early = try await wallet.pool.withTransaction { transaction in
                _ = try await transaction.first(FindSettledTime())
                return (try await page("cash-outs", noura, nil), try await page("markets/assef/cash-outs", admin, nil))
            }
            // One that is open may still bring an earlier one.
            #expect(early.0.next != nil && early.1.next != nil)
            for (path, person) in [("cash-outs", noura), ("markets/assef/cash-outs", admin)] {
                var (seen, cursor): ([Int], String?) = ([], nil)
                repeat {
                    let next = try await page(path, person, cursor)
                    (seen, cursor) = (seen + next.amounts, next.next)
                } while cursor != nil
                #expect(seen == [1_000, 1_100], "\(path)")
            }
        }
    }

    @Test("W1: cash is a commission to the provider")
    func commission() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.pay(order, salem, by: "cash")
            try await wallet.hear(order.now(.completed))
            let lines = try await wallet.get("statement", noura).items
            #expect(lines.map { $0["amount"]?.integer } == [-1_800])
            #expect(lines.map { $0["beneficiary"]?.string } == ["Assef"])
        }
    }

    @Test("W1: the beneficiary is the restaurant of a meal, and the platform of a hire and of a fine for nobody's way")
    func beneficiaries() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let restaurant = try await wallet.people.provider("Blue Door")
            try await wallet.give(36_000, to: salem)
            func beneficiaries(_ order: OrderSnapshot) async throws -> [String] {
                try await wallet.get("statement?limit=100", salem).items
                    .filter { $0["order"]?.string == order.order.text }.map { $0["beneficiary"]?.string ?? "" }
            }
            let hire = Orders.accepted(by: salem, noura).now(.pending, version: 1) {
                $0.kind = "bikePickUp"
                $0.provider = nil
            }
            try await wallet.hear(hire)
            #expect(try await wallet.pay(hire, salem, by: "wallet").status == 202)
            #expect(try await beneficiaries(hire) == ["Assef"])

            let cooked = OrderSnapshot.Share(
                party: .merchant, account: restaurant.account, name: restaurant.name, amount: 9_000)
            let meal = Orders.accepted(by: salem, noura).now(.pending, version: 1) {
                $0.provider = nil
                $0.shares = [cooked]
            }
            try await wallet.hear(meal)
            #expect(try await wallet.pay(meal, salem, by: "wallet").status == 202)
            #expect(try await beneficiaries(meal) == ["Blue Door"])
            let taken = meal.now(.accepted, version: 2) {
                $0.provider = .init(account: noura.account, name: noura.name)
                $0.shares = [cooked, .init(party: .provider, account: noura.account, name: noura.name, amount: 3_000)]
            }
            try await wallet.hear(taken)
            #expect(try await beneficiaries(meal) == ["Blue Door"])
            let carried = try await wallet.get("statement", noura).items
            #expect(carried.map { $0["beneficiary"]?.string } == ["Noura"])

            let alone = Orders.accepted(by: salem, noura).now(.cancelled, version: 6) {
                $0.provider = nil
                $0.fine = Money(amount: 700, currency: "SAR")
            }
            try await wallet.hear(alone)
            #expect(try await beneficiaries(alone) == ["Assef"])
            let late = Orders.accepted(by: salem, noura).fined(700)
            try await wallet.hear(late)
            #expect(try await beneficiaries(late) == ["Noura"])
            try await wallet.expectSound()
        }
    }

    @Test("W1: who subscribes is the payer, by the name on the card or of an order; without any the platform is")
    func subscribers() async throws {
        try await WalletFixture.run { wallet in
            let (noura, huda) = (try await wallet.people.provider(), try await wallet.people.provider("Huda"))
            let rana = try await wallet.people.provider("Rana")
            let plan = try await wallet.plan(try await wallet.admin())
            let card = try await wallet.card(noura)
            let asked = try await wallet.post(
                "markets/assef/subscription", noura,
                #"{"plan": "\#(plan)", "price": 9900, "method": "card", "card": "\#(card)", "cvvToken": "cvctok_test"}"#
            )
            #expect(asked.status == 202, "\(asked.text)")
            try await eventually("it is paid") { try await wallet.subscription(of: noura).state == .active }
            _ = try await wallet.accepted(try await wallet.people.customer(), huda)
            for person in [huda, rana] {
                try await wallet.give(9_900, to: person)
                #expect(try await wallet.subscribe(person, to: plan).status == 201)
            }
            for (person, payer) in [(noura, "S SALEM"), (huda, "Huda"), (rana, "Assef")] {
                let lines = try await wallet.get("statement?kind=subscription", person).items
                #expect(lines.map { $0["payer"]?.string } == [payer])
                #expect(lines.map { $0["beneficiary"]?.string } == ["Assef"])
            }
        }
    }

    @Test("W1: a statement is filtered, and paged in both directions without gap or repetition")
    func paging() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            var orders: [String] = []
            for _ in 0..<11 {
                let order = try await wallet.accepted(salem, noura)
                _ = try await wallet.pay(order, salem, by: "cash")
                orders.append(order.order.text)
            }
            for (sort, expected) in [("asc", orders), ("desc", orders.reversed())] {
                var seen: [String] = []
                var path = "statement?sort=\(sort)&limit=4&currency=SAR"
                while true {
                    let page = try await wallet.get(path, salem)
                    #expect(page.status == 200, "\(page.text)")
                    seen += page.items.compactMap { $0["order"]?.string }
                    guard let next = page.json["next"]?.string else { break }
                    // A cursor is for this list of this person.
                    #expect(try await wallet.get("statement?sort=\(sort)&cursor=\(next)", salem).status == 400)
                    #expect(try await wallet.get("\(path)&cursor=\(next)", noura).status == 400)
                    path = "statement?sort=\(sort)&limit=4&currency=SAR&cursor=\(next)"
                }
                #expect(seen == expected)
            }
            #expect(try await wallet.get("statement?currency=EUR", salem).items.isEmpty)
            #expect(try await wallet.get("statement?state=accepted", salem).items.isEmpty)
            for wrong in ["state=gone", "sort=up", "currency=riyal", "limit=0", "limit=101", "cursor=x"] {
                #expect(try await wallet.get("statement?\(wrong)", salem).status == 400, "\(wrong)")
            }
        }
    }
}
