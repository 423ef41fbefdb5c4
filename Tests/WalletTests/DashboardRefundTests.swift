import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet

/// Refunds in the payment provider's dashboard while a refund of this service has no answer. Nobody may have the money
/// twice, so the ledger is compared with the payment provider's books.
@Suite("Refunds in the dashboard beside our own", .timeLimit(.minutes(10)))
struct DashboardRefundTests {
    private func giveBack(_ wallet: WalletFixture, _ charge: SeraiWallet.Charge, _ person: Person) async throws {
        let answer = try await wallet.post("topups/\(charge.subject.text)/return", person, "{}")
        try #require(answer.status == 202, "\(answer.text)")
    }

    /// Somebody gives a part back in the dashboard, and the payment provider tells it.
    private func outside(_ wallet: WalletFixture, _ charge: SeraiWallet.Charge, _ amount: Int, told: Int) async throws {
        try #require(wallet.sandbox.refundOutside(try #require(charge.reference), amount: amount))
        try #require(try await wallet.givenBack(charge, told).status == 200)
    }

    @Test("W5: a top-up on its way back that somebody gave back in part is in the wallet without that part, and frozen")
    func topUp() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, admin) = (try await wallet.people.customer(), try await wallet.admin())
            var charge: SeraiWallet.Charge?
            try await wallet.working { charge = try await wallet.topUp(4_000, salem) }
            let paid = try #require(charge)
            try await giveBack(wallet, paid, salem)
            try await outside(wallet, paid, 1_500, told: 1_500)
            #expect(try await wallet.balance(salem) == 0)
            try await wallet.working {
                try await eventually("the rest is back") { try await wallet.balance(salem) == 2_500 }
            }
            #expect(try await wallet.wallet(of: salem)["isFrozen"]?.bool == true)
            let seen = try await wallet.get("markets/assef/disputes?kind=refund", admin).items
            #expect(seen.compactMap { $0["debited"]?["amount"]?.integer } == [1_500], "\(seen)")
            // The same sum, told again, changes nothing.
            try await wallet.givenBack(paid, 1_500)
            #expect(try await wallet.balance(salem) == 2_500)
            try await wallet.expectBooks()
            try await wallet.expectSound()
        }
    }

    @Test("W5: a top-up that the dashboard gave back whole meanwhile leaves nothing in the wallet")
    func whole() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            var charge: SeraiWallet.Charge?
            try await wallet.working { charge = try await wallet.topUp(4_000, salem) }
            let paid = try #require(charge)
            try await giveBack(wallet, paid, salem)
            try await outside(wallet, paid, 4_000, told: 4_000)
            try await wallet.working {
                try await eventually("nothing is asked any more") {
                    try await wallet.pool.first(NextCharge()).flatMap { $0 } == nil
                }
            }
            #expect(try await wallet.balance(salem) == 0)
            try await wallet.expectBooks()
            try await wallet.expectSound()
        }
    }

    @Test("W5, W8: of an order's refund to the card the wallet gets what the dashboard has not given back already")
    func order() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            var done: OrderSnapshot?
            try await wallet.working { done = try await wallet.captured(salem, noura, by: "card", amount: 3_000) }
            let order = try #require(done)
            let charge = try await wallet.charge(of: order)
            let asked = try await wallet.refund(
                order, try await wallet.admin(), 2_500, to: "card", fundedBy: "provider")
            #expect(asked.status == 201, "\(asked.text)")
            try await outside(wallet, charge, 1_500, told: 1_500)
            try await wallet.working {
                try await eventually("the rest is in the wallet") { try await wallet.balance(salem) == 1_000 }
            }
            #expect(try await wallet.wallet(of: salem)["isFrozen"]?.bool == true)
            // What is above our refund is the platform's gift, as without one.
            let platform = try await wallet.platform()
            try await outside(wallet, charge, 700, told: 2_200)
            #expect(try await wallet.balance(salem) == 1_000)
            #expect(try await wallet.platform() == platform - 700)
            try await wallet.expectBooks()
            try await wallet.expectSound()
        }
    }

    @Test("W5: a refund that was made and failed later is all in the wallet, and none of it counts as made elsewhere")
    func made() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            var charge: SeraiWallet.Charge?
            try await wallet.working {
                charge = try await wallet.topUp(12_000, salem, with: "4000000000005134")
            }
            let paid = try #require(charge)
            _ = try await wallet.held(salem, try await wallet.people.provider(), amount: 5_000)
            try await giveBack(wallet, paid, salem)
            try await wallet.givenBack(paid, 7_000)
            try await wallet.working {
                try await eventually("it is back") { try await wallet.balance(salem) == 7_000 }
            }
            #expect(try await wallet.wallet(of: salem)["isFrozen"]?.bool == false)
            #expect(try await wallet.pool.first(FindReportedRefund(charge: paid.id)) == 0)
            try await wallet.expectSound()
        }
    }
}

extension WalletFixture {
    /// Fails unless the ledger's account of the payment provider is the same as the payment provider's own books.
    ///
    /// - Parameter given: what ``give(_:to:currency:)`` has put into wallets without the payment provider.
    func expectBooks(given: Int = 0, _ place: SourceLocation = #_sourceLocation) async throws {
        let totals = sandbox.totals["sar"] ?? PaymentTotals()
        let theirs = totals.held + totals.captured - totals.refunded - totals.disputed - totals.paidOut
        let external = try await pool.query(SumAccounts()).filter { $0.kind == "external" && $0.currency == "SAR" }
        let ours = -external.reduce(0) { $0 + $1.balance } - given
        #expect(ours == theirs, "the ledger says \(ours), the payment provider \(theirs)", sourceLocation: place)
    }
}
