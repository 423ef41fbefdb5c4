import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiWallet
@testable import ServiceKit

@Suite("Cash-outs that are stopped", .timeLimit(.minutes(10)))
struct StoppedCashOutTests {
    /// An accepted cash-out that no worker has looked at.
    private func accepted(_ wallet: WalletFixture, _ amount: Int, _ person: Person) async throws -> String {
        let id = try #require(try await wallet.cashOut(amount, person).json["cashOut"]?.string)
        let decided = try await wallet.decide(id, try await wallet.admin(), accept: true)
        try #require(decided.json["state"]?.string == "paying", "\(decided.text)")
        return id
    }

    private func expectStopped(
        _ id: String, _ wallet: WalletFixture, _ person: Person, because reason: String,
        _ place: SourceLocation = #_sourceLocation
    ) async throws {
        for _ in 0..<2 { _ = try await wallet.parts.payoutWorker.payDue() }
        let shown = try await wallet.get("cash-outs/\(id)", person).json
        #expect(
            shown["state"]?.string == "failed" && shown["reason"]?.string == reason, "\(shown)", sourceLocation: place)
        let told = try await wallet.outbox(CashOutFailed.name.text).filter { $0.contains(id) }
        #expect(told.count == 1 && told.first?.contains(reason) == true, "\(told)", sourceLocation: place)
        #expect(wallet.paidOut == 0, sourceLocation: place)
    }

    @Test("W5: an accepted cash-out is not paid when its wallet was frozen meanwhile: it goes back, and that is told")
    func frozen() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            let charge = try await wallet.topUp(1_000, noura)
            try await wallet.give(9_000, to: noura)
            let id = try await accepted(wallet, 5_000, noura)
            try await wallet.dispute(charge, "created", "warning_needs_response")
            try await expectStopped(id, wallet, noura, because: "wallet-frozen")
            #expect(try await wallet.balance(noura) == 10_000)
            try await wallet.dispute(charge, "closed", "won")
            let again = try await accepted(wallet, 5_000, noura)
            try await wallet.pays(again, until: .paid)
            try await wallet.expectSound()
        }
    }

    @Test("W5: an accepted cash-out is not paid when its owner owes money by then, or a fine: it pays these first")
    func owing() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(4_000, to: salem)
            let id = try await accepted(wallet, 4_000, salem)
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
            try await expectStopped(id, wallet, salem, because: "wallet-owes")
            try await wallet.withDeadlines {
                try await eventually("the provider has the fine") { try await wallet.balance(noura) == 850 }
            }
            #expect(try await wallet.balance(salem) == 3_000)
            #expect(try await wallet.lines(salem).contains("cashOut -4000 rejected"))
            try await wallet.expectSound()
        }
    }

    @Test("W5, W6: what may have been asked of the payment provider goes on, whatever comes: it may be paid already")
    func asked() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            let charge = try await wallet.topUp(1_000, noura)
            try await wallet.give(9_000, to: noura)
            // Its answer is lost.
            let id = try #require(
                try await wallet.cashOut(5_000, noura, endingIn: "7775").json["cashOut"]?.string)
            _ = try await wallet.decide(id, try await wallet.admin(), accept: true)
            _ = try await wallet.parts.payoutWorker.payDue()
            try await wallet.dispute(charge, "created", "needs_response")
            let cashOut = try #require(UUID(uuidString: id))
            var found = try #require(try await wallet.pool.first(FindCashOut(cashOut: cashOut)))
            #expect(found.state == .paying || found.state == .paid)
            #expect(found.stop(because: "wallet-frozen") == nil)
            try await wallet.pool.execute(DueNow())
            try await wallet.pays(id, until: .paid)
            try await wallet.expectSound()
        }
    }

    @Test("W5: a dispute takes back waiting cash-outs that its money is in, the newest first, and no others")
    func disputed() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            try await wallet.set(.cardHoldDays, "0")
            let charge = try await wallet.topUp(6_000, noura)
            try await wallet.give(4_000, to: noura)
            var waiting: [String] = []
            for amount in [3_000, 5_000, 1_500] {
                waiting.append(try #require(try await wallet.cashOut(amount, noura).json["cashOut"]?.string))
            }
            #expect(try await wallet.balance(noura) == 500)
            try await wallet.dispute(charge, "created", "needs_response")
            var states: [String] = []
            for id in waiting {
                let shown = try await wallet.get("cash-outs/\(id)", noura).json
                states.append("\(shown["state"]?.string ?? "") \(shown["reason"]?.string ?? "")")
            }
            #expect(states == ["waiting ", "failed charge-disputed", "failed charge-disputed"])
            // 500 and 6 500 less 6 000.
            #expect(try await wallet.balance(noura) == 1_000)
            let told = try await wallet.outbox(CashOutFailed.name.text)
            #expect(told.count == 2 && told.allSatisfy { $0.contains("charge-disputed") })
            try await wallet.expectSound()
        }
    }

    @Test("A1, W5: of a cash-out that is taken back nobody is asked for the second word, and its first admin is told")
    func approval() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.set(.cardHoldDays, "0")
            try await wallet.set(.dailyTopUpLimit, "1000000")
            let charge = try await wallet.topUp(300_000, noura)
            let id = try #require(try await wallet.cashOut(300_000, noura).json["cashOut"]?.string)
            #expect(try await wallet.decide(id, admin, accept: true).json["state"]?.string == "waiting")
            #expect(try await wallet.get("markets/assef/approvals", admin).items.count == 1)
            try await wallet.dispute(charge, "created", "needs_response")
            #expect(try await wallet.get("markets/assef/approvals", admin).items.isEmpty)
            let ended = try await wallet.outbox(ApprovalEnded.name.text)
            #expect(ended.count == 1 && ended.first?.contains(admin.account.text) == true, "\(ended)")
            #expect(ended.first?.contains("charge-disputed") == true && ended.first?.contains(id) == true)
            #expect(try await wallet.decide(id, admin, accept: true).slug == "cash-out-decided")
            #expect(try await wallet.balance(noura) == 0)
            try await wallet.expectSound()
        }
    }
}

private struct DueNow: Statement {
    static let sql: SQL = "UPDATE cash_outs SET due_at = now() WHERE due_at IS NOT NULL"
}
