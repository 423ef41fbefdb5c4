import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet
@testable import ServiceKit

@Suite("Cash-outs", .timeLimit(.minutes(15)))
struct CashOutTests {
    @Test("W5: a card that was removed while it was asked for gets no cash-out, and nothing is held")
    func removedCard() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let noura = try await wallet.people.provider()
            try await wallet.give(10_000, to: noura)
            let card = try await wallet.card(noura)
            let id = try #require(UUID(uuidString: card))
            let stored = try #require(try await wallet.pool.first(FindCard(card: id, account: noura.account)))
            func request() async throws {
                let destination = PayoutDestination(
                    kind: .card, reference: stored.reference, holder: "N", bankName: nil, country: nil, lastFour: "4242"
                )
                try await wallet.pool.withTransaction { transaction in
                    _ = try await RequestCashOut.request(
                        amount: 4_000, currency: "SAR", market: "assef", account: noura.account, to: destination,
                        saving: false, at: Date(), in: transaction)
                }
            }
            try await request()
            #expect(try await wallet.balance(noura) == 6_000)
            #expect(try await wallet.call(.delete, "cards/\(card)?confirm=true", noura, nil).status == 204)
            await #expect(throws: Problem.self) { try await request() }
            #expect(try await wallet.balance(noura) == 6_000)
        }
    }

    @Test("W5, I11: who has lost the role, as by a ban, still gets the own money, and who has none is refused")
    func withoutRole() async throws {
        try await WalletFixture.run { wallet in
            let (banned, stranger) = (
                try await wallet.people.person("Noura", roles: []), try await wallet.people.person("Omar", roles: [])
            )
            let admin = try await wallet.admin()
            try await wallet.give(10_000, to: banned)
            #expect(try await wallet.cashOut(4_000, stranger).status == 403)
            let key = UUID.timeOrdered().text
            let asked = try await wallet.cashOut(10_000, banned, key: key)
            #expect(asked.status == 201, "\(asked.text)")
            // Also when the wallet is empty by it.
            #expect(try await wallet.cashOut(10_000, banned, key: key).text == asked.text)
            #expect(try await wallet.cashOut(1_000, banned).status == 403)
            let id = try #require(asked.json["cashOut"]?.string)
            #expect(try await wallet.decide(id, admin, accept: true).status == 200)
            try await wallet.pays(id, until: .paid)
            #expect(wallet.paidOut == 10_000)
            try await wallet.expectSound()
        }
    }

    @Test("W5: a cash-out is held at once, accepted by an admin, paid once, and on the statement all the way")
    func paid() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(10_000, to: noura)
            let key = UUID.timeOrdered().text
            let asked = try await wallet.cashOut(4_000, noura, key: key)
            #expect(asked.status == 201 && asked.json["state"]?.string == "waiting", "\(asked.text)")
            #expect(try await wallet.cashOut(4_000, noura, key: key).text == asked.text)
            #expect(try await wallet.cashOut(4_000, noura, endingIn: "7520", key: key).status == 422)
            #expect(!asked.text.contains("80000000000000"), "masked")
            #expect(asked.json["destination"]?["lastFour"]?.string == "7519")
            #expect(try await wallet.balance(noura) == 6_000)
            #expect(try await wallet.get("wallets", noura).items.map { $0["held"]?.integer } == [4_000])
            #expect(try await wallet.sum(.cashOut) == 4_000)
            try await wallet.expectSound()
            let id = try #require(asked.json["cashOut"]?.string)
            let line = try await wallet.get("statement?kind=cashOut", noura).items
            #expect(line.map { $0["state"]?.string } == ["waiting"] && line.map { $0["amount"]?.integer } == [-4_000])

            #expect(try await wallet.decide(id, admin, accept: true).status == 200)
            try await wallet.pays(id, until: .paid)
            #expect(wallet.paidOut == 4_000)
            #expect(try await wallet.balance(noura) == 6_000)
            #expect(try await wallet.sum(.cashOut) == 0)
            #expect(try await wallet.get("wallets", noura).items.map { $0["held"]?.integer } == [0])
            #expect(
                try await wallet.get("statement?kind=cashOut", noura).items.map { $0["state"]?.string } == ["accepted"])
            #expect(try await wallet.told(about: try #require(UUID(uuidString: id))) == ["asked", "decided", "paid"])
            try await wallet.expectSound()
        }
    }

    @Test("W5, O2: who is blocked for a fine in one market takes nothing out through another")
    func blocked() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(5_000, to: salem, currency: "AUD")
            func request(in market: String) async throws {
                let destination = PayoutDestination(
                    kind: .bankAccount, reference: "ba_1", holder: "S", bankName: nil, country: "SA", lastFour: "7519")
                try await wallet.pool.withTransaction { transaction in
                    _ = try await RequestCashOut.request(
                        amount: 1_000, currency: "AUD", market: market, account: salem.account, to: destination,
                        saving: false, at: Date(), in: transaction)
                }
            }
            try await request(in: "btnc")
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
            try await wallet.age(salem, days: 31)
            try await wallet.withDeadlines {
                try await eventually("the account is blocked") {
                    try await wallet.told(about: salem.account).contains("blocked")
                }
            }
            for market in ["assef", "btnc"] {
                await #expect(throws: AccountBlock(owed: Money(amount: 1_000, currency: "SAR"))) {
                    try await request(in: market)
                }
            }
            #expect(try await wallet.balance(salem, currency: "AUD") == 4_000)
            try await wallet.expectSound()
        }
    }

    @Test("W5: of concurrent cash-outs of one balance as many are held as it can pay")
    func concurrent() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            try await wallet.give(3_500, to: noura)
            let statuses = try await WalletFixture.statuses(12) { _ in
                let answer = try await wallet.cashOut(1_000, noura)
                if answer.status != 201 { #expect(answer.slug == "cash-out-above-balance", "\(answer.text)") }
                return answer.status
            }
            #expect(statuses == [201: 3, 409: 9])
            #expect(try await wallet.balance(noura) == 500)
            #expect(try await wallet.sum(.cashOut) == 3_000)
            #expect(try await wallet.get("cash-outs", noura).items.count == 3)
            try await wallet.expectSound()
        }
    }

    @Test("W5: a rejected cash-out is back in the wallet, with the reason on the statement")
    func rejected() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(5_000, to: noura)
            let id = try #require(try await wallet.cashOut(5_000, noura).json["cashOut"]?.string)
            #expect(
                try await wallet.post("markets/assef/cash-outs/\(id)/decision", admin, #"{"accept": false}"#).codes
                    == ["/reason": "required"])
            let answer = try await wallet.decide(id, admin, accept: false)
            #expect(answer.status == 200 && answer.json["state"]?.string == "rejected", "\(answer.text)")
            #expect(try await wallet.balance(noura) == 5_000)
            let line = try #require(try await wallet.get("statement?state=rejected", noura).items.first)
            #expect(line["reason"]?.string == "The holder is somebody else.")
            #expect(try await wallet.parts.payoutWorker.payDue() == 0)
            #expect(wallet.paidOut == 0)
            try await wallet.expectSound()
        }
    }

    @Test("W5: a cash-out is decided once: again, by two admins at once, by an admin of another market, by its owner")
    func decidedOnce() async throws {
        try await WalletFixture.run { wallet in
            let (noura, first) = (try await wallet.people.provider(), try await wallet.admin())
            let (second, elsewhere) = (try await wallet.admin(), try await wallet.admin(in: "hajji"))
            try await wallet.give(100_000, to: noura)
            for round in 0..<10 {
                let id = try #require(try await wallet.cashOut(1_000, noura).json["cashOut"]?.string)
                #expect(try await wallet.decide(id, elsewhere, accept: true).status == 403)
                #expect(try await wallet.decide(id, elsewhere, accept: true, market: "hajji").status == 404)
                #expect(try await wallet.decide(id, noura, accept: true).status == 403)
                let statuses = try await WalletFixture.statuses(4) { index in
                    try await wallet.decide(id, index % 2 == 0 ? first : second, accept: index % 2 == 0).status
                }
                #expect(statuses == [200: 1, 409: 3], "round \(round)")
                let again = try await wallet.decide(id, first, accept: true)
                #expect(again.status == 409 && again.slug == "cash-out-decided", "\(again.text)")
                #expect(try await wallet.told(about: try #require(UUID(uuidString: id))) == ["asked", "decided"])
                try await wallet.expectSound()
            }
            let both = try await wallet.people.person("Both", "admin")
            let own = CashOut(
                id: .timeOrdered(), account: both.account, market: "assef", currency: "SAR", amount: 100,
                destination: PayoutDestination(
                    kind: .bankAccount, reference: "ba_1", holder: "B", bankName: "B", country: "SA", lastFour: "1234"),
                madeAt: Date())
            try await wallet.pool.withTransaction { $0.send(InsertCashOut(cashOut: own)) }
            #expect(try await wallet.decide(own.id.text, both, accept: true).status == 403)
        }
    }

    @Test("W5: a payout whose answer is lost is asked for again and paid once")
    func lostAnswer() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(4_000, to: noura)
            let id = try #require(try await wallet.cashOut(4_000, noura, endingIn: "7775").json["cashOut"]?.string)
            _ = try await wallet.decide(id, admin, accept: true)
            try await wallet.pays(id, until: .paid)
            #expect(wallet.paidOut == 4_000)
            #expect(wallet.logs.text.contains("answer about a payout is not known"))
            try await wallet.expectSound()
        }
    }

    @Test("W5: while the payment provider is down a payout waits, and is paid when it is back")
    func providerDown() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(4_000, to: noura)
            let id = try #require(try await wallet.cashOut(4_000, noura).json["cashOut"]?.string)
            wallet.setProviderDown(true)
            let down = try await wallet.cashOut(100, noura)
            #expect(down.status == 503 && down.slug == "payment-provider-down", "\(down.text)")
            _ = try await wallet.decide(id, admin, accept: true)
            #expect(try await wallet.parts.payoutWorker.payDue() == 1)
            #expect(try await wallet.sum(.cashOut) == 4_000)
            let stuck = try await StuckCheck.over(.zero, wallet.pool)
            #expect(stuck.items.map(\.what) == ["cash-out"], "\(stuck.report)")
            wallet.setProviderDown(false)
            try await wallet.pays(id, until: .paid)
            #expect(wallet.paidOut == 4_000)
            try await wallet.expectSound()
        }
    }

    @Test("W5: a payout that fails, also after it was paid, is back in the wallet and told")
    func failed() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(9_000, to: noura)
            let id = try #require(try await wallet.cashOut(4_000, noura, endingIn: "0002").json["cashOut"]?.string)
            _ = try await wallet.decide(id, admin, accept: true)
            try await wallet.pays(id, until: .failed)
            #expect(try await wallet.balance(noura) == 9_000)
            #expect(try await wallet.get("cash-outs/\(id)", noura).json["reason"]?.string == "account-closed")
            #expect(try await wallet.told(about: try #require(UUID(uuidString: id))) == ["asked", "decided", "failed"])

            let other = try #require(try await wallet.cashOut(5_000, noura).json["cashOut"]?.string)
            _ = try await wallet.decide(other, admin, accept: true)
            try await wallet.pays(other, until: .paid)
            let otherID = try #require(UUID(uuidString: other))
            let reference = try #require(try await wallet.pool.first(FindCashOut(cashOut: otherID))?.reference)
            let event = """
                {"id": "evt_1", "type": "payout.failed", "data": {"object": {"id": "\(reference)", "status": "failed",
                 "amount": 5000, "currency": "sar", "failure_code": "account_closed", "metadata": {"cashOut": "\(other)"}}}}
                """
            for _ in 0..<3 { #expect(try await wallet.webhook(event).status == 200) }
            // Another's reference is not believed.
            let foreign = event.replacing(reference, with: "po_foreign").replacing("evt_1", with: "evt_2")
            #expect(try await wallet.webhook(foreign).status == 200)
            #expect(try await wallet.balance(noura) == 9_000)
            #expect(try await wallet.told(about: otherID) == ["asked", "decided", "paid", "failed"])
            func lines() -> [String] {
                wallet.logs.text.split(separator: "\n").map(String.init).filter { $0.contains("is not followed here") }
            }
            #expect(lines().isEmpty)
            // That it was paid a second time is for somebody to look at.
            let second = foreign.replacing("payout.failed", with: "payout.paid").replacing("evt_2", with: "evt_3")
                .replacing(#""status": "failed""#, with: #""status": "paid""#)
            for _ in 0..<2 { #expect(try await wallet.webhook(second).status == 200) }
            let line = try #require(lines().first)
            #expect(lines().count == 1 && line.contains("secondPayout") && line.contains(other), "\(lines())")
            // So is one that was paid after all, of which no answer had come, when the money has gone back.
            try await wallet.pool.execute(ForgetReference(cashOut: otherID))
            let late = second.replacing("evt_3", with: "evt_4").replacing("po_foreign", with: reference)
            for _ in 0..<2 { #expect(try await wallet.webhook(late).status == 200) }
            #expect(lines().count == 2)
            #expect(try await wallet.balance(noura) == 9_000)
            try await wallet.expectSound()
        }
    }

    @Test("W5: whoever is not asked gets nothing: without a token, of another market, another's cash-out")
    func wrongPeople() async throws {
        try await WalletFixture.run { wallet in
            let (noura, other) = (try await wallet.people.provider(), try await wallet.people.customer("Huda"))
            let stranger = try await wallet.people.person("X", "provider", in: "hajji")
            try await wallet.give(5_000, to: noura)
            let id = try #require(try await wallet.cashOut(1_000, noura).json["cashOut"]?.string)
            try await wallet.give(5_000, to: stranger)
            #expect(try await wallet.cashOut(1_000, stranger).status == 403)
            #expect(try await wallet.get("cash-outs/\(id)", other).status == 404)
            #expect(try await wallet.get("cash-outs", other).items.isEmpty)
            for path in ["cash-outs", "cash-outs/\(id)", "bank-accounts", "markets/assef/cash-outs"] {
                #expect(try await wallet.get(path, nil).status == 401, "\(path)")
            }
            #expect(try await wallet.cashOut(0, noura).codes == ["/amount": "out-of-range"])
        }
    }
}

extension WalletFixture {
    /// What the payment provider has paid out, in halalas.
    var paidOut: Int { sandbox.totals["sar"]?.paidOut ?? 0 }
}

private struct ForgetReference: Statement {
    static let sql: SQL = "UPDATE cash_outs SET reference = NULL WHERE id = $1"
    let cashOut: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(cashOut) }
}
