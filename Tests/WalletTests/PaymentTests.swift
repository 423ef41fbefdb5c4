import Contracts
import Foundation
import HTTPTypes
import Messaging
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Payments of orders", .timeLimit(.minutes(15)))
struct PaymentTests {
    @Test("W6: an order paid by wallet is held at once and divided when it is completed")
    func wallet() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(20_000, to: salem)
            let order = try await wallet.accepted(salem, noura)
            let answer = try await wallet.pay(order, salem, by: "wallet")
            #expect(answer.status == 202 && answer.json["state"]?.string == "held", "\(answer.text)")
            #expect(try await wallet.balance(salem) == 8_000)
            let wallets = try await wallet.get("wallets", salem)
            #expect(wallets.items.first?["held"]?.integer == 12_000)
            try await wallet.expectSound()
            for _ in 0..<2 { try await wallet.hear(order.now(.completed)) }
            #expect(try await wallet.balance(noura) == 10_200)
            #expect(try await wallet.get("wallets", salem).items.first?["held"]?.integer == 0)
            #expect(try await wallet.told(about: order.order) == ["held", "captured"])
            try await wallet.expectSound()
        }
    }

    @Test("W2: a wallet that holds too little is not touched, and the order can be paid otherwise")
    func insufficient() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(11_999, to: salem)
            let order = try await wallet.accepted(salem, noura)
            let answer = try await wallet.pay(order, salem, by: "wallet")
            #expect(answer.status == 409 && answer.slug == "insufficient-funds", "\(answer.text)")
            #expect(try await wallet.balance(salem) == 11_999)
            #expect(try await wallet.state(of: order) == .due)
            #expect(try await wallet.pay(order, salem, by: "cash").status == 202)
            try await wallet.expectSound()
        }
    }

    @Test("W2: with cash the commission is taken from the provider's wallet, below zero if need be")
    func cash() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            #expect(try await wallet.pay(order, salem, by: "cash").json["state"]?.string == "held")
            try await wallet.expectSound()
            try await wallet.hear(order.now(.completed))
            #expect(try await wallet.balance(noura) == -1_800)
            #expect(try await wallet.told(about: order.order) == ["held", "captured"])
            try await wallet.expectSound()
            // What is owed is paid before there is anything to spend.
            try await wallet.give(1_000, to: noura)
            let own = try await wallet.accepted(noura, salem, amount: 100)
            #expect(try await wallet.pay(own, noura, by: "wallet").slug == "insufficient-funds")
        }
    }

    @Test("W2: a card is authorised, then captured when the order is completed, and only then divided")
    func card() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            let answer = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            #expect(answer.status == 202 && answer.json["state"]?.string == "authorising", "\(answer.text)")
            try await wallet.eventually(order, is: .held)
            #expect(wallet.books.held == 12_000 && wallet.books.captured == 0)
            #expect(try await wallet.get("wallets", salem).items.first?["held"]?.integer == 12_000)
            try await wallet.expectSound()
            for _ in 0..<2 { try await wallet.hear(order.now(.completed)) }
            try await wallet.eventually(order, is: .captured)
            #expect(wallet.books.captured == 12_000 && wallet.books.held == 0)
            #expect(try await wallet.balance(noura) == 10_200)
            #expect(try await wallet.told(about: order.order) == ["held", "captured"])
            try await wallet.expectSound()
        }
    }

    @Test("W6: an order that ends without being done gives back what was held", arguments: ["card", "wallet", "cash"])
    func released(method: String) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.accepted(salem, noura)
            if method == "card" {
                _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            } else {
                _ = try await wallet.pay(order, salem, by: method)
            }
            try await wallet.eventually(order, is: .held)
            for _ in 0..<2 { try await wallet.hear(order.now(.cancelled)) }
            try await wallet.eventually(order, is: .released)
            #expect(try await wallet.balance(salem) == 12_000)
            #expect(wallet.books.held == 0 && wallet.books.captured == 0)
            #expect(try await wallet.told(about: order.order) == ["held", "released"])
            // Dispatch would not say so; the ledger must not care.
            try await wallet.hear(order.now(.completed, version: 9))
            #expect(try await wallet.state(of: order) == .released)
            #expect(try await wallet.balance(noura) == 0)
            try await wallet.expectSound()
        }
    }

    @Test("W6: what was captured is not given back")
    func releaseAfterCapture() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.pay(order, salem, by: "wallet")
            try await wallet.hear(order.now(.completed))
            try await wallet.hear(order.now(.cancelled, version: 9))
            #expect(try await wallet.state(of: order) == .captured)
            #expect(try await wallet.balance(salem) == 0)
            try await wallet.expectSound()
        }
    }

    @Test(
        "W2: a card that is refused leaves the order waiting, with the reason, and another card pays it",
        arguments: [
            ("4000000000000002", "card-declined"), ("4000000000009995", "insufficient-funds"),
            ("4000000000000069", "card-expired"), ("4000000000000127", "card-declined"),
            ("4000000000000119", "provider-down"), ("4000000000006660", "provider-down"),
        ])
    func refused(number: String, reason: String) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem, number))
            try await TestKit.eventually("the refusal is told") {
                try await wallet.told(about: order.order) == ["refused"]
            }
            let view = try await wallet.get("orders/\(order.order.text)/payment", salem)
            #expect(view.json["state"]?.string == "due")
            #expect(view.json["refusal"]?.string == reason)
            let rejected = try await wallet.get("statement?state=rejected", salem)
            #expect(rejected.items.map { $0["reason"]?.string } == [reason])
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            try await wallet.eventually(order, is: .held)
            #expect(wallet.books.held == 12_000 && wallet.books.payments == 1)
            try await wallet.expectSound()
        }
    }

    @Test("W6: an answer of the payment provider that is lost is asked for again and charges once")
    func lostAnswer() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem, "4000000000007775"))
            try await wallet.eventually(order, is: .held)
            #expect(wallet.books.payments == 1 && wallet.books.held == 12_000)
            #expect(try await wallet.told(about: order.order) == ["held"])
            try await wallet.expectSound()
        }
    }

    @Test("W6: while the payment provider is away nothing is lost: the capture happens when it is back")
    func providerAway() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            try await wallet.eventually(order, is: .held)
            wallet.setProviderDown(true)
            try await wallet.hear(order.now(.completed))
            try await TestKit.eventually("the capture was tried") { wallet.logs.text.contains("answer is not known") }
            #expect(try await wallet.state(of: order) == .capturing)
            #expect(try await wallet.balance(noura) == 0)
            try await wallet.expectSound()
            wallet.setProviderDown(false)
            try await wallet.eventually(order, is: .captured)
            #expect(wallet.books.captured == 12_000)
            try await wallet.expectSound()
        }
    }

    @Test("W6: an authorisation that nobody answers is given up, and undone when it turns out to have happened")
    func givenUp() async throws {
        try await WalletFixture.run(tries: 1) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            // Authorised, the answer lost, and after one try the customer may do something else.
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem, "4000000000007775"))
            try await wallet.eventually(order, is: .due)
            #expect(try await wallet.told(about: order.order) == ["refused"])
            #expect(try await wallet.pay(order, salem, by: "cash").status == 202)
            try await TestKit.eventually("the authorisation is undone") {
                wallet.books.payments == 1 && wallet.books.held == 0
            }
            #expect(try await wallet.state(of: order) == .held)
            try await wallet.expectSound()
        }
    }

    @Test("W6: events that come late, early or twice end where they would have in order")
    func reordered() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(50_000, to: salem)
            // Its end is heard before its acceptance.
            let ended = Orders.accepted(by: salem, noura)
            for order in [ended.now(.expired, version: 3), ended, ended.now(.expired, version: 3), ended] {
                try await wallet.hear(order)
            }
            let late = try await wallet.pay(ended, salem, by: "wallet")
            #expect(late.status == 409 && late.json["state"]?.string == "expired", "\(late.text)")
            // Completed is heard before accepted: nothing was held, nothing is divided.
            let done = Orders.accepted(by: salem, noura)
            for order in [done.now(.completed), done, done.now(.completed)] { try await wallet.hear(order) }
            #expect(try await wallet.state(of: done) == .closed)
            // Held, then acceptance again, then the end twice.
            let twice = try await wallet.accepted(salem, noura)
            _ = try await wallet.pay(twice, salem, by: "wallet")
            for order in [twice, twice.now(.completed), twice, twice.now(.completed)] { try await wallet.hear(order) }
            #expect(try await wallet.state(of: twice) == .captured)
            #expect(try await wallet.balance(salem) == 38_000)
            #expect(try await wallet.balance(noura) == 10_200)
            #expect(try await wallet.told(about: ended.order).isEmpty)
            try await wallet.expectSound()
        }
    }

    @Test("W6: an order paid twice is paid once: the same key is answered again, another is refused")
    func paidTwice() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(50_000, to: salem)
            let byWallet = try await wallet.accepted(salem, noura)
            let key = UUID.timeOrdered().text
            let answers = [
                try await wallet.pay(byWallet, salem, by: "wallet", key: key),
                try await wallet.pay(byWallet, salem, by: "wallet", key: key),
            ]
            #expect(answers[0].text == answers[1].text && answers[1].status == 202)
            let again = try await wallet.pay(byWallet, salem, by: "cash")
            #expect(again.status == 409 && again.json["state"]?.string == "held")
            #expect(try await wallet.balance(salem) == 38_000)

            let byCard = try await wallet.accepted(salem, noura)
            let card = try await wallet.card(salem)
            let cardKey = UUID.timeOrdered().text
            let first = try await wallet.payByCard(byCard, salem, card, key: cardKey)
            try await wallet.eventually(byCard, is: .held)
            wallet.setProviderDown(true)
            // Answered from what is kept, although the payment provider is away and the payment past it.
            #expect(try await wallet.payByCard(byCard, salem, card, key: cardKey).text == first.text)
            #expect(try await wallet.payByCard(byCard, salem, card).status == 409)
            wallet.setProviderDown(false)
            #expect(wallet.books.payments == 1)
            try await wallet.expectSound()
        }
    }

    @Test("W6: many workers ask about a charge once")
    func manyWorkers() async throws {
        try await WalletFixture.run(workers: 4) { wallet in
            let noura = try await wallet.people.provider()
            let orders = try await withThrowingTaskGroup(of: OrderSnapshot.self) { tasks in
                for _ in 0..<20 {
                    tasks.addTask {
                        let salem = try await wallet.people.customer()
                        let card = try await wallet.card(salem)
                        let order = try await wallet.accepted(salem, noura, amount: 100)
                        _ = try await wallet.payByCard(order, salem, card)
                        return order
                    }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            for order in orders { try await wallet.eventually(order, is: .held) }
            #expect(wallet.books.payments == 20 && wallet.books.held == 2_000)
            try await wallet.expectSound()
        }
    }
}
