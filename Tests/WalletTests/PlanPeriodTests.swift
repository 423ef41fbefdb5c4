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

@Suite("Plans of any period", .timeLimit(.minutes(15)))
struct PlanPeriodTests {
    private typealias Period = SubscriptionPlan.Period

    @Test(
        "C8: a period is a number of days, weeks or months; one month and twelve have words, and none is longer than three years"
    )
    func forms() {
        let written: [(String, Int)] = [
            ("monthly", 30), ("yearly", 360), ("P1D", 1), ("P10D", 10), ("P2W", 14), ("P3M", 90), ("P1080D", 1_080),
            ("P36M", 1_080),
        ]
        for (text, days) in written {
            let period = Period(rawValue: text)
            #expect(period?.days == days && period?.rawValue == text, "\(text)")
            #expect(period?.seconds == Double(days) * 86_400)
        }
        #expect(Period(rawValue: "P1M") == .monthly && Period(rawValue: "P12M") == .yearly)
        let wrong = [
            "", "weekly", "P0D", "P01D", "P1081D", "P37M", "P9999M", "P10000D", "P1Y", "P-1D", "p1d", "P1D ", "P١D",
        ]
        for text in wrong { #expect(Period(rawValue: text) == nil, "\(text)") }
        #expect(Period(0, .days) == nil && Period(.max, .months) == nil)
    }

    @Test(
        "C8: the first renewal is tried a day before the end, or in the middle of a period that is shorter than two days"
    )
    func renewal() {
        let tries = ["P1D", "P2D", "P1W", "yearly"].compactMap(Period.init).map(Subscription.renewalSeconds(of:))
        #expect(tries == [43_200, 86_400, 86_400, 86_400])
    }

    @Test(
        "C8: a plan of ten days is made, told in both languages, paid, renewed on its terms, and found by its subscriber"
    )
    func tenDays() async throws {
        try await WalletFixture.run { wallet in
            let (noura, huda) = (try await wallet.people.provider(), try await wallet.people.provider("Huda"))
            let admin = try await wallet.admin()
            let body = WalletFixture.planBody(price: 1_000)
            for wrong in ["P0D", "P1081D", "weekly"] {
                let answer = try await wallet.post(
                    "markets/assef/subscription-plans", admin, body.replacing("\"monthly\"", with: "\"\(wrong)\""))
                #expect(answer.status == 422 && answer.codes == ["/period": "not-a-period"], "\(answer.text)")
            }
            let made = try await wallet.post(
                "markets/assef/subscription-plans", admin, body.replacing("\"monthly\"", with: "\"P10D\""))
            #expect(made.status == 201 && made.json["period"]?.string == "P10D", "\(made.text)")
            #expect(made.json["days"]?.integer == 10 && made.json["periodText"]?.string == "10 days")
            let plan = try #require(made.json["plan"]?.string)
            let arabic = try await wallet.call(.get, "markets/assef/subscription-plans", noura, nil, language: "ar")
            #expect(arabic.items.first?["periodText"]?.string == "10 أيام", "\(arabic.text)")
            for person in [noura, huda] {
                try await wallet.give(5_000, to: person)
                #expect(
                    try await wallet.subscribe(person, to: plan, price: 1_000, renews: person.account == noura.account)
                        .status == 201)
            }
            let first = try await wallet.subscription(of: noura)
            let (period, end) = (try #require(first.period), try #require(first.endsAt))
            #expect(abs(end.timeIntervalSinceNow - 10 * 86_400) < 60)
            try await wallet.pool.withTransaction {
                try await SubscriptionDeadlines.renew(after: period, at: end.addingTimeInterval(-3_600), in: $0)
            }
            let renewed = try await wallet.subscription(of: noura)
            #expect(renewed.endsAt.map { abs($0.timeIntervalSince(end) - 10 * 86_400) < 1 } == true)
            #expect(try await wallet.balance(noura) == 3_000)
            let path = "markets/assef/subscribers?account=\(noura.account.text)"
            let found = try await wallet.get(path + "&state=active", admin)
            #expect(found.items.map { $0["account"]?.string } == [noura.account.text], "\(found.text)")
            #expect(try await wallet.get(path + "&state=expired", admin).items.isEmpty)
            let file = try await wallet.csv("markets/assef/subscribers.csv?account=\(huda.account.text)", admin)
            #expect(file.contains(huda.account.text) && !file.contains(noura.account.text), "\(file)")
            let figures = try await wallet.get("markets/assef/subscription-figures", admin)
            #expect(figures.items.first?["plan"]?["name"]?.string == "Monthly", "\(figures.text)")
            #expect(figures.items.first?["subscribers"]?.integer == 2 && figures.items.first?["periods"]?.integer == 3)
            try await wallet.expectSound()
        }
    }
}
