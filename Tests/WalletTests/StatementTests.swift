import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Statements", .timeLimit(.minutes(5)))
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
