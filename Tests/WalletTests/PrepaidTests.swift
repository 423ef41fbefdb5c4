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

@Suite("Orders that are paid first, by several, or cost less", .timeLimit(.minutes(15)))
struct PrepaidTests {
    private func pending(_ customer: Person, _ provider: Person, amount: Int = 12_000) -> OrderSnapshot {
        Orders.accepted(by: customer, provider, amount: amount).now(.pending, version: 1) { $0.provider = nil }
    }

    @Test("P3, O8: an order is paid before anybody has taken it; who takes it last is paid, at the price that was held")
    func paidFirst() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let huda = try await wallet.people.provider("Huda")
            try await wallet.give(12_000, to: salem)
            let order = pending(salem, noura)
            try await wallet.hear(order)
            #expect(try await wallet.pay(order, salem, by: "wallet").status == 202)
            try await wallet.hear(order.now(.requested, version: 2))
            func accepted(_ person: Person, _ version: Int) -> OrderSnapshot {
                order.now(.accepted, version: version) {
                    $0.provider = .init(account: person.account, name: person.name)
                    $0.total.amount = 99_000
                }
            }
            try await wallet.hear(accepted(noura, 3))
            #expect(try await wallet.lines(noura) == ["share 10200 waiting"])
            // She cancels, and somebody else is found; the news of it comes late.
            try await wallet.hear(accepted(huda, 5))
            try await wallet.hear(order.now(.requested, version: 4))
            #expect(try await wallet.lines(noura) == ["share 10200 rejected"])
            try await wallet.hear(
                order.now(.completed, version: 6) { $0.provider = .init(account: huda.account, name: huda.name) })
            #expect(try await wallet.balance(huda) == 10_200)
            #expect(try await wallet.balance(noura) == 0)
            #expect(try await wallet.told(about: order.order) == ["held", "captured"])
            try await wallet.expectSound()
        }
    }

    @Test(
        "C6, C7: a hire is the platform's own: it gets what the time costs, and the rest goes back",
        arguments: ["wallet", "card"])
    func hire(method: String) async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let noura = try await wallet.people.provider()
            try await wallet.give(3_700, to: salem)
            let order = pending(salem, noura, amount: 3_700)
            func now(_ state: OrderSnapshot.State, _ version: Int, total: Int = 3_700) -> OrderSnapshot {
                order.now(state, version: version) {
                    $0.kind = "bikePickUp"
                    $0.provider = nil
                    $0.total.amount = total
                }
            }
            try await wallet.hear(now(.pending, 1))
            if method == "wallet" {
                #expect(try await wallet.pay(order, salem, by: "wallet").status == 202)
            } else {
                #expect(try await wallet.payByCard(order, salem, try await wallet.card(salem)).status == 202)
            }
            try await eventually("it is held") { try await wallet.told(about: order.order) == ["held"] }
            try await wallet.hear(now(.accepted, 2))
            try await wallet.hear(now(.inProgress, 3))
            try await wallet.hear(now(.completed, 4, total: 550))
            try await eventually("it is paid") { try await wallet.told(about: order.order).last == "captured" }
            #expect(try await wallet.state(of: order) == .captured)
            #expect(try await wallet.sum(.platform) == 550)
            if method == "wallet" {
                #expect(try await wallet.balance(salem) == 3_150)
            } else {
                #expect(try await wallet.balance(salem) == 3_700)
                try await eventually("the rest is on the card") { wallet.books.refunded == 3_150 }
            }
            try await wallet.expectSound()
        }
    }

    @Test("C6: nobody takes cash for a hire; where it was promised all the same, its end lets the promise go")
    func cashForHire() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            let noura = try await wallet.people.provider()
            let order = pending(salem, noura, amount: 3_700)
            try await wallet.hear(order)
            #expect(try await wallet.pay(order, salem, by: "cash").status == 202)
            try await wallet.hear(
                order.now(.completed, version: 3) {
                    $0.kind = "bikePickUp"
                    $0.provider = nil
                })
            #expect(try await wallet.state(of: order) == .released)
            #expect(try await wallet.lines(salem) == ["payment -3700 rejected"])
            try await wallet.expectSound()
        }
        #expect(Market.named("btnc")?.takesCash == false && Market.named("assef")?.takesCash == true)
    }

    @Test("O8: an order that is done and costs nothing is no lost authorisation, and its statement says so")
    func doneForNothing() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.accepted(salem, noura)
            #expect(try await wallet.pay(order, salem, by: "wallet").status == 202)
            try await wallet.hear(order.now(.completed, version: 3) { $0.total.amount = 0 })
            #expect(try await wallet.state(of: order) == .released)
            let line = try await wallet.get("statement?kind=payment", salem).items.first
            #expect(line?["reason"]?.string == "order-cost-nothing", "\(String(describing: line))")
            #expect(try await wallet.balance(salem) == 12_000)
        }
    }

    @Test(
        "O11, P3: what is paid first and costs nothing is paid as soon as it is heard of, and needs no word of the customer"
    )
    func nothing() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = pending(salem, noura, amount: 0)
            try await wallet.hear(order)
            #expect(try await wallet.told(about: order.order) == ["held"])
            try await wallet.hear(order)
            #expect(try await wallet.told(about: order.order) == ["held"])
            try await wallet.hear(order.now(.expired, version: 2))
            #expect(try await wallet.state(of: order) == .released)
            try await wallet.expectSound()
        }
    }

    @Test(
        "P3: nobody found, refused or cancelled: what was paid first goes back",
        arguments: ["expired", "refused", "cancelled"])
    func nobody(end: String) async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(12_000, to: salem)
            let order = pending(salem, noura)
            try await wallet.hear(order)
            #expect(try await wallet.pay(order, salem, by: "wallet").status == 202)
            try await wallet.hear(order.now(try #require(OrderSnapshot.State(rawValue: end)), version: 3))
            try await wallet.hear(order.now(.requested, version: 2))
            #expect(try await wallet.balance(salem) == 12_000)
            #expect(try await wallet.state(of: order) == .released)
            try await wallet.expectSound()
        }
    }

    @Test(
        "C7: what an order costs less than was held goes back, and never more is taken", arguments: ["wallet", "card"])
    func lowerTotal(method: String) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(24_000, to: salem)
            let order = try await wallet.held(salem, noura, by: method)
            for _ in 0..<2 { try await wallet.hear(order.now(.completed, version: 6) { $0.total.amount = 9_000 }) }
            try await wallet.eventually(order, is: .captured)
            #expect(try await wallet.balance(noura) == 7_650)
            #expect(try await wallet.lines(salem).last == "payment -9000 accepted")
            if method == "card" {
                try await TestKit.eventually("the card has the rest") { wallet.books.refunded == 3_000 }
                #expect(try await wallet.balance(salem) == 24_000)
            } else {
                #expect(try await wallet.balance(salem) == 15_000)
            }
            let dearer = try await wallet.held(salem, noura, by: method)
            try await wallet.hear(dearer.now(.completed, version: 6) { $0.total.amount = 90_000 })
            try await wallet.eventually(dearer, is: .captured)
            #expect(try await wallet.balance(noura) == 7_650 + 10_200)
            try await TestKit.eventually("nothing is asked") {
                try await wallet.pool.query(ListRefunds(order: order.order)).allSatisfy { $0.state == .made }
            }
            try await wallet.expectSound()
        }
    }

    @Test("O9: restaurant, driver and platform are paid out of one price, and a refund by the restaurant comes from it")
    func threeParties() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, driver) = (try await wallet.people.customer(), try await wallet.people.provider("Dan"))
            let bakery = try await wallet.people.provider("Bakery")
            let admin = try await wallet.people.person("Amal", "admin")
            try await wallet.give(10_000, to: salem)
            let order = pending(salem, driver, amount: 10_000)
            try await wallet.hear(order)
            #expect(try await wallet.pay(order, salem, by: "wallet").status == 202)
            try await wallet.hear(
                order.now(.accepted, version: 3) {
                    $0.provider = .init(account: driver.account, name: driver.name)
                    $0.shares = [
                        .init(party: .merchant, account: bakery.account, name: "Bakery", amount: 7_000),
                        .init(party: .provider, account: driver.account, name: "Dan", amount: 2_500),
                    ]
                })
            #expect(try await wallet.lines(bakery) == ["share 5950 waiting"])
            try await wallet.hear(
                order.now(.completed, version: 4) { $0.provider = .init(account: driver.account, name: "Dan") })
            #expect(try await wallet.balance(bakery) == 5_950)
            #expect(try await wallet.balance(driver) == 2_125)
            #expect(try await wallet.platform() == 1_925)
            #expect(try await wallet.refund(order, admin, 2_000, fundedBy: "merchant").status == 201)
            #expect(try await wallet.balance(bakery) == 3_950)
            #expect(try await wallet.balance(salem) == 2_000)
            try await wallet.expectSound()
        }
    }

    @Test("O9: shares above the price are refused, and nothing is followed of them")
    func impossible() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = Orders.accepted(by: salem, noura).now(.accepted, version: 2) {
                $0.shares = [.init(party: .merchant, account: noura.account, name: "", amount: 12_001)]
            }
            await #expect(throws: PoisonMessage.self) { try await wallet.hear(order) }
            #expect(try await wallet.state(of: order) == nil)
        }
    }
}
