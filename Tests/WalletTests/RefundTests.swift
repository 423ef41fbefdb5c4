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

@Suite("Refunds by admins, and tips", .timeLimit(.minutes(15)))
struct RefundTests {
    @Test("W8: a refund to the wallet is taken from whoever funds it, in the ledger, the statements and an event")
    func toWallet() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.people.person("Amal", "admin")
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.captured(salem, noura)
            let key = UUID.timeOrdered().text
            for _ in 0..<2 {
                let answer = try await wallet.refund(order, admin, 1_000, key: key)
                #expect(answer.status == 201 && answer.json["state"]?.string == "made", "\(answer.text)")
            }
            #expect(try await wallet.balance(salem) == 1_000)
            #expect(try await wallet.platform() == 800)
            #expect(try await wallet.refund(order, admin, 10_200, fundedBy: "provider").status == 201)
            #expect(try await wallet.balance(noura) == 0)
            // The provider has nothing any more, and may owe it only if the admin says so.
            let short = try await wallet.refund(order, admin, 100, fundedBy: "provider")
            #expect(short.status == 409 && short.slug == "refund-not-covered", "\(short.text)")
            let owed = try await wallet.refund(order, admin, 100, fundedBy: "provider", more: #", "mayOwe": true"#)
            #expect(owed.status == 201)
            #expect(try await wallet.balance(noura) == -100)
            let above = try await wallet.refund(order, admin, 701)
            #expect(above.status == 409 && above.slug == "refund-above-captured", "\(above.text)")
            #expect(above.json["left"]?.integer == 700)
            #expect(try await wallet.refund(order, admin, 700).status == 201)
            // The 100 that the provider owes wait.
            #expect(try await wallet.balance(salem) == 11_900)
            #expect(try await wallet.lines(salem).filter { $0.hasPrefix("refund") }.count == 4)
            #expect(try await wallet.lines(noura).filter { $0 == "refund -10200 accepted" }.count == 1)
            let told = try await wallet.told(about: order.order)
            #expect(told.count { $0 == "refunded" } == 4, "\(told)")
            let seen = try await wallet.get("orders/\(order.order.text)/refunds", salem)
            #expect(seen.items.count == 4 && !seen.text.contains("fundedBy"), "\(seen.text)")
            #expect(try await wallet.get("orders/\(order.order.text)/refunds", admin).text.contains("Late"))
            try await wallet.expectSound()
        }
    }

    @Test("W8: what was not captured, by whom it was not paid, and in what was not paid, cannot be given back")
    func refused() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.people.person("Amal", "admin")
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.held(salem, noura)
            let early = try await wallet.refund(order, admin, 1)
            #expect(early.status == 409 && early.slug == "payment-state" && early.json["state"]?.string == "held")
            try await wallet.hear(order.now(.completed))
            #expect(try await wallet.refund(order, admin, 1, to: "card").codes == ["/to": "not-paid-by-card"])
            #expect(
                try await wallet.refund(order, admin, 1, fundedBy: "merchant").codes == ["/funder": "no-such-funder"])
            let wrong = try await wallet.post("orders/\(order.order.text)/refunds", admin, #"{"amount": 0}"#)
            #expect(wrong.status == 422)
            #expect(
                wrong.codes == [
                    "/amount": "out-of-range", "/to": "required", "/fundedBy": "required", "/reason": "required",
                ])
            #expect(try await wallet.balance(salem) == 0)
            #expect(try await wallet.refund(order, admin, 1, key: nil).status == 400)
            try await wallet.expectSound()
        }
    }

    @Test("W8: a refund to the card is asked until it is known; the ledger keeps it apart meanwhile")
    func toCard() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.people.person("Amal", "admin")
            let order = try await wallet.captured(salem, noura, by: "card")
            wallet.setProviderDown(true)
            let answer = try await wallet.refund(order, admin, 5_000, to: "card", fundedBy: "provider")
            #expect(answer.status == 201 && answer.json["state"]?.string == "asked", "\(answer.text)")
            #expect(try await wallet.balance(noura) == 5_200)
            #expect(try await wallet.lines(salem).contains("refund 5000 waiting"))
            try await wallet.expectSound()
            wallet.setProviderDown(false)
            try await TestKit.eventually("the card has it") { wallet.books.refunded == 5_000 }
            try await TestKit.eventually("it is made") {
                try await wallet.lines(salem).contains("refund 5000 accepted")
            }
            #expect(try await wallet.refund(order, admin, 7_000, to: "card").status == 201)
            try await TestKit.eventually("the card has all") { wallet.books.refunded == 12_000 }
            #expect(try await wallet.refund(order, admin, 1).slug == "refund-above-captured")
            try await TestKit.eventually("both are made") {
                let refunds = try await wallet.pool.query(ListRefunds(order: order.order))
                return refunds.allSatisfy { $0.state == .made }
            }
            try await wallet.expectSound()
        }
    }

    @Test("W8: of refunds at once no more goes back than was captured, to card and wallet together")
    func atOnce() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.people.person("Amal", "admin")
            let order = try await wallet.captured(salem, noura, by: "card")
            let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
                for index in 0..<20 {
                    let to = index % 2 == 0 ? "card" : "wallet"
                    tasks.addTask { try await wallet.refund(order, admin, 1_700, to: to).status }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 201 } == 7 && statuses.count { $0 == 409 } == 13, "\(statuses)")
            let refunds = try await wallet.pool.query(ListRefunds(order: order.order))
            #expect(refunds.map(\.amount).reduce(0, +) == 11_900)
            try await TestKit.eventually("all are made") {
                try await wallet.pool.query(ListRefunds(order: order.order)).allSatisfy { $0.state == .made }
            }
            try await wallet.expectSound()
        }
    }

    @Test(
        "X11: a completed order is tipped once, from the wallet, all of it the provider's, and only admins give it back"
    )
    func tips() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.people.person("Amal", "admin")
            try await wallet.give(13_500, to: salem)
            let order = try await wallet.held(salem, noura)
            #expect(try await tip(wallet, order, salem, 1_000).slug == "payment-state")
            try await wallet.hear(order.now(.completed))
            #expect(try await tip(wallet, order, salem, 99).codes == ["/amount": "out-of-range"])
            #expect(try await tip(wallet, order, salem, 1_501).slug == "insufficient-funds")
            let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
                for _ in 0..<8 { tasks.addTask { try await tip(wallet, order, salem, 1_000).status } }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [201] + Array(repeating: 409, count: 7))
            #expect(try await tip(wallet, order, salem, 100).slug == "tip-given")
            #expect(try await wallet.balance(noura) == 11_200)
            #expect(try await wallet.balance(salem) == 500)
            #expect(try await wallet.lines(noura).contains("tip 1000 accepted"))
            #expect(try await wallet.told(about: order.order).last == "given")
            #expect(try await wallet.refund(order, admin, 13_001).slug == "refund-above-captured")
            #expect(
                try await wallet.refund(order, admin, 13_000, fundedBy: "provider", more: #", "mayOwe": true"#).status
                    == 201)
            // What the provider has; the rest waits.
            #expect(try await wallet.balance(salem) == 11_700)
            try await wallet.expectSound()
        }
    }

    @Test("Q7: only admins of the order's market refund, only its customer tips; to all others there is no such order")
    func wrongPeople() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(20_000, to: salem)
            let order = try await wallet.captured(salem, noura)
            let others = [
                try await wallet.people.customer("Huda"), noura,
                try await wallet.people.person("Badr", "admin", in: "btnc"),
            ]
            #expect(try await wallet.refund(order, nil, 1).status == 401)
            #expect(try await tip(wallet, order, nil, 1_000).status == 401)
            #expect(try await wallet.get("orders/\(order.order.text)/refunds", nil).status == 401)
            for person in others + [salem] {
                #expect(try await wallet.refund(order, person, 1).status == 404)
            }
            for person in others {
                #expect(try await tip(wallet, order, person, 1_000).status == 404)
                #expect(try await wallet.get("orders/\(order.order.text)/refunds", person).status == 404)
            }
            let unknown = Orders.accepted(by: salem, noura)
            #expect(try await wallet.refund(unknown, try await wallet.people.master(), 1).status == 404)
            #expect(try await wallet.refund(order, try await wallet.people.master(), 1).status == 201)
        }
    }

    private func tip(
        _ wallet: WalletFixture, _ order: OrderSnapshot, _ person: Person?, _ amount: Int
    ) async throws -> Answer {
        try await wallet.post("orders/\(order.order.text)/tip", person, #"{"amount": \#(amount)}"#)
    }
}
