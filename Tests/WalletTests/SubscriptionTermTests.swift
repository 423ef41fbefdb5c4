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

@Suite("Terms of subscriptions", .timeLimit(.minutes(15)))
struct SubscriptionTermTests {
    @Test("C8: while the payment provider is down a provider may pay otherwise, and what turns up later is given back")
    func providerDown() async throws {
        try await WalletFixture.run(workers: 0, tries: 2) { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            let plan = try await wallet.plan(admin)
            let card = try await wallet.card(noura)
            let asked = try await wallet.post(
                "markets/assef/subscription", noura,
                #"{"plan": "\#(plan)", "price": 9900, "method": "card", "card": "\#(card)", "cvvToken": "cvctok_test"}"#
            )
            #expect(asked.status == 202, "\(asked.text)")
            let charge = try #require(try await wallet.pool.query(ClaimCharges(limit: 10, leaseSeconds: 600)).first)
            // It is paid there, and nobody hears of it.
            _ = await wallet.parts.provider.ask(.take, charge)
            #expect(wallet.books.captured == 9_900)
            wallet.sandbox.forgetKeys()
            wallet.setProviderDown(true)
            try await wallet.checkNow()
            try await wallet.working {
                try await eventually("it is given up") { try await wallet.subscription(of: noura).pending == nil }
            }
            let line = try #require(try await wallet.get("statement?kind=subscription", noura).items.first)
            #expect(line["state"]?.string == "rejected" && line["reason"]?.string == "provider-down")
            try await wallet.give(10_000, to: noura)
            #expect(try await wallet.subscribe(noura, to: plan).status == 201)
            wallet.setProviderDown(false)
            try await wallet.checkNow()
            try await wallet.working {
                try await eventually("it is given back", value: { wallet.books.refunded }) { $0 == 9_900 }
            }
            let subscription = try await wallet.subscription(of: noura)
            #expect(subscription.version == 1 && subscription.state == .active && subscription.pending == nil)
            #expect(try await wallet.told(about: subscription.id) == ["started"])
            #expect(try await wallet.balance(noura) == 100)
            try await wallet.expectSound()
        }
    }

    /// Why a renewal fails, and by what it is to be paid.
    private static let failures = [
        ("insufficient-funds", "wallet"), ("plan-changed", "wallet"), ("account-blocked", "wallet"),
        ("no-such-card", "card"), ("insufficient-funds", "card"),
    ]

    @Test(
        "C8: a renewal that fails is told once for its period, whatever the reason and however often it is tried",
        arguments: failures)
    func failedRenewal(reason: String, method: String) async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            let plan = try await wallet.plan(admin)
            try await wallet.give(9_900, to: noura)
            #expect(try await wallet.subscribe(noura, to: plan, renews: true).status == 201)
            if method == "card" {
                let card = try await wallet.card(noura, "4000000000009995")
                let choice = #"{"renews": true, "method": "card", "card": "\#(card)"}"#
                let chosen = try await wallet.call(.put, "markets/assef/subscription/renewal", noura, choice)
                #expect(chosen.status == 200, "\(chosen.text)")
                if reason == "no-such-card" {
                    #expect(try await wallet.call(.delete, "cards/\(card)?confirm=true", noura, nil).status == 204)
                }
            } else if reason == "plan-changed" {
                _ = try await wallet.call(
                    .put, "markets/assef/subscription-plans/\(plan)", admin, WalletFixture.planBody(price: 9_901))
            } else if reason == "account-blocked" {
                try await wallet.hear(Orders.accepted(by: noura, try await wallet.people.provider("Huda")).fined(500))
                try await wallet.pool.withTransaction { transaction in
                    _ = try await transaction.query(
                        BlockAccount(account: noura.account, market: "assef", currency: "SAR"))
                }
            }
            let subscription = try await wallet.subscription(of: noura)
            let (period, end) = (try #require(subscription.period), try #require(subscription.endsAt))
            for hours in [20.0, 14, 8] {
                try await wallet.pool.withTransaction {
                    try await SubscriptionDeadlines.renew(
                        after: period, at: end.addingTimeInterval(-hours * 3_600), in: $0)
                }
                try await eventually("its card is not being asked") {
                    try await wallet.subscription(of: noura).pending == nil
                }
            }
            #expect(try await wallet.told(about: subscription.id) == ["started", "renewal_failed"])
            let told = try await wallet.outbox(SubscriptionRenewalFailed.name.text)
            let event = try JSONValue(parsing: try #require(told.first).utf8)
            #expect(event["reason"]?.string == reason, "\(told)")
            #expect(event["period"]?.string.flatMap(UUID.init(uuidString:)) == period)
            #expect(try await wallet.subscription(of: noura).state == .active)
            try await wallet.expectSound()
        }
    }

