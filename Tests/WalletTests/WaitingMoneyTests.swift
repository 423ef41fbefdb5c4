import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Money that waits for its debtor", .timeLimit(.minutes(15)))
struct WaitingMoneyTests {
    /// So many rounds of each race.
    private static let rounds = 12

    private func waiting(_ wallet: WalletFixture, _ person: Person) async throws -> Int {
        try await wallet.pool.query(ListWaiting(account: person.account)).first { $0.currency == "SAR" }?.amount ?? 0
    }

    private func eventually(_ wallet: WalletFixture, _ person: Person, has balance: Int) async throws {
        try await TestKit.eventually("the balance is \(balance)", value: { try await wallet.balance(person) }) {
            $0 == balance
        }
    }

    @Test(
        "W6: a fine of an empty wallet waits for its provider, who can neither cash it out nor spend it, until it is paid"
    )
    func fine() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura, huda) = (
                try await wallet.people.customer(), try await wallet.people.provider(),
                try await wallet.people.provider("Huda")
            )
            let (first, second) = (Orders.accepted(by: salem, noura), Orders.accepted(by: salem, huda))
            for _ in 0..<2 { try await wallet.hear(first.fined(1_000)) }
            for _ in 0..<2 { try await wallet.hear(second.fined(1_000)) }
            #expect(try await wallet.balance(salem) == -2_000)
            #expect(try await wallet.balance(noura) == 0)
            #expect(try await waiting(wallet, noura) == 850)
            let mine = try await wallet.get("wallets", noura).items.first
            #expect(mine?["available"]?.integer == 0 && mine?["waiting"]?.integer == 850, "\(String(describing: mine))")
            #expect(try await wallet.cashOut(100, noura).slug == "cash-out-above-balance")
            #expect(try await wallet.lines(noura) == ["fine 850 waiting"])
            try await wallet.expectSound()
            try await wallet.withDeadlines {
                // The oldest first, a part at a time.
                try await wallet.give(500, to: salem)
                try await eventually(wallet, noura, has: 500)
                #expect(try await wallet.lines(noura) == ["fine 850 waiting"])
                #expect(try await wallet.balance(huda) == 0)
                try await wallet.give(400, to: salem)
                try await eventually(wallet, noura, has: 850)
                try await eventually(wallet, huda, has: 50)
                #expect(try await wallet.lines(noura) == ["fine 850 accepted"])
                try await wallet.give(2_000, to: salem)
                try await eventually(wallet, huda, has: 850)
            }
            #expect(try await wallet.balance(salem) == 900)
            #expect(try await wallet.platform() == 300)
            #expect(try await wallet.told(about: noura.account).contains("available"))
            try await wallet.expectSound()
        }
    }

    @Test("W6: credits pay the debts that were made before them, the oldest first, and each counts once")
    func queue() {
        let debts = [DebtQueue.Waiting(entry: 10, unpaid: 50), .init(entry: 20, unpaid: 70)]
        let credits = [DebtQueue.Credit(entry: 15, raisedBy: 80), .init(entry: 30, raisedBy: 40)]
        let all = DebtQueue(debts, hasMore: false, credits: credits, from: .init(entry: 0, part: 0))
        #expect(all.paid == [50, 40] && all.place == .init(entry: 30, part: 40) && !all.hasRest)
        #expect(DebtQueue(debts, hasMore: false, credits: credits, from: all.place).paid == [0, 0])
        let some = DebtQueue([debts[0]], hasMore: true, credits: credits, from: .init(entry: 0, part: 0))
        #expect(some.paid == [50] && some.place == .init(entry: 15, part: 50) && some.hasRest)
    }

    @Test("W6: money that waits pays no order, no tip, no subscription and no deposit")
    func unspendable() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (huda, plan) = (
                try await wallet.people.provider("Huda"), try await wallet.plan(try await wallet.admin(), price: 500)
            )
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
            #expect(try await waiting(wallet, noura) == 850)
            let order = try await wallet.accepted(noura, huda, amount: 500)
            #expect(try await wallet.pay(order, noura, by: "wallet").slug == "insufficient-funds")
            #expect(try await wallet.subscribe(noura, to: plan, price: 500).status == 409)
            let parcel = Orders.accepted(by: salem, noura).now(.accepted, version: 2) {
                $0.deposit = Money(amount: 500, currency: "SAR")
            }
            try await wallet.hear(parcel)
            #expect(try await wallet.sum(.deposit) == 0)
            let done = try await wallet.captured(noura, huda, by: "cash", amount: 500)
            let tip = try await wallet.post("orders/\(done.order.text)/tip", noura, #"{"amount": 100}"#)
            #expect(tip.slug == "insufficient-funds", "\(tip.text)")
            try await wallet.withDeadlines {
                try await wallet.give(1_000, to: salem)
                try await eventually(wallet, noura, has: 850)
            }
            #expect(try await wallet.pay(order, noura, by: "wallet").status == 202)
            try await wallet.expectSound()
        }
    }

    @Test("W5, W6: while debtors pay, receivers cash out no more than has come, however the two meet")
    func cashOutRace() async throws {
        try await WalletFixture.run { wallet in
            try await wallet.withDeadlines {
                for round in 0..<Self.rounds {
                    let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
                    try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
                    let answers = try await withThrowingTaskGroup(of: Int.self) { tasks in
                        for amount in [300, 300, 400] {
                            tasks.addTask {
                                try await wallet.give(amount, to: salem)
                                return 0
                            }
                        }
                        for amount in [300, 400, 850, 100] {
                            tasks.addTask {
                                let answer = try await wallet.cashOut(amount, noura)
                                #expect([201, 409].contains(answer.status), "\(answer.text)")
                                return answer.status == 201 ? amount : 0
                            }
                        }
                        return try await tasks.reduce(0, +)
                    }
                    #expect(answers <= 850, "round \(round)")
                    try await eventually(wallet, noura, has: 850 - answers)
                    #expect(try await wallet.balance(salem) == 0)
                    #expect(try await waiting(wallet, noura) == 0)
                }
            }
            try await wallet.expectSound()
        }
    }

    @Test("W6, W8: a debtor pays while the receiver funds a refund to him: what waits comes once or is given back once")
    func refundRace() async throws {
        try await WalletFixture.run { wallet in
            let admin = try await wallet.people.person("Amal", "admin")
            try await wallet.withDeadlines {
                for round in 0..<Self.rounds {
                    let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
                    let order = try await wallet.accepted(salem, noura)
                    try await wallet.hear(order.fined(1_000))
                    let more = #", "mayOwe": true"#
                    async let paid: Void = wallet.give(600, to: salem)
                    async let refunded = wallet.refund(order, admin, 850, fundedBy: "provider", more: more)
                    let (_, answer) = (try await paid, try await refunded)
                    #expect(answer.status == 201, "\(answer.text)")
                    // 600 in, 150 the platform's.
                    try await eventually(wallet, salem, has: 450)
                    try await eventually(wallet, noura, has: 0)
                    for person in [noura, salem] {
                        #expect(try await waiting(wallet, person) == 0, "round \(round)")
                    }
                }
            }
            try await wallet.expectSound()
        }
    }

    @Test("W6: the commission of cash that a courier has not got waits, for the restaurant too, until it is paid")
    func cashOfMeal() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let bakery = try await wallet.people.provider("Bakery")
            try await wallet.give(1_000, to: noura)
            var order = Orders.accepted(by: salem, noura, amount: 10_000)
            order.shares = [
                .init(party: .merchant, account: bakery.account, name: "Bakery", amount: 7_000),
                .init(party: .provider, account: noura.account, name: noura.name, amount: 3_000),
            ]
            try await wallet.hear(order)
            #expect(try await wallet.pay(order, salem, by: "cash").status == 202)
            try await wallet.hear(order.now(.completed, version: 3))
            #expect(try await wallet.state(of: order) == .captured)
            let share = try #require(try await wallet.pool.first(FindPayment(order: order.order))).division
            let (net, platform) = (share.net(of: .merchant), share.platform)
            #expect(net + share.net(of: .provider) + platform == 10_000)
            #expect(try await wallet.balance(noura) == 1_000 - net - platform)
            #expect(try await wallet.balance(bakery) == 1_000)
            #expect(try await waiting(wallet, bakery) == net - 1_000)
            #expect(try await wallet.lines(bakery) == ["share \(net) waiting"])
            let line = try #require(try await wallet.get("statement", bakery).items.first)
            #expect(line["waiting"]?.integer == net - 1_000)
            #expect(try await wallet.cashOut(1_001, bakery).slug == "cash-out-above-balance")
            try await wallet.expectSound()
            try await wallet.withDeadlines {
                try await wallet.give(10_000, to: noura)
                try await eventually(wallet, bakery, has: net)
            }
            #expect(try await wallet.lines(bakery) == ["share \(net) accepted"])
            #expect(try await wallet.platform() == platform)
            try await wallet.expectSound()
        }
    }

    @Test("W6: what comes to a receiver who owes goes on to those who wait for him, round a circle too")
    func setOff() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let huda = try await wallet.people.provider("Huda")
            // Salem owes Noura, who owes Huda, who owes Noura.
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
            try await wallet.hear(Orders.accepted(by: noura, huda).fined(600))
            try await wallet.hear(Orders.accepted(by: huda, noura).fined(200))
            #expect(try await waiting(wallet, noura) == 850 + 170)
            #expect(try await waiting(wallet, huda) == 510)
            try await wallet.expectSound()
            try await wallet.withDeadlines {
                try await wallet.give(1_000, to: salem)
                try await eventually(wallet, noura, has: 850 - 600 + 170)
                try await eventually(wallet, huda, has: 510 - 200)
            }
            #expect(try await wallet.balance(salem) == 0)
            for person in [noura, huda] { #expect(try await waiting(wallet, person) == 0) }
            #expect(try await wallet.platform() == 150 + 90 + 30)
            try await wallet.expectSound()
        }
    }

    @Test("I12: who owes and who waits for it is not deleted before it is paid")
    func deletion() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            func obstacles(_ person: Person) async throws -> [DeletionObstacle] {
                try await wallet.pool.first(FindOpenMoney(account: person.account)) ?? []
            }
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
            #expect(try await obstacles(salem) == [.unpaid])
            #expect(try await obstacles(noura) == [.waitingMoney])
            try await wallet.withDeadlines {
                try await wallet.give(1_000, to: salem)
                try await eventually(wallet, noura, has: 850)
            }
            #expect(try await obstacles(salem).isEmpty)
            #expect(try await obstacles(noura) == [.balance])
        }
    }

    @Test("Q9: a line of which something waits is kept, however old it is, and goes once it is paid")
    func retention() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
            let now = Date()
            func pass() async throws {
                try await wallet.pool.execute(AgeAllLines(to: now - 600 * 86_400))
                for _ in 0..<2 { try await wallet.parts.retentionPass.pass(at: now) }
            }
            try await pass()
            #expect(try await wallet.lines(noura) == ["fine 850 waiting"])
            #expect(try await wallet.lines(salem).isEmpty)
            try await wallet.withDeadlines {
                try await wallet.give(1_000, to: salem)
                try await eventually(wallet, noura, has: 850)
            }
            try await pass()
            #expect(try await wallet.lines(noura).isEmpty)
            try await wallet.expectSound()
        }
    }

    @Test("W1, W7: verify names a debt that is not what its account holds, and one that was paid and not passed on")
    func verify() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
            try await wallet.give(400, to: salem)
            let stuck = try await StuckCheck.over(.seconds(-60), wallet.pool)
            #expect(stuck.report.contains("debts of account"), "\(stuck.report)")
            #expect(stuck.items.contains { $0.subject == salem.account })
            try await wallet.expectSound()
            try await wallet.pool.execute(LoseDebt(receiver: noura.account))
            let check = try await LedgerCheck.whole(wallet.pool)
            #expect(!check.isSound && check.faults.contains { $0.what == "debt" }, "\(check.report)")
        }
    }
}

private struct AgeAllLines: Statement {
    static let sql: SQL = "UPDATE statement_lines SET at = $1, changed_at = $1"
    let to: Date
    func bind(_ bindings: inout Bindings) { bindings.append(to) }
}

private struct LoseDebt: Statement {
    static let sql: SQL = "UPDATE debts SET unpaid = unpaid - 1 WHERE receiver = $1"
    let receiver: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(receiver) }
}
