import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

/// What the wallet says that a customer gets back of what was captured.
private struct ReturnedTold: Statement {
    static let sql: SQL = """
        SELECT payload::jsonb ->> 'returned' FROM outbox WHERE aggregate = $1 AND name = 'wallet.payment.captured.v1'
        """
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order.text) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String? { try row.next() }
}

@Suite("Reported orders", .timeLimit(.minutes(15)))
struct DisputeTests {
    /// What an admin may decide, and what of 12,000 that makes of it: customer back, provider, platform.
    static let decisions: [(ReportDecided.Decision, Int?, back: Int, share: Int, platform: Int)] = [
        (.payProvider, nil, 0, 10_200, 1_800), (.returnToCustomer, nil, 12_000, 0, 0),
        (.split, 4_000, 4_000, 6_800, 1_200),
        (.split, 99_000, 12_000, 0, 0), (.split, 0, 0, 10_200, 1_800),
    ]

    @Test(
        "O3: the money stays until the decision, which divides it; all messages in any order, each twice",
        arguments: decisions.indices)
    func wallet(index: Int) async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (decision, toCustomer, back, share, platform) = Self.decisions[index]
            var (sum, earned, fees) = (0, 0, 0)
            for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                try await wallet.give(12_000, to: salem)
                let paid = try await wallet.held(salem, noura)
                let report = UUID.timeOrdered()
                let disputed = paid.now(.disputed, version: 6) { $0.report = report }
                let ended = paid.now(.cancelled, version: 7) { $0.report = report }
                for step in order {
                    for _ in 0..<2 {
                        switch step {
                        case 0: try await wallet.hear(disputed)
                        case 1: try await wallet.hear(ended)
                        default: try await wallet.decide(disputed, decision, toCustomer: toCustomer)
                        }
                    }
                }
                (sum, earned, fees) = (sum + back, earned + share, fees + platform)
                #expect(try await wallet.balance(salem) == sum, "\(order)")
                #expect(try await wallet.balance(noura) == earned, "\(order)")
                #expect(try await wallet.platform() == fees, "\(order)")
                let told = try await wallet.told(about: paid.order)
                #expect(told == ["held", back == 12_000 ? "released" : "captured"], "\(order) \(told)")
            }
            try await wallet.expectSound()
        }
    }

    /// The same where it costs 3,800 in the end.
    private static let ofLess: [(ReportDecided.Decision, Int?, cost: Int, share: Int)] = [
        (.payProvider, nil, 3_800, 3_230), (.split, 1_900, 1_900, 1_615), (.split, 9_000, 0, 0),
    ]

    @Test(
        "O3, C7: of an order that costs less than is held only that is decided about, and the rest goes back",
        arguments: ["wallet", "card"])
    func costsLess(method: String) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            var earned = 0
            for (decision, toCustomer, cost, share) in Self.ofLess {
                for isFirst in [true, false] {
                    if method == "wallet" { try await wallet.give(12_000, to: salem) }
                    let before = (try await wallet.balance(salem), wallet.books.captured - wallet.books.refunded)
                    let paid = try await wallet.held(salem, noura, by: method)
                    let disputed = paid.now(.disputed, version: 6) {
                        $0.report = UUID.timeOrdered()
                        $0.total = Money(amount: 3_800, currency: "SAR")
                    }
                    if !isFirst { try await wallet.hear(disputed) }
                    try await wallet.decide(disputed, decision, toCustomer: toCustomer)
                    if isFirst { try await wallet.hear(disputed) }
                    try await wallet.hear(disputed.now(.completed, version: 7))
                    try await wallet.eventually(paid, is: cost == 0 ? .released : .captured)
                    earned += share
                    #expect(try await wallet.balance(noura) == earned)
                    if method == "wallet" {
                        #expect(try await wallet.balance(salem) == before.0 - cost)
                    } else {
                        try await TestKit.eventually("the card has the rest") {
                            wallet.books.captured - wallet.books.refunded == before.1 + cost
                        }
                    }
                }
            }
            try await wallet.expectSound()
        }
    }

    @Test("O3: a decision heard before the order went to somebody else waits, and pays who has done it")
    func overtaken() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let huda = try await wallet.people.provider("Huda")
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.held(salem, noura)
            try await wallet.decide(order, .payProvider)
            #expect(try await wallet.state(of: order) == .held)
            #expect(try await wallet.balance(noura) == 0)
            let report = UUID.timeOrdered()
            try await wallet.hear(
                order.now(.disputed, version: 9) {
                    $0.report = report
                    $0.provider = OrderSnapshot.Party(account: huda.account, name: "Huda")
                })
            #expect(try await wallet.state(of: order) == .captured)
            #expect(try await wallet.balance(noura) == 0)
            #expect(try await wallet.balance(huda) == 10_200)
            try await wallet.expectSound()
        }
    }

    @Test("O3: a decision heard before anything else of the order waits for it")
    func early() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(12_000, to: salem)
            let order = Orders.accepted(by: salem, noura)
            async let decided: Void = wallet.decide(order, .returnToCustomer)
            try await wallet.hear(order)
            try await decided
            #expect(try await wallet.pay(order, salem, by: "wallet").status == 202)
            try await wallet.hear(order.now(.disputed))
            #expect(try await wallet.state(of: order) == .released)
            #expect(try await wallet.balance(salem) == 12_000)
            try await wallet.expectSound()
        }
    }

    @Test("O3: of the report and the decision at once none is lost, 60 times")
    func race() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(60_000, to: salem)
            for _ in 0..<60 {
                let order = try await wallet.held(salem, noura, amount: 1_000)
                async let decided: Void = wallet.decide(order, .split, toCustomer: 500)
                try await wallet.hear(order.now(.disputed))
                try await decided
                #expect(try await wallet.state(of: order) == .captured)
            }
            #expect(try await wallet.balance(salem) == 30_000)
            #expect(try await wallet.balance(noura) == 60 * 425)
            try await wallet.expectSound()
        }
    }

    @Test("O3: a report that was withdrawn leaves the money to the order's end", arguments: [true, false])
    func withdrawn(isCompleted: Bool) async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.held(salem, noura)
            try await wallet.hear(order.now(.disputed, version: 6) { $0.report = .timeOrdered() })
            #expect(try await wallet.state(of: order) == .frozen)
            try await wallet.hear(order.now(isCompleted ? .completed : .cancelled, version: 7))
            #expect(try await wallet.state(of: order) == (isCompleted ? .captured : .released))
            // Too late.
            try await wallet.decide(order, isCompleted ? .returnToCustomer : .payProvider)
            #expect(try await wallet.balance(salem) == (isCompleted ? 0 : 12_000))
            try await wallet.expectSound()
        }
    }

    @Test("O3: by card the part that goes back is refunded there, captured early or not", arguments: [false, true])
    func card(isEarly: Bool) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.held(salem, noura, by: "card")
            try await wallet.hear(order.now(.disputed))
            #expect(try await wallet.state(of: order) == .frozen)
            if isEarly {
                let charge = try await wallet.charge(of: order)
                try await wallet.pool.withTransaction { try await RecordCharge.endWait(charge.id, in: $0) }
                try await TestKit.eventually("it is captured there") { wallet.books.captured == 12_000 }
                #expect(try await wallet.state(of: order) == .frozen)
            }
            try await wallet.decide(order, .split, toCustomer: 4_000)
            try await wallet.eventually(order, is: .captured)
            try await TestKit.eventually("the card has its part") { wallet.books.refunded == 4_000 }
            try await TestKit.eventually("the refund is made") {
                try await wallet.pool.query(ListRefunds(order: order.order)).map(\.state) == [.made]
            }
            #expect(try await wallet.balance(noura) == 6_800)
            #expect(try await wallet.lines(salem) == ["payment -8000 accepted"])
            try await wallet.expectSound()
        }
    }

    @Test("O3: of cash nothing is moved but the commission on what the provider keeps, and nothing is said to go back")
    func cash() async throws {
        let decisions: [(ReportDecided.Decision, Int?, owed: Int)] = [
            (.payProvider, nil, 1_800), (.returnToCustomer, nil, 0), (.split, 4_000, 1_200),
        ]
        for (decision, toCustomer, owed) in decisions {
            try await WalletFixture.run(workers: 0) { wallet in
                let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
                try await wallet.give(5_000, to: noura)
                let order = try await wallet.held(salem, noura, by: "cash")
                try await wallet.hear(order.now(.disputed))
                try await wallet.decide(order, decision, toCustomer: toCustomer)
                #expect(try await wallet.balance(salem) == 0)
                #expect(try await wallet.balance(noura) == 5_000 - owed, "\(decision)")
                #expect(try await wallet.platform() == owed, "\(decision)")
                let told = try await wallet.told(about: order.order)
                #expect(told.last == (decision == .returnToCustomer ? "released" : "captured"))
                #expect(try await wallet.pool.query(ReturnedTold(order: order.order)).compactMap { $0 }.isEmpty)
                try await wallet.expectSound()
            }
        }
    }

    @Test("O3: an order that is reported before it is paid is not to be paid any more")
    func unpaid() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            try await wallet.hear(order.now(.disputed))
            #expect(try await wallet.state(of: order) == .closed)
            #expect(try await wallet.pay(order, salem, by: "cash").slug == "order-state")
        }
    }

    @Test("O3: a decision that does not fit its order and was heard before it does not stop the order's own news")
    func beforeItsOrder() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(12_000, to: salem)
            let order = Orders.accepted(by: salem, noura)
            try await wallet.decide(order, .payProvider, market: "btnc")
            try await wallet.hear(order)
            try await wallet.pay(order, salem, held: "wallet")
            try await wallet.hear(order.now(.disputed))
            #expect(try await wallet.state(of: order) == .frozen)
            #expect(wallet.logs.text.contains("a decision about a report is ignored"))
            // It does not keep the right one from being heard.
            try await wallet.decide(order, .payProvider)
            #expect(try await wallet.state(of: order) == .captured)
            try await wallet.expectSound()
        }
    }

    @Test("O3: a decision about another market's order moves nothing")
    func otherMarket() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.held(salem, noura)
            try await wallet.hear(order.now(.disputed))
            await #expect(throws: PoisonMessage.self) {
                try await wallet.decide(order, .payProvider, market: "btnc")
            }
            #expect(try await wallet.state(of: order) == .frozen)
            // The dead letter has left nothing behind.
            try await wallet.decide(order, .payProvider)
            #expect(try await wallet.state(of: order) == .captured)
        }
    }
}
