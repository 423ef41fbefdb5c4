import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Money that waits for its debtor", .timeLimit(.minutes(15)))
struct WaitingMoneyTests {
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
            #expect(try await wallet.cashOut(100, noura).slug == "insufficient-funds")
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
        let credits = [DebtQueue.Credit(entry: 15, rise: 80), .init(entry: 30, rise: 40)]
        let all = DebtQueue(debts, hasMore: false, credits: credits, from: .init(entry: 0, part: 0))
        #expect(all.paid == [50, 40] && all.place == .init(entry: 30, part: 40) && !all.hasRest)
        #expect(DebtQueue(debts, hasMore: false, credits: credits, from: all.place).paid == [0, 0])
        let some = DebtQueue([debts[0]], hasMore: true, credits: credits, from: .init(entry: 0, part: 0))
        #expect(some.paid == [50] && some.place == .init(entry: 15, part: 50) && some.hasRest)
    }
}
