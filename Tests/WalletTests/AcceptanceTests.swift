import Contracts
import Foundation
import HTTPTypes
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("When an order can be paid", .timeLimit(.minutes(15)))
struct AcceptanceTests {
    @Test("P12: an order that was only requested answers a payment with its state, and is paid once it is accepted")
    func requested() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = Orders.accepted(by: salem, noura)
            let path = "orders/\(order.order.text)/payment"
            #expect(try await wallet.get(path, salem).status == 404)
            try await wallet.hear(order.now(.requested, version: 1))
            #expect(try await wallet.get(path, salem).json["state"]?.string == "requested")
            #expect(try await wallet.get(path, noura).status == 404)
            let key = UUID.timeOrdered().text
            let early = try await wallet.pay(order, salem, by: "cash", key: key)
            #expect(early.status == 409 && early.slug == "order-state", "\(early.text)")
            #expect(early.json["state"]?.string == "requested" && early.headers[.retryAfter] == "1")
            #expect(try await wallet.payByCard(order, salem, try await wallet.card(salem)).slug == "order-state")
            #expect(try await wallet.told(about: order.order).isEmpty)
            #expect(try await wallet.get("statement", salem).items.isEmpty)
            try await wallet.hear(order)
            #expect(try await wallet.get(path, salem).json["state"]?.string == "due")
            // The refusal was not kept: the same request now succeeds.
            #expect(try await wallet.pay(order, salem, by: "cash", key: key).status == 202)
            try await wallet.hear(order.now(.requested, version: 1))
            #expect(try await wallet.state(of: order) == .held)
            let again = try await wallet.pay(order, salem, by: "cash")
            #expect(again.slug == "payment-state" && again.json["state"]?.string == "held")
            try await wallet.expectSound()
        }
    }

    @Test("W6: a request that ends unaccepted closes its payment", arguments: ["refused", "expired", "cancelled"])
    func unaccepted(state: String) async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = Orders.accepted(by: salem, noura)
            let end = try #require(OrderSnapshot.State(rawValue: state))
            for snapshot in [order.now(.requested, version: 1), order.now(end, version: 2)] {
                for _ in 0..<2 { try await wallet.hear(snapshot) }
            }
            #expect(try await wallet.state(of: order) == .closed)
            let late = try await wallet.pay(order, salem, by: "cash")
            #expect(late.status == 409 && late.slug == "order-state" && late.json["state"]?.string == state)
            #expect(late.headers[.retryAfter] == nil)
        }
    }

    @Test("O1, O12: a payment after its window is refused, also while nobody has said that the order has expired")
    func late() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(50_000, to: salem)
            let card = try await wallet.card(salem)
            var order = Orders.accepted(by: salem, noura)
            order.deadline = Date().addingTimeInterval(-0.01)
            try await wallet.hear(order)
            for answer in [
                try await wallet.pay(order, salem, by: "wallet"), try await wallet.pay(order, salem, by: "cash"),
                try await wallet.payByCard(order, salem, card),
            ] {
                #expect(answer.status == 409 && answer.slug == "order-state", "\(answer.text)")
                #expect(answer.json["state"]?.string == "expired")
            }
            #expect(try await wallet.state(of: order) == .due)
            #expect(try await wallet.balance(salem) == 50_000)
            #expect(wallet.books.payments == 0)
            // One that was paid in time stays so.
            var quick = Orders.accepted(by: salem, noura)
            quick.deadline = Date().addingTimeInterval(1)
            try await wallet.hear(quick)
            let key = UUID.timeOrdered().text
            let paid = try await wallet.pay(quick, salem, by: "wallet", key: key)
            #expect(paid.status == 202)
            try await TestKit.eventually("its window is over") { (quick.deadline ?? Date()) < Date() }
            #expect(try await wallet.pay(quick, salem, by: "wallet", key: key).text == paid.text)
            #expect(try await wallet.state(of: quick) == .held)
            try await wallet.expectSound()
        }
    }

    @Test("P2: the commission is the one of the acceptance, not of the request")
    func commission() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(12_000, to: salem)
            let order = Orders.accepted(by: salem, noura)
            try await wallet.hear(order.now(.requested, version: 1))
            try await wallet.pool.execute(SetCommission())
            try await wallet.parts.markets.refresh()
            try await wallet.hear(order)
            _ = try await wallet.pay(order, salem, by: "wallet")
            try await wallet.hear(order.now(.completed))
            #expect(try await wallet.balance(noura) == 9_000)
            try await wallet.expectSound()
        }
    }
}

private struct SetCommission: Statement {
    static let sql: SQL =
        "INSERT INTO market_settings (market, key, value, version) VALUES ('assef', 'commissionBasisPoints', '2500', 1)"
}
