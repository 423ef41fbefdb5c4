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

@Suite("Plans whose period changes, and what admins see of subscribers", .timeLimit(.minutes(15)))
struct SubscriberTests {
    private static let yearly = WalletFixture.planBody(price: 9_900).replacing("monthly", with: "yearly")

    @Test(
        "C8: an admin gives a plan another period; what is paid keeps its own, and who was shown another one pays nothing"
    )
    func period() async throws {
        try await WalletFixture.run { wallet in
            let (noura, huda) = (try await wallet.people.provider(), try await wallet.people.provider("Huda"))
            let admin = try await wallet.admin()
            let plan = try await wallet.plan(admin)
            try await wallet.give(30_000, to: noura)
            try await wallet.give(30_000, to: huda)
            #expect(try await wallet.subscribe(noura, to: plan, renews: true).status == 201)
            let path = "markets/assef/subscription-plans/\(plan)"
            let wrong = try await wallet.call(
                .put, path, admin, Self.yearly.replacing("yearly", with: "weekly"))
            #expect(wrong.codes.keys.sorted() == ["/period"], "\(wrong.text)")
            let changed = try await wallet.call(.put, path, admin, Self.yearly)
            #expect(
                changed.json["period"]?.string == "yearly" && changed.json["days"]?.integer == 360, "\(changed.text)")
            #expect(changed.json["periodText"]?.string == "Yearly")
            // Without it the period stays.
            let body = Self.yearly.replacing(#""period": "yearly","#, with: "")
            #expect(try await wallet.call(.put, path, admin, body).json["period"]?.string == "yearly")
            let own = try await wallet.get("markets/assef/subscription", noura)
            #expect(own.json["plan"]?["period"]?.string == "monthly", "\(own.text)")
            let subscription = try await wallet.subscription(of: noura)
            #expect(abs((subscription.endsAt ?? .distantPast).timeIntervalSinceNow - 30 * 86_400) < 60)
            // A renewal takes no other period without a word of the provider.
            let (bought, end) = (try #require(subscription.period), try #require(subscription.endsAt))
            try await wallet.pool.withTransaction {
                try await SubscriptionDeadlines.renew(after: bought, at: end.addingTimeInterval(-3_600), in: $0)
            }
            #expect(try await wallet.told(about: subscription.id) == ["started", "renewal_failed"])
            func subscribe(_ period: String) async throws -> Answer {
                try await wallet.post(
                    "markets/assef/subscription", huda,
                    #"{"plan": "\#(plan)", "price": 9900, "period": "\#(period)", "method": "wallet"}"#)
            }
            let refused = try await subscribe("monthly")
            #expect(refused.status == 409 && refused.slug == "plan-period-changed", "\(refused.text)")
            #expect(refused.json["period"]?.string == "yearly")
            #expect(try await wallet.balance(huda) == 30_000)
            #expect(try await subscribe("yearly").status == 201)
            let hers = try await wallet.subscription(of: huda)
            #expect(abs((hers.endsAt ?? .distantPast).timeIntervalSinceNow - 360 * 86_400) < 60)
            try await wallet.expectSound()
        }
    }

    @Test("C8, W8: admins see subscribers by name, with plan, begin, price and way to pay, in their language")
    func details() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider("Noura"))
            let admin = try await wallet.admin()
            let plan = try await wallet.plan(admin)
            try await wallet.give(24_000, to: salem)
            try await wallet.give(30_000, to: noura)
            _ = try await wallet.captured(salem, noura)
            #expect(try await wallet.subscribe(noura, to: plan).status == 201)
            let list = try await wallet.call(.get, "markets/assef/subscribers", admin, nil, language: "ar")
            let one = try #require(list.items.first)
            #expect(one["name"]?.string == "Noura" && one["planName"]?.string == "شهري", "\(list.text)")
            #expect(one["stateText"]?.string == "سارٍ" && one["methodText"]?.string == "المحفظة")
            #expect(one["price"]?["amount"]?.integer == 9_900 && one["method"]?.string == "wallet")
            let begin = one["startsAt"]?.string ?? ""
            #expect(abs((Timestamp.parse(begin) ?? .distantPast).timeIntervalSinceNow) < 60, "\(list.text)")
            let file = try await wallet.csv("markets/assef/subscribers.csv", admin, language: "ar")
            #expect(file.contains("\(noura.account.text),Noura,\(plan),شهري,سارٍ,"), "\(file)")
            #expect(file.contains(",9900,SAR,المحفظة,لا,") && file.contains("الاسم"), "\(file)")
            // Who has never earned is known by the card.
            let huda = try await wallet.people.provider("Huda")
            try await wallet.give(30_000, to: huda)
            #expect(try await wallet.subscribe(huda, to: plan).status == 201)
            let named = try await wallet.get("markets/assef/subscribers", admin).items
            #expect(named.first { $0["account"]?.string == huda.account.text }?["name"] == nil)
            _ = try await wallet.card(huda)
            let holder = try await wallet.get("markets/assef/subscribers", admin).items
                .first { $0["account"]?.string == huda.account.text }?["name"]?.string
            #expect(holder != nil && holder != "Assef")
        }
    }

    @Test("W1, P7: the platform has its name of the reader's language, in the statement and in its file")
    func platformName() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.pay(order, salem, by: "cash")
            try await wallet.hear(order.now(.completed))
            let arabic = try await wallet.call(.get, "statement", noura, nil, language: "ar").items
            #expect(arabic.map { $0["beneficiary"]?.string } == ["أسعف"])
            #expect(arabic.map { $0["payer"]?.string } == ["Noura"])
            let file = try await wallet.csv("statement.csv", noura, language: "ar")
            #expect(file.contains(",Noura,أسعف,") && !file.contains("Assef"), "\(file)")
            #expect(try await wallet.csv("statement.csv", noura).contains(",Noura,Assef,"))
        }
    }

    @Test("I13: an admin sees the balance of a restaurant's owner, who only sells")
    func merchant() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (admin, bakery) = (try await wallet.admin(), try await wallet.people.provider("Bakery"))
            try await wallet.give(50_000, to: salem)
            let path = "markets/assef/wallets?accounts=\(bakery.account.text)"
            #expect(try await wallet.get(path, admin).items.isEmpty)
            try await CommissionTests.meal(wallet, salem, noura, bakery, cost: 3_333)
            let list = try await wallet.get(path, admin)
            let earned = try await wallet.balance(bakery)
            #expect(earned > 0)
            #expect(list.items.map { $0["balance"]?["amount"]?.integer } == [earned], "\(list.text)")
        }
    }
}
