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

@Suite("Debts that nobody pays", .timeLimit(.minutes(10)))
struct WriteOffTests {
    private func waiting(_ wallet: WalletFixture, _ person: Person) async throws -> Int {
        try await wallet.pool.query(ListWaiting(account: person.account)).first { $0.currency == "SAR" }?.amount ?? 0
    }

    private func obstacles(_ wallet: WalletFixture, _ person: Person) async throws -> [DeletionObstacle] {
        try await wallet.pool.first(FindOpenMoney(account: person.account)) ?? []
    }

    /// Somebody who owes 1 000, of which 850 wait for a provider.
    private func debt(_ wallet: WalletFixture, _ amount: Int = 1_000) async throws -> (debtor: Person, receiver: Person)
    {
        let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
        try await wallet.hear(Orders.accepted(by: salem, noura).fined(amount))
        return (salem, noura)
    }

    @Test("I12: money that waits has an obstacle of its own, which services of before read as money that is held")
    func obstacle() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (_, noura) = try await debt(wallet)
            #expect(try await obstacles(wallet, noura) == [.waitingMoney])
            let answered = WalletAnsweredDeletion(
                deletion: .timeOrdered(), account: noura.account, obstacles: [.heldMoney, .waitingMoney, .topUp],
                at: Date())
            #expect(answered.obstacles == [.heldMoney, .topUp] && answered.all == [.heldMoney, .waitingMoney, .topUp])
            let plain = WalletAnsweredDeletion(
                deletion: .timeOrdered(), account: noura.account, obstacles: [.balance], at: Date())
            #expect(plain.reasons == nil && plain.all == [.balance])
            var later = answered
            later.reasons = ["held-money", "of-a-later-version"]
            #expect(later.all == [.heldMoney])
        }
    }

    @Test("W8, I12: an admin writes off a debt: the platform pays, who waited has it, and both can go on")
    func writtenOff() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = try await debt(wallet)
            let admin = try await wallet.admin()
            let listed = try await wallet.get("markets/assef/debtors", admin).items
            #expect(listed.map { $0["account"]?.string } == [salem.account.text])
            #expect(listed.first?["waiting"]?["amount"]?.integer == 850)
            let path = "markets/assef/debtors/\(salem.account.text)"
            let owed = try await wallet.get(path, admin).json
            #expect(owed["owed"]?["amount"]?.integer == 1_000 && owed["canBeWrittenOff"]?["amount"]?.integer == 1_000)
            let more = try await wallet.writeOff(1_001, of: salem, admin)
            #expect(more.status == 409 && more.slug == "write-off-above-debt", "\(more.text)")
            #expect(more.json["owed"]?.integer == 1_000)
            try await wallet.withDeadlines {
                // A part pays those who wait first, as any other money.
                let part = try await wallet.writeOff(100, of: salem, admin)
                #expect(part.status == 200, "\(part.text)")
                try await eventually("a part is there") { try await wallet.balance(noura) == 100 }
                #expect(try await wallet.writeOff(900, of: salem, admin).status == 200)
                try await eventually("all is there") { try await wallet.balance(noura) == 850 }
            }
            #expect(try await wallet.balance(salem) == 0)
            #expect(try await wallet.platform() == 150 - 1_000)
            #expect(try await obstacles(wallet, salem).isEmpty)
            #expect(try await obstacles(wallet, noura) == [.balance])
            #expect(try await wallet.lines(noura) == ["fine 850 accepted"])
            #expect(try await wallet.lines(salem).contains("refund 900 accepted"))
            #expect(try await wallet.outbox(WriteOffChanged.name.text).count == 2)
            #expect(try await wallet.writeOff(1, of: salem, admin).status == 404)
            #expect(try await wallet.get(path, admin).status == 404)
            #expect(try await wallet.get("markets/assef/debtors", admin).items.isEmpty)
            try await wallet.expectSound()
        }
    }

    @Test("Q7, W8: nobody writes off a debt of his own, or one to himself, nor what another market's orders have made")
    func access() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.person("Salem", roles: ["customer", "admin"])
            let noura = try await wallet.people.person("Noura", roles: ["provider", "admin"])
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
            for admin in [salem, noura] {
                let answer = try await wallet.writeOff(100, of: salem, admin)
                #expect(answer.status == 403 && answer.slug == "own-matter", "\(answer.text)")
            }
            let elsewhere = try await wallet.admin(in: "hajji")
            #expect(try await wallet.writeOff(100, of: salem, elsewhere).status == 403)
            let more = #", "currency": "SAR""#
            #expect(try await wallet.writeOff(100, of: salem, elsewhere, market: "hajji", more: more).status == 404)
            #expect(try await wallet.writeOff(100, of: salem, try await wallet.people.provider()).status == 403)
            #expect(try await wallet.writeOff(100, of: salem, nil).status == 401)
            for amount in ["0", "-1", "1.0", "1e2", #""100""#] {
                let answer = try await wallet.post(
                    "markets/assef/debtors/\(salem.account.text)/write-off", try await wallet.admin(),
                    #"{"amount": \#(amount), "reason": "Cannot be reached."}"#)
                #expect(answer.status == 422 && answer.codes.keys.contains("/amount"), "\(amount) \(answer.text)")
            }
            let mistyped = try await wallet.writeOff(
                100, of: salem, try await wallet.admin(), more: #", "currency": """#)
            #expect(mistyped.codes == ["/currency": "not-a-currency"], "\(mistyped.text)")
            #expect(try await wallet.balance(salem) == -1_000)
        }
    }

    @Test("A1, W8: what is written off above the threshold in a day waits for a second admin, who is no party of it")
    func second() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = try await debt(wallet)
            let (one, two) = (try await wallet.admin(), try await wallet.admin())
            try await wallet.set(.secondApprovalAmount, "600")
            #expect(try await wallet.writeOff(500, of: salem, one).status == 200)
            // Another admin does not begin anew with the same account.
            let waits = try await wallet.writeOff(400, of: salem, two)
            #expect(waits.status == 202 && waits.json["kind"]?.string == "writeOff", "\(waits.text)")
            #expect(waits.json["details"]?["reason"]?.string == "Cannot be reached any more.")
            #expect(try await wallet.balance(salem) == -500)
            let approval = try #require(waits.json["approval"]?.string)
            #expect(try await wallet.approve(approval, two).slug == "own-matter")
            #expect(try await wallet.get("markets/assef/approvals", one).items.count == 1)
            #expect(try await wallet.approve(approval, one).json["state"]?.string == "approved")
            #expect(try await wallet.balance(salem) == -100)
            let told = try await wallet.told(about: try #require(UUID(uuidString: approval)))
            #expect(told == ["changed", "changed"])
            #expect(try await wallet.outbox(ApprovalChanged.name.text).isEmpty)
            // A debt that was paid meanwhile cannot be approved, and one admin rejects it.
            let late = try #require(
                try await wallet.writeOff(100, of: salem, one).json["approval"]?.string)
            try await wallet.give(100, to: salem)
            #expect(try await wallet.approve(late, two).status == 404)
            let rejected = try await wallet.post(
                "markets/assef/approvals/\(late)/decision", two, #"{"approve": false, "reason": "It is paid."}"#)
            #expect(rejected.json["state"]?.string == "rejected", "\(rejected.text)")
            #expect(try await wallet.balance(salem) == 0)
            try await wallet.withDeadlines {
                try await eventually("all is there") { try await wallet.balance(noura) == 850 }
            }
            try await wallet.expectSound()
        }
    }

    @Test("Q7, W8: a debt that was paid gives no right to write off a later one of another market")
    func paidBefore() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = try await debt(wallet)
            try await wallet.give(1_000, to: salem)
            #expect(try await wallet.balance(salem) == 0)
            var elsewhere = Orders.accepted(by: salem, noura)
            elsewhere.market = "edencare"
            try await wallet.hear(elsewhere.fined(700))
            #expect(try await wallet.balance(salem) == -700)
            #expect(try await wallet.writeOff(700, of: salem, try await wallet.admin()).status == 404)
            #expect(
                try await wallet.writeOff(
                    700, of: salem, try await wallet.admin(in: "edencare"), market: "edencare",
                    more: #", "currency": "SAR""#
                ).status == 200)
            try await wallet.expectSound()
        }
    }

    @Test("W6, W8: of two admins who write off the same debt at once no more is paid than was owed, 8 times")
    func atOnce() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (one, two) = (try await wallet.admin(), try await wallet.admin())
            for _ in 0..<8 {
                let (salem, _) = try await debt(wallet)
                let statuses = try await WalletFixture.statuses(2) { index in
                    try await wallet.writeOff(700, of: salem, index == 0 ? one : two).status
                }
                #expect(statuses == [200: 1, 409: 1])
                #expect(try await wallet.balance(salem) == -300)
            }
            try await wallet.expectSound()
        }
    }

    @Test("W8: a debt for money that the bank may still give back is not written off")
    func frozen() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let charge = try await wallet.topUp(5_000, salem)
            _ = try await wallet.held(salem, noura, amount: 5_000)
            try await wallet.dispute(charge, "created", "needs_response")
            #expect(try await wallet.balance(salem) == -5_000)
            let admin = try await wallet.admin()
            #expect(try await wallet.writeOff(5_000, of: salem, admin).slug == "write-off-wallet-frozen")
            _ = try await wallet.post(
                "markets/assef/wallets/\(salem.account.text)/unfreezing", admin, #"{"reason": "Stolen card."}"#)
            // The bank may still give it back, and the wallet would have it twice.
            #expect(try await wallet.writeOff(5_000, of: salem, admin).slug == "write-off-wallet-frozen")
            try await wallet.dispute(charge, "closed", "lost")
            #expect(try await wallet.writeOff(5_000, of: salem, admin).status == 200)
            #expect(try await wallet.balance(salem) == 0)
            try await wallet.expectSound()
        }
    }

    @Test("W8: money that the bank gives back after its debt was written off is the platform's, the rest the wallet's")
    func revised() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            let charge = try await wallet.topUp(3_000, salem)
            _ = try await wallet.held(salem, noura, amount: 2_600)
            let platform = try await wallet.platform()
            try await wallet.dispute(charge, "closed", "lost")
            #expect(try await wallet.balance(salem) == -2_600)
            _ = try await wallet.post(
                "markets/assef/wallets/\(salem.account.text)/unfreezing", admin, #"{"reason": "Stolen card."}"#)
            #expect(try await wallet.writeOff(2_600, of: salem, admin).status == 200)
            try await wallet.dispute(charge, "closed", "won")
            #expect(try await wallet.balance(salem) == 400)
            #expect(try await wallet.platform() == platform)
            let lines = try await wallet.lines(salem).filter { $0.hasPrefix("refund") }
            #expect(lines.contains("refund 2600 accepted") && lines.contains("refund -2600 accepted"), "\(lines)")
            try await wallet.expectSound()
        }
    }

    @Test("I12, W6: a receiver gives up what waits, to leave: his debtor owes less, and both statements say so")
    func givenUp() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = try await debt(wallet)
            func giveUp(_ amount: Int, _ person: Person) async throws -> Answer {
                try await wallet.post(
                    "waiting-money/waiver", person, #"{"amount": \#(amount), "currency": "SAR"}"#)
            }
            let other = try await giveUp(849, noura)
            #expect(other.status == 409 && other.slug == "waiting-money-changed", "\(other.text)")
            #expect(other.json["waiting"]?.integer == 850)
            #expect(try await giveUp(850, salem).status == 409)
            let given = try await giveUp(850, noura)
            #expect(given.status == 200 && given.json["givenUp"]?["amount"]?.integer == 850, "\(given.text)")
            #expect(try await wallet.balance(salem) == -150)
            #expect(try await wallet.balance(noura) == 0)
            #expect(try await waiting(wallet, noura) == 0)
            #expect(try await obstacles(wallet, noura).isEmpty)
            #expect(try await wallet.lines(noura) == ["fine 850 accepted", "refund -850 accepted"])
            #expect(try await wallet.lines(salem) == ["fine -1000 accepted", "refund 850 accepted"])
            let told = try await wallet.outbox(MoneyGivenUp.name.text)
            #expect(told.count == 1 && told.first?.contains(salem.account.text) == true)
            #expect(try await giveUp(850, noura).status == 409)
            // The platform gets a later payment of the debtor.
            try await wallet.withDeadlines { try await wallet.give(150, to: salem) }
            #expect(try await wallet.balance(noura) == 0)
            try await wallet.expectSound()
        }
    }

    @Test("I12, W6: a receiver gives up while the debtor pays: what waits comes once or is given up once, 12 times")
    func race() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            try await wallet.withDeadlines {
                for round in 0..<12 {
                    let (salem, noura) = try await debt(wallet)
                    async let paid: Void = wallet.give(400, to: salem)
                    async let answer = wallet.post(
                        "waiting-money/waiver", noura, #"{"amount": 850, "currency": "SAR"}"#)
                    let given = try await answer.status
                    try await paid
                    #expect([200, 409].contains(given))
                    let (left, came) = given == 200 ? (250, 0) : (-600, 400)
                    try await eventually("the debtor has \(left)") { try await wallet.balance(salem) == left }
                    try await eventually("the receiver has \(came)") { try await wallet.balance(noura) == came }
                    #expect(try await waiting(wallet, noura) == (given == 200 ? 0 : 450), "round \(round)")
                }
            }
            try await wallet.expectSound()
        }
    }
}

extension WalletFixture {
    func writeOff(
        _ amount: Int, of debtor: Person, _ admin: Person?, market: String = "assef", more: String = ""
    ) async throws -> Answer {
        try await post(
            "markets/\(market)/debtors/\(debtor.account.text)/write-off", admin,
            #"{"amount": \#(amount), "reason": "Cannot be reached any more."\#(more)}"#)
    }
}
