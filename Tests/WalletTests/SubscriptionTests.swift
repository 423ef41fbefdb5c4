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

@Suite("Subscriptions", .timeLimit(.minutes(15)))
struct SubscriptionTests {
    @Test("C8: a month is 30 days and a year 360; what is paid early begins at the end of what is paid already")
    func periods() {
        #expect(SubscriptionPlan.Period.monthly.seconds == 30 * 86_400 && SubscriptionPlan.Period.yearly.days == 360)
        var subscription = Subscription(id: UUID(), account: UUID(), market: "assef", currency: "SAR")
        let start = Date(timeIntervalSince1970: 1_000_000)
        let (first, second, third) = (UUID(), UUID(), UUID())
        #expect(subscription.refusal(at: start) == nil)
        let time = subscription.begin(first, of: .monthly, at: start)
        #expect(time.end == start.addingTimeInterval(30 * 86_400))
        #expect(subscription.refusal(at: start) == .alreadyActive(until: time.end))
        let near = time.end.addingTimeInterval(-86_400)
        #expect(subscription.refusal(at: near) == nil)
        let next = subscription.begin(second, of: .yearly, at: near)
        #expect(next.start == time.end && next.duration == 360 * 86_400)
        // The first period's end comes too late to end anything.
        #expect(!subscription.expire(first) && subscription.expire(second) && !subscription.expire(second))
        #expect(subscription.state == .expired && subscription.version == 3)
        let late = next.end.addingTimeInterval(500)
        #expect(subscription.begin(third, of: .monthly, at: late).start == late)
        subscription.wait(for: first)
        #expect(subscription.refusal(at: late.addingTimeInterval(30 * 86_400)) == .beingPaid)
    }

    @Test("C8: how it goes on, said with a card, counts from when the card has paid; a later word counts instead")
    func wishes() {
        let (start, card) = (Date(timeIntervalSince1970: 1_000_000), UUID())
        let (first, second, third) = (UUID(), UUID(), UUID())
        let wish = Subscription.Wish(renews: true, card: card, at: start)
        var subscription = Subscription(id: UUID(), account: UUID(), market: "assef", currency: "SAR")
        subscription.wait(for: first, wishing: wish)
        #expect(!subscription.renews && subscription.wish == wish)
        subscription.giveUp(second)
        #expect(subscription.wish == wish)
        subscription.giveUp(first)
        #expect(!subscription.renews && subscription.wish == nil)
        // The given up one's money comes after all.
        _ = subscription.begin(first, of: .monthly, at: start)
        #expect(!subscription.renews)
        subscription.wait(for: second, wishing: wish)
        _ = subscription.begin(second, of: .monthly, at: start.addingTimeInterval(60))
        #expect(subscription.renews && subscription.card == card && subscription.method == .card)
        #expect(subscription.chosenAt == start && subscription.wish == nil)
        subscription.wait(for: third, wishing: Subscription.Wish(renews: true, card: card, at: start))
        subscription.choose(renews: false, method: .wallet, card: nil, at: start)
        _ = subscription.begin(third, of: .monthly, at: start)
        #expect(!subscription.renews && subscription.pending == nil)
    }

