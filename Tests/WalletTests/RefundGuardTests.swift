import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("What admins may not refund, and orders that cost nothing", .timeLimit(.minutes(15)))
struct RefundGuardTests {
    private func leave(_ wallet: WalletFixture, _ person: Person) async throws {
        let asked = DeletionAsked(deletion: .timeOrdered(), account: person.account, version: 5, at: Date())
        try await wallet.pool.withTransaction { try await WalletDeletionHandlers.answer(asked, at: Date(), $0) }
    }

    @Test("I12, W8: nobody who is leaving funds a refund, also not by owing it; somebody else may")
    func leaving() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.people.person("Amal", "admin")
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.captured(salem, noura)
            try await leave(wallet, noura)
            for more in ["", #", "mayOwe": true"#] {
                let refused = try await wallet.refund(order, admin, 1_000, fundedBy: "provider", more: more)
                #expect(refused.status == 409 && refused.slug == "refund-funder-leaving", "\(refused.text)")
            }
            #expect(try await wallet.balance(noura) == 10_200)
            #expect(try await wallet.refund(order, admin, 1_000).status == 201)
            try await wallet.expectSound()
        }
    }

    @Test("W8: an admin does not refund an order that he or she made or was paid for; another admin does")
    func own() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (admin, other) = (
                try await wallet.people.person("Amal", "admin"), try await wallet.people.person("Badr", "admin")
            )
            for (customer, provider) in [(admin, noura), (salem, admin)] {
                try await wallet.give(12_000, to: customer)
                let order = try await wallet.captured(customer, provider)
                let refused = try await wallet.refund(order, admin, 1_000)
                #expect(refused.status == 403 && refused.slug == "own-matter", "\(refused.text)")
                #expect(try await wallet.refund(order, other, 1_000).status == 201)
            }
            try await wallet.expectSound()
        }
    }

    @Test("W8: a refund above what was paid names the amount and the currency that are left")
    func named() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.people.person("Amal", "admin")
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.captured(salem, noura)
            #expect(try await wallet.refund(order, admin, 11_295).status == 201)
            let above = try await wallet.refund(order, admin, 706)
            #expect(above.json["detail"]?.string?.contains("7.05 SAR") == true, "\(above.text)")
            #expect(above.json["left"]?.integer == 705 && above.json["currency"]?.string == "SAR")
        }
    }

    @Test("W1: an order that costs nothing is held at once, whatever it is to be paid by, and nothing is charged")
    func free() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura, amount: 0)
            let answer = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            #expect(answer.status == 202 && answer.json["state"]?.string == "held", "\(answer.text)")
            #expect(try await wallet.pool.first(FindPayment(order: order.order))?.charge == nil)
            try await wallet.hear(order.now(.completed))
            #expect(try await wallet.state(of: order) == .captured)
            #expect(try await wallet.told(about: order.order) == ["held", "captured"])
            #expect(wallet.books.held == 0 && wallet.books.captured == 0)
            try await wallet.expectSound()
        }
    }

    @Test("W6: `wallet verify` lists holds whose time is over and that are open still")
    func overdue() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            try await wallet.give(100, to: salem)
            let hold = Hold(
                id: .timeOrdered(), owner: salem.account, currency: "SAR", amount: 60, subject: .timeOrdered(),
                expiresAt: Date() - 7_200)
            try await wallet.pool.withTransaction { _ = try await Ledger.perform([.place(hold)], in: $0) }
            let items = try await StuckCheck.over(.seconds(3_600), wallet.pool).items
            #expect(items.map { "\($0.what) \($0.subject.text) \($0.state)" } == ["hold \(hold.id.text) open"])
            #expect(try await StuckCheck.over(.seconds(10_800), wallet.pool).items.isEmpty)
        }
    }
}
