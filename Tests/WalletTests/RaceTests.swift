import Contracts
import Foundation
import HTTPTypes
import Messaging
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Races for a payment", .timeLimit(.minutes(15)))
struct RaceTests {
    /// As many as those over orders.
    private static let rounds = ProcessInfo.processInfo.environment["SERAI_RACE_ROUNDS"].flatMap { Int($0) } ?? 100
    /// Customers who pay at one time.
    private static let lanes = 4

    /// The order expires while it is paid, each after a short random wait.
    private static func payment(
        of order: OrderSnapshot, by payer: Person, _ wallet: WalletFixture
    ) async throws -> Answer {
        async let expiry: Void = RaceDelay.late { try await wallet.hear(order.now(.expired, version: 3)) }
        let answer = try await RaceDelay.late { try await wallet.pay(order, payer, by: "wallet") }
        try await expiry
        return answer
    }

    @Test("W6: of payment and expiry one wins, and escrow keeps nothing: by wallet, a thousand times")
    func wallet() async throws {
        try await WalletFixture.run { wallet in
            try await withThrowingTaskGroup(of: Void.self) { lanes in
                for lane in 0..<Self.lanes {
                    lanes.addTask { try await Self.raceForPayments(lane, wallet) }
                }
                try await lanes.waitForAll()
            }
            try await wallet.expectSound()
        }
    }

    /// One customer's share of the rounds.
    private static func raceForPayments(_ lane: Int, _ wallet: WalletFixture) async throws {
        let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
        try await wallet.give(1_000_000, to: salem)
        var wins = 0
        for round in stride(from: lane, to: rounds, by: lanes) {
            let order = try await wallet.accepted(salem, noura, amount: 1_000)
            let answer = try await RaceDelay.$round.withValue(round) {
                try await payment(of: order, by: salem, wallet)
            }
            let state = try await wallet.state(of: order)
            let told = try await wallet.told(about: order.order)
            if answer.status == 202 {
                wins += 1
                #expect(state == .released && told == ["held", "released"], "\(RaceDelay.seed)")
            } else {
                let isNamed = answer.status == 409 && answer.json["state"]?.string == "expired"
                #expect(isNamed, "\(answer.text) \(RaceDelay.seed)")
                #expect(state == .closed && told.isEmpty, "\(RaceDelay.seed)")
            }
        }
        #expect(try await wallet.balance(salem) == 1_000_000, "the payment won \(wins) times")
    }

    @Test("W6: of payment and expiry one wins, and nothing stays held at the payment provider: by card, 200 times")
    func card() async throws {
        try await WalletFixture.run(workers: 2) { wallet in
            let noura = try await wallet.people.provider()
            // One account may not have five charges open at a time.
            var payers: [(person: Person, card: String)] = []
            for _ in 0..<25 {
                let payer = try await wallet.people.customer()
                payers.append((payer, try await wallet.card(payer)))
            }
            var orders: [OrderSnapshot] = []
            for _ in 0..<8 {
                orders += try await withThrowingTaskGroup(of: OrderSnapshot.self) { [payers] tasks in
                    for (salem, card) in payers {
                        tasks.addTask {
                            let order = try await wallet.accepted(salem, noura, amount: 1_000)
                            async let answer = wallet.payByCard(order, salem, card)
                            // Before it is asked for, while it is, and after.
                            try await Task.sleep(for: .milliseconds(Int.random(in: 0...60)))
                            try await wallet.hear(order.now(.expired, version: 3))
                            let answered = try await answer
                            #expect([202, 409].contains(answered.status), "\(answered.text)")
                            return order
                        }
                    }
                    return try await tasks.reduce(into: []) { $0.append($1) }
                }
            }
            for order in orders {
                try await TestKit.eventually("the payment has ended") {
                    let state = try await wallet.state(of: order)
                    return state == .released || state == .closed
                }
                let told = try await wallet.told(about: order.order)
                #expect(told.isEmpty || told == ["held", "released"])
            }
            try await TestKit.eventually("nothing is held", value: { wallet.books.held }) { $0 == 0 }
            #expect(wallet.books.captured == 0)
            try await wallet.expectSound()
        }
    }

    @Test("W6: an order paid by ten requests at once is paid once")
    func manyRequests() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(50_000, to: salem)
            let order = try await wallet.accepted(salem, noura)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
                for index in 0..<10 {
                    let method = index % 2 == 0 ? "wallet" : "cash"
                    tasks.addTask { try await wallet.pay(order, salem, by: method).status }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [202] + Array(repeating: 409, count: 9))
            #expect(try await wallet.told(about: order.order) == ["held"])
            try await wallet.expectSound()
        }
    }

    @Test("W6: a wallet emptied by ten orders at once is never overdrawn")
    func oneWallet() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(3_500, to: salem)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
                for _ in 0..<10 {
                    tasks.addTask {
                        let order = try await wallet.accepted(salem, noura, amount: 1_000)
                        return try await wallet.pay(order, salem, by: "wallet").status
                    }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 202 } == 3)
            #expect(try await wallet.balance(salem) == 500)
            try await wallet.expectSound()
        }
    }
}
