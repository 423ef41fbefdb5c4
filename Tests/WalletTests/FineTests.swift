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

@Suite("Fines for late cancellations", .timeLimit(.minutes(15)))
struct FineTests {
    @Test(
        "O2: the price goes to the wallet whole, the fine is taken below zero and shared, once, however often it is heard",
        arguments: ["wallet", "cash", "card"])
    func charged(method: String) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            if method == "wallet" { try await wallet.give(12_000, to: salem) }
            let order = try await wallet.held(salem, noura, by: method)
            let start = try await wallet.balance(salem)
            let late = order.fined(1_000)
            for snapshot in [late, late, order, late] { try await wallet.hear(snapshot) }
            try await wallet.eventually(order, is: method == "card" ? .credited : .released)
            #expect(try await wallet.balance(salem) == start + (method == "cash" ? 0 : 12_000) - 1_000)
            // By card the price comes after the fine, and with cash there is none: the share waits until somebody has paid.
            if method == "card" {
                try await wallet.withDeadlines {
                    try await TestKit.eventually("the share has come", value: { try await wallet.balance(noura) }) {
                        $0 == 850
                    }
                }
            }
            #expect(try await wallet.balance(noura) == (method == "cash" ? 0 : 850))
            #expect(try await wallet.platform() == 150)
            let told = try await wallet.told(about: order.order)
            #expect(told.count { $0 == "charged" } == 1 && told.contains("released"), "\(told)")
            #expect(try await wallet.lines(salem).contains("fine -1000 accepted"))
            #expect(try await wallet.lines(noura).contains("fine 850 \(method == "cash" ? "waiting" : "accepted")"))
            if method == "card" {
                #expect(wallet.books == Books(held: 0, captured: 12_000, cancelled: 0, refunded: 0, payments: 1))
                let lines = try await wallet.lines(salem)
                #expect(
                    lines.contains("payment -12000 accepted") && lines.contains("refund 12000 accepted"), "\(lines)")
                #expect(try await wallet.lines(noura).contains("share 10200 rejected"))
                #expect(try await wallet.outbox("wallet.payment.released.v1").allSatisfy { $0.contains("toWallet") })
            }
            try await wallet.expectSound()
        }
    }

    @Test(
        "O2: one that was captured early goes to the wallet at once; one that the payment provider let go is lost, and the fine stays"
    )
    func otherwise() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let card = try await wallet.card(salem)
            for (verb, state, balance) in [("capture", PaymentState.credited, 11_000), ("cancel", .released, 10_000)] {
                let order = try await wallet.accepted(salem, noura)
                _ = try await wallet.payByCard(order, salem, card)
                try await wallet.working { try await wallet.eventually(order, is: .held) }
                let charge = try await wallet.charge(of: order)
                try await wallet.outside(verb, charge)
                if verb == "capture" {
                    let event = WalletFixture.event(
                        "succeeded", status: "succeeded", charge: charge.id, reference: charge.reference ?? "",
                        amount: 12_000)
                    #expect(try await wallet.webhook(event).status == 200)
                }
                for _ in 0..<2 { try await wallet.hear(order.fined(1_000)) }
                try await wallet.working { try await wallet.eventually(order, is: state) }
                #expect(try await wallet.balance(salem) == balance)
                let view = try await wallet.get("orders/\(order.order.text)/payment", salem)
                #expect(view.json["state"]?.string == "released", "\(view.text)")
                try await wallet.expectSound()
            }
        }
    }

    @Test("O2: a discount of a price that goes to the wallet goes back to the platform; a report's end without it, too")
    func discounted() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            _ = try await wallet.promoCode(admin, #""amount": 2000, "startsAt": "2025-01-01T00:00:00Z""#)
            let order = try await wallet.accepted(salem, noura)
            let card = try await wallet.card(salem)
            let paid = try await wallet.post(
                "orders/\(order.order.text)/payment", salem,
                #"{"method": "card", "card": "\#(card)", "cvvToken": "cvctok_test", "promoCode": "SPRING"}"#)
            #expect(paid.status == 202, "\(paid.text)")
            try await wallet.eventually(order, is: .held)
            try await wallet.hear(order.now(.disputed, version: 4))
            try await wallet.eventually(order, is: .frozen)
            try await wallet.hear(order.fined(1_000))
            try await wallet.eventually(order, is: .credited)
            #expect(try await wallet.balance(salem) == 9_000)
            #expect(try await wallet.sum(.promotion) == 0)
            try await wallet.expectSound()
        }
    }

    @Test("O2: a fine of an order that is only heard of when it is cancelled is charged, ten times at once as well")
    func firstHeard() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let late = Orders.accepted(by: salem, noura).fined(700)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<10 { tasks.addTask { try await wallet.hear(late) } }
                try await tasks.waitForAll()
            }
            #expect(try await wallet.balance(salem) == -700)
            #expect(try await wallet.told(about: late.order) == ["charged"])
            try await wallet.expectSound()
        }
    }

    @Test("O2, W8: an admin gives a fine back to the wallet, by whoever got it, once in all; it then blocks nobody")
    func givenBack() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (amal, badr) = (
                try await wallet.people.person("Amal", "admin"), try await wallet.people.person("Badr", "admin")
            )
            let order = Orders.accepted(by: salem, noura)
            try await wallet.hear(order.fined(1_000))
            try await wallet.withDeadlines {
                try await wallet.age(salem, days: 31)
                try await TestKit.eventually("it blocks") {
                    try await wallet.pool.first(FindBlock(account: salem.account, market: "assef")) != nil
                }
                #expect(try await wallet.refund(order, amal, 1_001).slug == "refund-above-captured")
                #expect(
                    try await wallet.refund(order, amal, 500, to: "card").codes == ["/to": "not-paid-by-card"])
                #expect(try await wallet.refund(order, salem, 500).status == 404)
                #expect(try await wallet.refund(order, amal, 850, fundedBy: "provider").status == 201)
                #expect(try await wallet.refund(order, badr, 150).status == 201)
                #expect(try await wallet.refund(order, badr, 1).slug == "refund-above-captured")
                #expect(try await wallet.balance(salem) == 0)
                #expect(try await wallet.balance(noura) == 0)
                #expect(try await wallet.platform() == 0)
                try await TestKit.eventually("it blocks no more") {
                    try await wallet.pool.first(FindBlock(account: salem.account, market: "assef")) == nil
                }
                try await wallet.age(salem, days: 60)
                try await TestKit.eventually("nothing more is due") {
                    try await wallet.pool.query(FineDeadlines(account: salem.account.text)).isEmpty
                }
            }
            #expect(try await wallet.outbox("wallet.payment.refunded.v1").count == 2)
            try await wallet.expectSound()
        }
    }

    @Test(
        "O2, W8: who got a part of a fine does not give it back as an admin, and of a price that was paid nothing more is"
    )
    func notGivenBack() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let (amal, badr) = (
                try await wallet.people.person("Amal", "admin"), try await wallet.people.person("Badr", "admin")
            )
            let order = try await wallet.held(salem, amal, by: "card")
            try await wallet.hear(order.fined(1_000))
            try await wallet.eventually(order, is: .credited)
            let own = try await wallet.refund(order, amal, 500)
            #expect(own.status == 403 && own.slug == "own-matter", "\(own.text)")
            let merchant = try await wallet.refund(order, badr, 500, fundedBy: "merchant")
            #expect(merchant.codes == ["/funder": "no-such-funder"], "\(merchant.text)")
            // The price is in the wallet already.
            #expect(try await wallet.refund(order, badr, 12_000).json["left"]?.integer == 1_000)
            let more = #", "mayOwe": true"#
            #expect(try await wallet.refund(order, badr, 1_000, fundedBy: "provider", more: more).status == 201)
            // What the provider owes waits for the customer.
            #expect(try await wallet.balance(salem) == 11_850)
            #expect(try await wallet.balance(amal) == -150)
            try await wallet.expectSound()
        }
    }

    @Test("O2, N7, I11: unpaid it is reminded of daily, blocks after a month, and the next top-up ends both at once")
    func lifeOfAFine() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let card = try await wallet.card(salem)
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
            try await wallet.withDeadlines {
                try await wallet.age(salem, days: 1)
                try await told(wallet, salem, ["reminder"])
                try await wallet.age(salem, days: 1)
                try await told(wallet, salem, ["reminder", "reminder"])
                let open = try await wallet.accepted(salem, noura)
                #expect(try await wallet.pay(open, salem, by: "cash").status == 202)
                try await wallet.age(salem, days: 28)
                try await told(wallet, salem, ["reminder", "reminder", "blocked", "reminder"])
                // Blocked: sees and tops up, but pays nothing new.
                let next = try await wallet.accepted(salem, noura, amount: 900)
                let refused = try await wallet.pay(next, salem, by: "cash")
                #expect(refused.status == 403 && refused.slug == "account-blocked", "\(refused.text)")
                #expect(refused.json["owed"]?.integer == 1_000)
                #expect(try await wallet.payByCard(next, salem, card).slug == "account-blocked")
                #expect(try await wallet.get("statement", salem).status == 200)
                // A part does not do.
                try await wallet.give(999, to: salem)
                #expect(try await wallet.pay(next, salem, by: "cash").status == 403)
                let body = #"{"market": "assef", "amount": 1000, "card": "\#(card)", "cvvToken": "cvctok_test"}"#
                #expect(try await wallet.post("topups", salem, body).status == 202)
                try await TestKit.eventually("it is paid", value: { try await wallet.balance(salem) }) { $0 == 999 }
                #expect(try await wallet.pay(next, salem, by: "cash").status == 202)
                try await told(wallet, salem, ["reminder", "reminder", "blocked", "reminder", "unblocked"])
                try await wallet.age(salem, days: 60)
                try await TestKit.eventually("nothing more is due") {
                    try await wallet.pool.query(FineDeadlines(account: salem.account.text)).isEmpty
                }
                try await told(wallet, salem, ["reminder", "reminder", "blocked", "reminder", "unblocked"])
            }
            #expect(try await StuckCheck.over(.seconds(1), wallet.pool).items.isEmpty)
            try await wallet.expectSound()
        }
    }

    @Test("O2: one who has the money is neither reminded nor blocked")
    func covered() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(1_000, to: salem)
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
            try await wallet.withDeadlines {
                try await TestKit.eventually("it counts as paid") {
                    try await wallet.pool.query(FineDeadlines(account: salem.account.text)).isEmpty
                }
            }
            #expect(
                try await wallet.pool.withTransaction { transaction in
                    try await transaction.query(LockFines(account: salem.account, currency: "SAR")).isEmpty
                })
            #expect(try await wallet.told(about: salem.account).isEmpty)
        }
    }

    @Test("O2: of two orders' fines each is charged once, and one credit pays both")
    func twoFines() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let orders = [Orders.accepted(by: salem, noura), Orders.accepted(by: salem, noura)]
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for order in orders + orders { tasks.addTask { try await wallet.hear(order.fined(500)) } }
                try await tasks.waitForAll()
            }
            #expect(try await wallet.balance(salem) == -1_000)
            try await wallet.withDeadlines {
                try await wallet.age(salem, days: 31)
                try await told(wallet, salem, ["blocked", "reminder"])
                try await wallet.give(1_000, to: salem)
                try await told(wallet, salem, ["blocked", "reminder", "unblocked"])
            }
            try await wallet.expectSound()
        }
    }

    @Test("O2: of a top-up and the end of the month at once none is lost: whoever has paid is not blocked, 16 times")
    func race() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            try await wallet.withDeadlines {
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for _ in 0..<16 {
                        let salem = try await wallet.people.customer()
                        tasks.addTask {
                            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
                            async let aged: Void = wallet.age(salem, days: 31)
                            try await wallet.give(1_000, to: salem)
                            try await aged
                            try await TestKit.eventually("the fine is paid") {
                                try await wallet.pool.withTransaction { transaction in
                                    try await transaction.query(LockFines(account: salem.account, currency: "SAR"))
                                        .isEmpty
                                }
                            }
                            let told = try await wallet.told(about: salem.account).filter { $0 != "reminder" }
                            #expect(told.isEmpty || told == ["blocked", "unblocked"], "\(told)")
                            let next = try await wallet.accepted(salem, noura)
                            #expect(try await wallet.pay(next, salem, by: "cash").status == 202)
                        }
                    }
                    try await tasks.waitForAll()
                }
            }
            try await wallet.expectSound()
        }
    }

    private func told(_ wallet: WalletFixture, _ person: Person, _ wanted: [String]) async throws {
        // That the account has a card is told about it, too.
        try await TestKit.eventually(
            "\(wanted) were told",
            value: { try await wallet.told(about: person.account).filter { $0 != "changed" }.sorted() }
        ) { $0 == wanted.sorted() }
    }
}

/// The deadlines about somebody's fines that are due within a year.
private struct FineDeadlines: Statement {
    static let sql: SQL = "SELECT kind FROM deadlines WHERE subject LIKE $1 || ' %'"
    let account: String
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
