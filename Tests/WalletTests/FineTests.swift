import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Fines for late cancellations", .timeLimit(.minutes(5)))
struct FineTests {
    @Test(
        "O2: the price goes back whole, the fine is taken below zero and shared, once, however often it is heard",
        arguments: ["wallet", "cash", "card"])
    func charged(method: String) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            if method == "wallet" { try await wallet.give(12_000, to: salem) }
            let order = try await wallet.held(salem, noura, by: method)
            let start = try await wallet.balance(salem)
            let late = order.fined(1_000)
            for snapshot in [late, late, order, late] { try await wallet.hear(snapshot) }
            try await wallet.eventually(order, is: .released)
            #expect(try await wallet.balance(salem) == start + (method == "wallet" ? 12_000 : 0) - 1_000)
            #expect(try await wallet.balance(noura) == 850)
            #expect(try await wallet.platform() == 150)
            let told = try await wallet.told(about: order.order)
            #expect(told.count { $0 == "charged" } == 1 && told.contains("released"), "\(told)")
            #expect(try await wallet.lines(salem).contains("fine -1000 accepted"))
            #expect(try await wallet.lines(noura).contains("fine 850 accepted"))
            if method == "card" { #expect(wallet.books.cancelled == 12_000) }
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
                let body = #"{"market": "assef", "amount": 1000, "card": "\#(card)", "cvv": "737"}"#
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

    @Test("O2: of a top-up and the end of the month at once none is lost: whoever has paid is not blocked, 40 times")
    func race() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            try await wallet.withDeadlines {
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for _ in 0..<40 {
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
        try await TestKit.eventually(
            "\(wanted) were told", value: { try await wallet.told(about: person.account).sorted() }
        ) { $0 == wanted.sorted() }
    }
}

/// The deadlines about somebody's fines that are due within a year.
private struct FineDeadlines: Statement {
    static let sql: StaticString = "SELECT kind FROM deadlines WHERE subject LIKE $1 || ' %'"
    let account: String
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