    @Test("C8: a provider subscribes from the wallet, is told until when, and cannot pay twice")
    func fromWallet() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            let plan = try await wallet.plan(admin)
            let before = try await wallet.get("markets/assef/subscription", noura)
            #expect(before.json["state"]?.string == "none" && before.json["isRequired"]?.bool == true)
            let poor = try await wallet.subscribe(noura, to: plan)
            #expect(poor.status == 409 && poor.slug == "insufficient-funds", "\(poor.text)")
            try await wallet.give(20_000, to: noura)
            let key = UUID.timeOrdered().text
            let first = try await wallet.subscribe(noura, to: plan, key: key)
            #expect(first.status == 201 && first.json["state"]?.string == "active", "\(first.text)")
            #expect(try await wallet.subscribe(noura, to: plan, key: key).text == first.text)
            #expect(first.json["plan"]?["plan"]?.string == plan && first.json["plan"]?["name"]?.string == "Monthly")
            let own = try await wallet.call(.get, "markets/assef/subscription", noura, nil, language: "ar")
            #expect(own.json["plan"]?["name"]?.string == "شهري" && own.json["plan"]?["period"]?.string == "monthly")
            #expect(own.json["plan"]?["price"]?["amount"]?.integer == 9_900, "\(own.text)")
            let again = try await wallet.subscribe(noura, to: plan)
            #expect(again.status == 409 && again.slug == "already-subscribed", "\(again.text)")
            #expect(try await wallet.balance(noura) == 10_100)
            #expect(try await wallet.sum(.platform) == 9_900)
            let line = try #require(try await wallet.get("statement?kind=subscription", noura).items.first)
            #expect(line["amount"]?.integer == -9_900 && line["state"]?.string == "accepted")
            #expect(line["transaction"]?.string == "Subscription: Monthly" && line["beneficiary"]?.string == "Assef")
            let subscription = try await wallet.subscription(of: noura)
            #expect(abs((subscription.endsAt ?? .distantPast).timeIntervalSinceNow - 30 * 86_400) < 60)
            #expect(try await wallet.told(about: subscription.id) == ["started"])
            let figures = try await wallet.get("markets/assef/subscription-figures", admin).items.first
            #expect(figures?["subscribers"]?.integer == 1 && figures?["profit"]?["amount"]?.integer == 9_900)
            let subscribers = try await wallet.get("markets/assef/subscribers?state=active", admin).items
            #expect(subscribers.map { $0["account"]?.string } == [noura.account.text])
            #expect(subscribers.first?["planName"]?.string == "Monthly" && subscribers.first?["name"] == nil)
            #expect(subscribers.first?["price"]?["amount"]?.integer == 9_900)
            #expect(subscribers.first?["methodText"]?.string == "Wallet")
            let file = try await wallet.csv("markets/assef/subscribers.csv?state=active", admin)
            #expect(file.contains("\(noura.account.text),,\(plan),Monthly,Active,"), "\(file)")
            #expect(file.contains(",9900,SAR,Wallet,no,\r\n"), "\(file)")
            #expect(!(try await wallet.csv("markets/assef/subscribers.csv?state=expired", admin)).contains(plan))
            let sums = try await wallet.csv("markets/assef/subscription-figures.csv", admin)
            #expect(sums.contains("\(plan),Monthly,Monthly,9900,SAR,,1,1,0,9900\r\n"), "\(sums)")
            try await wallet.expectSound()
        }
    }

    @Test("C8: of many who subscribe at once for one provider one pays")
    func atOnce() async throws {
        try await WalletFixture.run { wallet in
            let plan = try await wallet.plan(try await wallet.admin())
            for _ in 0..<5 {
                let noura = try await wallet.people.provider()
                try await wallet.give(100_000, to: noura)
                let statuses = try await WalletFixture.statuses(8) { _ in
                    try await wallet.subscribe(noura, to: plan).status
                }
                #expect(statuses == [201: 1, 409: 7], "\(wallet.logs.text.suffix(2_000))")
                #expect(try await wallet.balance(noura) == 90_100)
                #expect(try await wallet.told(about: try await wallet.subscription(of: noura).id) == ["started"])
            }
            try await wallet.expectSound()
        }
    }

    @Test("C8: by card it begins when the payment provider has the money, and not when the card is refused")
    func byCard() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            let plan = try await wallet.plan(admin)
            let poor = try await wallet.card(noura, "4000000000009995")
            let lossy = try await wallet.card(noura, "4000000000007775")
            func subscribe(_ card: String) async throws -> Answer {
                try await wallet.post(
                    "markets/assef/subscription", noura,
                    #"{"plan": "\#(plan)", "price": 9900, "method": "card", "card": "\#(card)", "cvvToken": "cvctok_test"}"#
                )
            }
            let refused = try await subscribe(poor)
            #expect(refused.status == 202 && refused.json["isBeingPaid"]?.bool == true, "\(refused.text)")
            try await eventually("the refusal is known") {
                try await wallet.get("statement?kind=subscription&state=rejected", noura).items.first?["reason"]?.string
                    == "insufficient-funds"
            }
            #expect(try await wallet.subscription(of: noura).state == .none)
            #expect(try await subscribe(lossy).status == 202)
            #expect(try await subscribe(lossy).status == 409)
            try await eventually("it is paid") { try await wallet.subscription(of: noura).state == .active }
            #expect(wallet.books.captured == 9_900 && wallet.books.payments == 1)
            #expect(try await wallet.sum(.platform) == 9_900)
            #expect(try await wallet.sum(.external) == -9_900)
            try await wallet.expectSound()
        }
    }

    @Test("C8: it is renewed before its end where that was chosen, once, however often that is tried")
    func renewal() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            let plan = try await wallet.plan(admin)
            try await wallet.give(25_000, to: noura)
            _ = try await wallet.subscribe(noura, to: plan, renews: true)
            let first = try await wallet.subscription(of: noura)
            let period = try #require(first.period)
            let end = try #require(first.endsAt)
            let now = end.addingTimeInterval(-3_600)
            _ = try await WalletFixture.statuses(5) { _ in
                try await wallet.pool.withTransaction {
                    try await SubscriptionDeadlines.renew(after: period, at: now, in: $0)
                }
                return 0
            }
            let renewed = try await wallet.subscription(of: noura)
            #expect(renewed.endsAt == end.addingTimeInterval(30 * 86_400) && renewed.version == 2)
            #expect(try await wallet.balance(noura) == 5_200)
            // The wallet holds too little for the next: it is tried again later, and ends.
            let second = try #require(renewed.period)
            let later = try #require(renewed.endsAt)
            try await wallet.pool.withTransaction {
                try await SubscriptionDeadlines.renew(after: second, at: later.addingTimeInterval(-80_000), in: $0)
            }
            #expect(
                try await wallet.pool.query(ListDeadlines(subject: second)).sorted() == [
                    "subscription.expiry", "subscription.renewal",
                ])
            try await wallet.pool.withTransaction { try await SubscriptionDeadlines.expire(second, at: later, in: $0) }
            try await wallet.pool.withTransaction { try await SubscriptionDeadlines.expire(period, at: later, in: $0) }
            #expect(try await wallet.subscription(of: noura).state == .expired)
            #expect(
                try await wallet.told(about: first.id) == ["started", "started", "renewal_failed", "expired"])
            try await wallet.expectSound()
        }
    }

    @Test("C8: what has become dearer or has ended is not renewed by itself")
    func dearer() async throws {
        try await WalletFixture.run { wallet in
            let (noura, huda) = (try await wallet.people.provider(), try await wallet.people.provider("Huda"))
            let admin = try await wallet.admin()
            let plan = try await wallet.plan(admin)
            for person in [noura, huda] {
                try await wallet.give(50_000, to: person)
                _ = try await wallet.subscribe(person, to: plan, renews: true)
            }
            #expect(
                try await wallet.call(
                    .put, "markets/assef/subscription-plans/\(plan)", admin, WalletFixture.planBody(price: 9_901)
                ).status == 200)
            func renew(_ person: Person) async throws {
                let period = try #require(try await wallet.subscription(of: person).period)
                try await wallet.pool.withTransaction {
                    try await SubscriptionDeadlines.renew(after: period, at: Date(), in: $0)
                }
            }
            try await renew(noura)
            #expect(try await wallet.balance(noura) == 40_100)
            _ = try await wallet.call(
                .put, "markets/assef/subscription-plans/\(plan)", admin, WalletFixture.planBody(price: 9_000))
            try await renew(noura)
            #expect(try await wallet.balance(noura) == 31_100)
            #expect(try await wallet.post("markets/assef/subscription-plans/\(plan)/end", admin, "").status == 200)
            try await renew(huda)
            #expect(try await wallet.balance(huda) == 40_100)
            #expect(try await wallet.subscribe(huda, to: plan).codes == ["/plan": "no-such-plan"])
            #expect(
                try await wallet.told(about: try #require(UUID(uuidString: plan)))
                    == ["managed", "managed", "managed", "managed"])
        }
    }

    @Test("C8: of renewal and expiry at once one is first; paid once, and told as it is, 40 times")
    func renewalAgainstExpiry() async throws {
        try await WalletFixture.run { wallet in
            let plan = try await wallet.plan(try await wallet.admin())
            var renewals = 0
            for _ in 0..<40 {
                let noura = try await wallet.people.provider()
                try await wallet.give(30_000, to: noura)
                _ = try await wallet.subscribe(noura, to: plan, renews: true)
                let before = try await wallet.subscription(of: noura)
                let period = try #require(before.period)
                let end = try #require(before.endsAt)
                async let renewal: Void = wallet.pool.withTransaction {
                    try await SubscriptionDeadlines.renew(after: period, at: end.addingTimeInterval(-1), in: $0)
                }
                async let expiry: Void = wallet.pool.withTransaction {
                    try await SubscriptionDeadlines.expire(period, at: end, in: $0)
                }
                _ = try await (renewal, expiry)
                let after = try await wallet.subscription(of: noura)
                let told = try await wallet.told(about: after.id)
                if after.state == .active {
                    renewals += 1
                    #expect(told == ["started", "started"] && after.endsAt == end.addingTimeInterval(30 * 86_400))
                    #expect(try await wallet.balance(noura) == 10_200)
                } else {
                    #expect(told == ["started", "expired"] && after.state == .expired)
                    #expect(try await wallet.balance(noura) == 20_100)
                }
            }
            try await wallet.expectSound()
            #expect((0...40).contains(renewals))
        }
    }

    @Test("C8: the deadlines themselves renew and end it, in two processes at once")
    func deadlines() async throws {
        try await WalletFixture.run { wallet in
            let (noura, huda) = (try await wallet.people.provider(), try await wallet.people.provider("Huda"))
            let plan = try await wallet.plan(try await wallet.admin())
            for person in [noura, huda] { try await wallet.give(30_000, to: person) }
            _ = try await wallet.subscribe(noura, to: plan, renews: true)
            _ = try await wallet.subscribe(huda, to: plan)
            let runners = (0..<2).map { _ in wallet.parts.subscriptionRunner }
            let running = runners.map { runner in Task { try await runner.run() } }
            defer { for task in running { task.cancel() } }
            // Two processes may fire a renewal and an expiry of one moment in either order.
            for (person, kind) in [(noura, SubscriptionDeadlines.renewal), (huda, SubscriptionDeadlines.expiry)] {
                let period = try #require(try await wallet.subscription(of: person).period)
                try await wallet.pool.execute(BringDeadlineForward(kind: kind, subject: period))
            }
            try await eventually("the one has ended, the other goes on") {
                let (one, other) = (try await wallet.subscription(of: noura), try await wallet.subscription(of: huda))
                return one.version >= 2 && other.state == .expired
            }
            #expect(try await wallet.subscription(of: noura).state == .active)
            #expect(try await wallet.balance(noura) == 10_200)
            #expect(try await wallet.told(about: try await wallet.subscription(of: huda).id) == ["started", "expired"])
            try await wallet.expectSound()
        }
    }

    @Test("C8: plans are made by the market's admins, with name and brief in each of its languages")
    func plans() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            let elsewhere = try await wallet.admin(in: "hajji")
            let empty = try await wallet.post("markets/assef/subscription-plans", admin, "{}")
            #expect(empty.codes["/price"] == "required" && empty.codes["/name/ar"] == "required", "\(empty.text)")
            let plan = try await wallet.plan(admin)
            let arabic = try await wallet.call(.get, "markets/assef/subscription-plans", noura, nil, language: "ar")
            #expect(arabic.items.map { $0["name"]?.string } == ["شهري"])
            let body = WalletFixture.planBody(price: 1)
            for (person, status) in [(noura, 403), (elsewhere, 403), (nil, 401)] as [(Person?, Int)] {
                #expect(try await wallet.post("markets/assef/subscription-plans", person, body).status == status)
                #expect(
                    try await wallet.call(.put, "markets/assef/subscription-plans/\(plan)", person, body).status
                        == status)
                #expect(
                    try await wallet.post("markets/assef/subscription-plans/\(plan)/end", person, "").status == status)
                #expect(try await wallet.get("markets/assef/subscribers", person).status == status)
                #expect(try await wallet.get("markets/assef/subscription-figures", person).status == status)
            }
            let customer = try await wallet.people.customer()
            #expect(try await wallet.get("markets/assef/subscription-plans", customer).status == 403)
            #expect(try await wallet.subscribe(customer, to: plan).status == 403)
            #expect(try await wallet.get("markets/assef/subscription", customer).status == 403)
            #expect(try await wallet.get("markets/assef/subscription", nil).status == 401)
            let choice = #"{"renews": false}"#
            // Who is no provider any more may end it, and not begin it again.
            let anew = #"{"renews": true}"#
            #expect(try await wallet.call(.put, "markets/assef/subscription/renewal", customer, anew).status == 403)
            #expect(try await wallet.call(.put, "markets/assef/subscription/renewal", customer, choice).status == 404)
            #expect(try await wallet.call(.put, "markets/assef/subscription/renewal", noura, choice).status == 404)
            try await wallet.give(20_000, to: noura)
            _ = try await wallet.subscribe(noura, to: plan, renews: true)
            let chosen = try await wallet.call(.put, "markets/assef/subscription/renewal", noura, choice)
            #expect(chosen.status == 200 && chosen.json["renews"]?.bool == false, "\(chosen.text)")
        }
    }
}

/// The kinds of deadlines that wait for a subject.
private struct ListDeadlines: Statement {
    static let sql: SQL = "SELECT kind FROM deadlines WHERE subject = $1"
    let subject: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(subject.text) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// As if a period's time were over.
private struct BringDeadlineForward: Statement {
    static let sql: SQL = "UPDATE deadlines SET due_at = now() WHERE kind = $1 AND subject = $2"
    let kind: String
    let subject: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(kind, subject.text) }
}
