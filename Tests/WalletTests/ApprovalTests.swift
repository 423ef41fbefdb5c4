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

/// The threshold of the market assef is 200 000 minor units where an admin has said nothing else.
@Suite("Second approvals", .timeLimit(.minutes(10)))
struct ApprovalTests {
    @Test("A1: an approval is decided once, never approved by who began it, and may be taken back by him")
    func rules() throws {
        let (first, second, now) = (UUID(), UUID(), Date())
        let begun = Approval(
            id: UUID(), market: "assef", kind: .refund, subject: UUID(), currency: "SAR", amount: 1, wish: nil,
            begunBy: first, begunAt: now)
        for trigger in Approval.Trigger.allCases {
            for admin in [first, second] {
                var approval = begun
                let reason = trigger == .reject ? "No." : nil
                if trigger == .approve, admin == first {
                    #expect(throws: Approval.Refusal.ownMatter) {
                        try approval.decide(rejecting: reason, by: admin, at: now)
                    }
                    #expect(approval == begun)
                } else {
                    try approval.decide(rejecting: reason, by: admin, at: now)
                    let state = approval.state
                    #expect(throws: Approval.Refusal.decided(state)) {
                        try approval.decide(rejecting: nil, by: UUID(), at: now)
                    }
                }
            }
        }
        #expect(!SecondApprovalRule.isNeeded(200, after: 0, above: 200))
        #expect(SecondApprovalRule.isNeeded(201, after: 0, above: 200))
        #expect(SecondApprovalRule.isNeeded(1, after: 200, above: 200))
        #expect(SecondApprovalRule.isNeeded(nil, after: 0, above: 200))
        #expect(SecondApprovalRule.isNeeded(.max, after: 1, above: 200))
    }

    @Test("A1, W5: a cash-out above the threshold is paid after two admins have accepted it, and not by one twice")
    func cashOut() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            let (one, two) = (try await wallet.admin(), try await wallet.admin())
            try await wallet.give(400_000, to: noura)
            let id = try #require(try await wallet.cashOut(200_001, noura).json["cashOut"]?.string)
            let first = try await wallet.decide(id, one, accept: true)
            #expect(first.status == 200 && first.json["state"]?.string == "waiting", "\(first.text)")
            #expect(first.json["acceptedFirstBy"]?.string == one.account.text)
            #expect(try await wallet.decide(id, one, accept: true).slug == "own-matter")
            let waiting = try await wallet.get("markets/assef/approvals", two).items
            let approval = try #require(waiting.first?["approval"]?.string)
            #expect(waiting.map { $0["subject"]?.string } == [id] && waiting[0]["kind"]?.string == "cashOut")
            #expect(try await wallet.approve(approval, one).slug == "own-matter")
            #expect(try await wallet.approve(approval, noura).status == 403)
            #expect(try await wallet.approve(approval, try await wallet.admin(in: "hajji")).status == 403)
            let approved = try await wallet.approve(approval, two)
            #expect(approved.status == 200 && approved.json["state"]?.string == "approved", "\(approved.text)")
            #expect(try await wallet.approve(approval, two).status == 409)
            try await wallet.pays(id, until: .paid)
            #expect(try await wallet.get("markets/assef/approvals", two).items.isEmpty)
            #expect(try await wallet.get("markets/assef/approvals?state=approved", two).items.count == 1)
            let told = try await wallet.told(about: try #require(UUID(uuidString: approval)))
            #expect(told == ["changed", "changed"])
            // What was paid out in a day counts together: a further small one is not one admin's either.
            let small = try #require(try await wallet.cashOut(1_000, noura).json["cashOut"]?.string)
            #expect(try await wallet.decide(small, one, accept: true).json["state"]?.string == "waiting")
            // The second one may decide at the cash-out, too; to reject takes one.
            #expect(try await wallet.decide(small, two, accept: false).json["state"]?.string == "rejected")
            #expect(try await wallet.balance(noura) == 199_999)
            try await wallet.expectSound()
        }
    }

    @Test("A1, W5: of two admins that accept a large cash-out at once one is the first, 10 times")
    func atOnce() async throws {
        try await WalletFixture.run { wallet in
            let (one, two) = (try await wallet.admin(), try await wallet.admin())
            for _ in 0..<10 {
                let noura = try await wallet.people.provider()
                try await wallet.give(300_000, to: noura)
                let id = try #require(try await wallet.cashOut(300_000, noura).json["cashOut"]?.string)
                let statuses = try await WalletFixture.statuses(2) { index in
                    try await wallet.decide(id, index == 0 ? one : two, accept: true).status
                }
                #expect(statuses == [200: 2])
                let shown = try await wallet.get("markets/assef/cash-outs/\(id)", one)
                #expect(shown.json["state"]?.string == "paying", "\(shown.text)")
            }
        }
    }

    @Test("A1: an admin who asked for a cash-out decides nothing about it, neither first nor second")
    func ownCashOut() async throws {
        try await WalletFixture.run { wallet in
            let one = try await wallet.admin()
            let two = try await wallet.people.person("Admin", roles: ["admin", "provider"])
            try await wallet.give(300_000, to: two)
            let id = try #require(try await wallet.cashOut(300_000, two).json["cashOut"]?.string)
            #expect(try await wallet.decide(id, two, accept: false).slug == "own-matter")
            #expect(try await wallet.decide(id, one, accept: true).status == 200)
            let approval = try await wallet.get("markets/assef/approvals", two).items.first?["approval"]?.string
            #expect(try await wallet.approve(try #require(approval), two).slug == "own-matter")
            #expect(try await wallet.decide(id, two, accept: true).slug == "own-matter")
        }
    }

    @Test("A1, W8: a refund from the platform above the threshold waits, and is made when a second admin approves it")
    func refund() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (one, two) = (try await wallet.admin(), try await wallet.admin())
            try await wallet.give(600_000, to: salem)
            let order = try await wallet.accepted(salem, noura, amount: 600_000)
            #expect(try await wallet.pay(order, salem, by: "wallet").status == 202)
            try await wallet.hear(order.now(.completed))
            func refund(_ amount: Int, by funder: String = "platform", _ admin: Person) async throws -> Answer {
                try await wallet.post(
                    "orders/\(order.order.text)/refunds", admin,
                    #"{"amount": \#(amount), "to": "wallet", "fundedBy": "\#(funder)", "reason": "It was late."}"#)
            }
            #expect(try await refund(150_000, one).status == 201)
            // Together with the first one it is above.
            let asked = try await refund(100_000, one)
            #expect(asked.status == 202 && asked.json["state"]?.string == "waiting", "\(asked.text)")
            #expect(try await wallet.balance(salem) == 150_000)
            let approval = try #require(asked.json["approval"]?.string)
            #expect(try await wallet.approve(approval, one).slug == "own-matter")
            #expect(try await wallet.approve(approval, two).status == 200)
            #expect(try await wallet.balance(salem) == 250_000)
            // What others fund is their money; what could not be made does not wait.
            #expect(try await refund(300_000, by: "provider", one).status == 201)
            #expect(try await refund(600_000, one).slug == "refund-above-captured")
            // When it is approved it has to be possible still.
            let left = try #require(try await refund(50_000, one).json["approval"]?.string)
            #expect(try await refund(50_000, by: "provider", one).status == 201)
            #expect(try await wallet.approve(left, two).slug == "refund-above-captured")
            let rejected = try await wallet.post(
                "markets/assef/approvals/\(left)/decision", one, #"{"approve": false, "reason": "Not needed."}"#)
            #expect(rejected.json["state"]?.string == "rejected", "\(rejected.text)")
            #expect(try await wallet.balance(salem) == 600_000)
            try await wallet.expectSound()
        }
    }

    @Test(
        "A1, W8: what a provider may owe of a refund is the platform's: above the threshold, or a day's sum, it waits")
    func owed() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (one, two) = (try await wallet.admin(), try await wallet.admin())
            try await wallet.give(900_000, to: salem)
            let order = try await wallet.captured(salem, noura, amount: 900_000)
            let earned = try await wallet.balance(noura)
            // The provider has spent nearly all of it.
            _ = try await wallet.held(noura, try await wallet.people.provider("Huda"), amount: earned - 40_000)
            func refund(_ amount: Int, _ admin: Person, mayOwe: Bool = true) async throws -> Answer {
                try await wallet.refund(
                    order, admin, amount, fundedBy: "provider", more: #", "mayOwe": \#(mayOwe)"#)
            }
            let asked = try await refund(400_000, one)
            #expect(asked.status == 202 && asked.json["state"]?.string == "waiting", "\(asked.text)")
            #expect(asked.json["details"]?["mayOwe"]?.string == "true")
            #expect(try await wallet.balance(noura) == 40_000)
            #expect(try await wallet.balance(salem) == 0)
            #expect(try await refund(400_000, one, mayOwe: false).slug == "refund-not-covered")
            // What is in the wallet is the provider's own; only what is owed counts, with what was owed in the day.
            #expect(try await refund(140_000, one).status == 201)
            #expect(try await wallet.balance(noura) == -100_000)
            #expect(try await refund(100_000, one).status == 201)
            #expect(try await refund(1, one).status == 202)
            let platform = try await wallet.refund(order, one, 1)
            #expect(platform.status == 202, "\(platform.text)")
            let approval = try #require(asked.json["approval"]?.string)
            #expect(try await wallet.approve(approval, one).slug == "own-matter")
            #expect(try await wallet.approve(approval, two).status == 200)
            #expect(try await wallet.balance(noura) == -600_000)
            try await wallet.expectSound()
        }
    }

    @Test(
        "A1, W8: refunds of an order that wait are together no more than was paid; the words say what stands in the way"
    )
    func togetherWaiting() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let one = try await wallet.admin()
            try await wallet.give(600_000, to: salem)
            let order = try await wallet.captured(salem, noura, amount: 600_000)
            let statuses = try await WalletFixture.statuses(6) { _ in
                try await wallet.refund(order, one, 600_000).status
            }
            #expect(statuses == [202: 1, 409: 5])
            let more = try await wallet.refund(order, one, 1_000)
            #expect(more.slug == "refund-waits", "\(more.text)")
            #expect(try await wallet.get("markets/assef/approvals", one).items.count == 1)
        }
    }

    @Test("A1, C7: of codes with one name one waits, and what cannot be made any more says so")
    func sameCode() async throws {
        try await WalletFixture.run { wallet in
            let (one, two) = (try await wallet.admin(), try await wallet.admin())
            @Sendable func make(_ terms: String, _ admin: Person, language: String = "en") async throws -> Answer {
                try await wallet.call(
                    .post, "markets/assef/promo-codes", admin,
                    #"{"code": "WHOLE", "limitPerAccount": 1, "limit": 1, \#(terms)}"#, key: UUID.timeOrdered().text,
                    language: language)
            }
            let whole = #""basisPoints": 10000, "maximum": 100"#
            let statuses = try await WalletFixture.statuses(8) { index in
                try await make(whole, index % 2 == 0 ? one : two).status
            }
            #expect(statuses == [202: 1, 409: 7])
            let small = #""amount": 100, "minimumPrice": 200"#
            for language in ["en", "ar"] {
                let refused = try await make(small, two, language: language)
                #expect(refused.status == 409 && refused.slug == "promo-code-waits", "\(refused.text)")
            }
            let waiting = try await wallet.get("markets/assef/approvals", one).items
            #expect(waiting.count == 1)
            let begun = try #require(waiting.first?["begunBy"]?.string)
            let second = begun == one.account.text ? two : one
            let approval = try #require(waiting.first?["approval"]?.string)
            // One that was made before such were kept apart.
            let old = InsertOldPromoCode(code: "WHOLE")
            try await wallet.pool.execute(old)
            let taken = try await wallet.approve(approval, second)
            #expect(taken.status == 409 && taken.slug == "promo-code-taken", "\(taken.text)")
            let rejected = try await wallet.post(
                "markets/assef/approvals/\(approval)/decision", second, #"{"approve": false, "reason": "Taken."}"#)
            #expect(rejected.json["state"]?.string == "rejected", "\(rejected.text)")
        }
    }

    @Test("A1: who is part of an order does not approve its refund")
    func party() async throws {
        try await WalletFixture.run { wallet in
            let (two, noura) = (try await wallet.admin(), try await wallet.people.provider())
            let one = try await wallet.admin()
            try await wallet.give(600_000, to: two)
            let order = try await wallet.accepted(two, noura, amount: 600_000)
            #expect(try await wallet.pay(order, two, by: "wallet").status == 202)
            try await wallet.hear(order.now(.completed))
            let asked = try await wallet.post(
                "orders/\(order.order.text)/refunds", one,
                #"{"amount": 300000, "to": "wallet", "fundedBy": "platform", "reason": "It was late."}"#)
            let approval = try #require(asked.json["approval"]?.string)
            #expect(try await wallet.approve(approval, two).slug == "own-matter")
            #expect(try await wallet.balance(two) == 0)
        }
    }

    @Test(
        "A1, C7: a code of a whole price, or that may cost more than the threshold, is none until a second admin approves"
    )
    func promoCode() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (one, two) = (try await wallet.admin(), try await wallet.admin())
            func make(_ code: String, _ terms: String, _ admin: Person) async throws -> Answer {
                try await wallet.post(
                    "markets/assef/promo-codes", admin, #"{"code": "\#(code)", "limitPerAccount": 1, \#(terms)}"#)
            }
            for (code, terms) in [
                ("WHOLE", #""basisPoints": 10000, "maximum": 100, "limit": 1"#),
                ("AMOUNT", #""amount": 100, "limit": 1"#),
                ("COSTLY", #""basisPoints": 1000, "maximum": 1000, "limit": 201"#),
            ] {
                let asked = try await make(code, terms, one)
                #expect(asked.status == 202 && asked.json["details"]?["code"]?.string == code, "\(asked.text)")
            }
            // Two that are small alone are not small together.
            #expect(try await make("SMALL", #""amount": 100, "minimumPrice": 200, "limit": 1500"#, one).status == 201)
            let more = #""amount": 100, "minimumPrice": 200, "limit": 1500"#
            #expect(try await make("MORE", more, one).status == 202)
            #expect(try await make("OTHER", more, two).status == 201)

            let order = try await wallet.accepted(salem, noura, amount: 5_000)
            let path = "orders/\(order.order.text)/promotion?code="
            #expect(try await wallet.get(path + "whole", salem).status == 422)
            // A moment later it is certain that none comes before them.
            let waiting = try await eventually(
                "both are on the page", value: { try await wallet.get("markets/assef/approvals?limit=2", two) }
            ) { $0.items.count == 2 }
            let next = try #require(waiting.json["next"]?.string ?? waiting.json["nextCursor"]?.string)
            let rest = try await wallet.get("markets/assef/approvals?limit=2&cursor=\(next)", two)
            #expect(rest.items.count == 2)
            let whole = try #require(waiting.items.first?["approval"]?.string)
            #expect(try await wallet.approve(whole, one).slug == "own-matter")
            #expect(try await wallet.approve(whole, two).status == 200)
            #expect(try await wallet.get(path + "whole", salem).json["discount"]?["amount"]?.integer == 100)
        }
    }

    @Test("C7: codes of before that lack a cap are over after the migration, and told so; others go on")
    func migrated() async throws {
        let before = WalletService.migrations.filter { $0.component != "wallet" || $0.version < 29 }
        try await TestDatabase.withDatabase(before) { database in
            try await database.withPool { pool in
                let old = InsertOldPromoCode(code: "OLD")
                let capped = InsertOldPromoCode(code: "CAPPED", limit: 5)
                try await pool.execute(old)
                try await pool.execute(capped)
                try await Migrator(pool, WalletService.migrations, logger: TestThreads.logger).migrate()
                func found(_ code: String) async throws -> PromoCode? {
                    try await pool.first(FindPromoCodeByText(market: "assef", code: code))?.code
                }
                #expect(try await found("OLD")?.endedAt != nil)
                #expect(try await found("CAPPED")?.endedAt == nil)
                let untold = FindUnpublishedPromoCodes(limit: 10, currencies: .unknown)
                #expect(try await pool.query(untold).contains(try #require(try await found("OLD")).id))
            }
        }
    }
}

private struct InsertOldPromoCode: Statement {
    static let sql: SQL = """
        INSERT INTO promo_codes (
            id, market, currency, code, amount, starts_at, minimum_price, use_limit, limit_per_account, made_by, made_at)
        VALUES ($1, 'assef', 'SAR', $2, 100, now(), 0, $3, $3, $1, now())
        """
    let code: String
    var limit: Int?
    func bind(_ bindings: inout Bindings) { bindings.append(UUID.timeOrdered(), code, limit) }
}