    @Test("C8: a renewal that succeeds after it has failed begins a period whose own failure is told again")
    func failedRenewals() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            let plan = try await wallet.plan(try await wallet.admin())
            try await wallet.give(9_900, to: noura)
            _ = try await wallet.subscribe(noura, to: plan, renews: true)
            func renew(hours: Double) async throws {
                let subscription = try await wallet.subscription(of: noura)
                let (period, end) = (try #require(subscription.period), try #require(subscription.endsAt))
                try await wallet.pool.withTransaction {
                    try await SubscriptionDeadlines.renew(
                        after: period, at: end.addingTimeInterval(-hours * 3_600), in: $0)
                }
            }
            try await renew(hours: 20)
            try await wallet.give(9_900, to: noura)
            try await renew(hours: 14)
            try await renew(hours: 20)
            #expect(
                try await wallet.told(about: try await wallet.subscription(of: noura).id)
                    == ["started", "renewal_failed", "started", "renewal_failed"])
        }
    }

    @Test(
        "C8, I11: who is banned for longer than is paid is not renewed; a shorter ban changes nothing"
    )
    func banned() async throws {
        try await WalletFixture.run { wallet in
            #expect(wallet.parts.handlers.names.contains(AccountBanned.name))
            let plan = try await wallet.plan(try await wallet.admin())
            for (market, days, renews) in [
                ("assef", nil, false), ("*", nil, false), ("*", 60, false), ("assef", 7, true), ("hajji", nil, true),
            ] as [(String, Double?, Bool)] {
                let noura = try await wallet.people.provider()
                try await wallet.give(30_000, to: noura)
                _ = try await wallet.subscribe(noura, to: plan, renews: true)
                let subscription = try await wallet.subscription(of: noura)
                let period = try #require(subscription.period)
                let now = try #require(subscription.endsAt).addingTimeInterval(-3_600)
                let ban = AccountBanned(
                    account: noura.account, market: market, reason: "Did not come.",
                    until: days.map { Date().addingTimeInterval($0 * 86_400) }, by: .timeOrdered(), version: 3,
                    at: Date())
                try await wallet.pool.withTransaction { RenewalStopHandlers.keep(ban, in: $0) }
                #expect(try await wallet.subscription(of: noura).renews == renews, "\(market)")
                try await wallet.pool.withTransaction {
                    try await SubscriptionDeadlines.renew(after: period, at: now, in: $0)
                }
                #expect(try await wallet.balance(noura) == (renews ? 10_200 : 20_100), "\(market)")
            }
            try await wallet.expectSound()
        }
    }

    @Test("C8, I13: whom an admin takes out of a market is not renewed there, and others are")
    func removed() async throws {
        try await WalletFixture.run { wallet in
            #expect(wallet.parts.handlers.names.contains(AccountManaged.name))
            let plan = try await wallet.plan(try await wallet.admin())
            for (act, market, renews) in [
                (.removed, "assef", false), (.removed, "carrepsa", true), (.invited, "assef", true),
            ] as [(AccountManaged.Act, String, Bool)] {
                let noura = try await wallet.people.provider()
                try await wallet.give(30_000, to: noura)
                _ = try await wallet.subscribe(noura, to: plan, renews: true)
                let managed = AccountManaged(
                    account: noura.account, market: market, act: act, by: .timeOrdered(), at: Date())
                try await wallet.pool.withTransaction { RenewalStopHandlers.keep(managed, in: $0) }
                #expect(try await wallet.subscription(of: noura).renews == renews, "\(act) \(market)")
            }
        }
    }

    @Test("C8: a period that begins late leaves another one that is being paid as it is")
    func lateBeginning() {
        var subscription = Subscription(id: UUID(), account: UUID(), market: "assef", currency: "SAR")
        let (late, asked) = (UUID(), UUID())
        subscription.wait(for: asked)
        _ = subscription.begin(late, of: .monthly, at: Date())
        #expect(subscription.pending == asked)
        _ = subscription.begin(asked, of: .monthly, at: Date())
        #expect(subscription.pending == nil)
    }

    @Test("C8: a provider pays the price that was shown, or nothing")
    func price() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            let plan = try await wallet.plan(admin)
            try await wallet.give(30_000, to: noura)
            let bare = try await wallet.post(
                "markets/assef/subscription", noura, #"{"plan": "\#(plan)", "method": "wallet"}"#)
            #expect(bare.codes == ["/price": "required"], "\(bare.text)")
            _ = try await wallet.call(
                .put, "markets/assef/subscription-plans/\(plan)", admin, WalletFixture.planBody(price: 10_000))
            let changed = try await wallet.subscribe(noura, to: plan)
            #expect(changed.status == 409 && changed.slug == "plan-price-changed", "\(changed.text)")
            #expect(changed.json["price"]?.integer == 10_000)
            #expect(try await wallet.balance(noura) == 30_000)
            #expect(try await wallet.subscribe(noura, to: plan, price: 10_000).status == 201)
            // While an admin changes it, who pays pays what was shown.
            for round in 0..<20 {
                let huda = try await wallet.people.provider("Huda")
                try await wallet.give(30_000, to: huda)
                let (old, new) = round % 2 == 0 ? (10_000, 12_000) : (12_000, 10_000)
                async let change = wallet.call(
                    .put, "markets/assef/subscription-plans/\(plan)", admin, WalletFixture.planBody(price: new))
                let answer = try await wallet.subscribe(huda, to: plan, price: old)
                #expect(try await change.status == 200)
                #expect([201, 409].contains(answer.status), "\(answer.text)")
                #expect(try await wallet.balance(huda) == (answer.status == 201 ? 30_000 - old : 30_000))
            }
            try await wallet.expectSound()
        }
    }

    @Test("C8: until when it holds is told as a day of the market, not of another zone")
    func day() throws {
        let market = try #require(Market.named("assef"))
        // Half past one in the night of Riyadh.
        let refusal = Subscription.Refusal.alreadyActive(until: Date(timeIntervalSince1970: 1_772_404_200))
        #expect(refusal.problem(by: market.defaults).arguments["until"] == "2026-03-02")
    }
}
