import Contracts
import Foundation
import Hummingbird
import NIOHTTP1
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("Money by day", .timeLimit(.minutes(15)))
struct MoneyTests {
    /// 23:30 in Riyadh on the first of March 2026.
    private let evening = Date(timeIntervalSince1970: 1_772_397_000)

    /// A completed order that is captured an hour later; one that is released; one that is still held; one in cash.
    private func tell(_ pool: PostgresPool, repeats: Int) async throws {
        var completed = Story()
        completed.requestedAt = evening - 1_800
        var released = Story()
        released.requestedAt = evening
        var held = Story()
        held.requestedAt = evening
        held.amount = 5_000
        var cash = Story()
        cash.requestedAt = evening
        cash.amount = 1_001
        var promised = Story()
        promised.requestedAt = evening
        promised.amount = 700
        let events: [any Message] =
            completed.events + [
                OrderRequested(order: released.snapshot(1, .requested, minutes: 0)),
                PaymentHeld(payment: released.money(3, .held, method: .wallet), at: released.time(2)),
                OrderCancelled(order: released.snapshot(4, .cancelled, minutes: 40)),
                PaymentReleased(payment: released.money(4, .released, method: .wallet), at: released.time(40)),
                OrderEnRoute(order: held.snapshot(3, .enRoute, minutes: 5)),
                PaymentHeld(payment: held.money(3, .held), at: held.time(4)),
                OrderCompleted(order: cash.snapshot(6, .completed, minutes: 20)),
                PaymentHeld(payment: cash.money(3, .held, method: .cash), at: cash.time(1)),
                cash.captured(minutes: 21, method: .cash),
                PaymentHeld(payment: promised.money(3, .held, method: .cash), at: promised.time(1)),
            ]
        let told = events.map { (UUID.timeOrdered(), $0) }
        for _ in 0..<repeats {
            for (id, event) in told.shuffled() { try await pool.withTransaction { try record(event, id, $0) } }
        }
    }

    @Test("A2: money and orders are summed by the days of the market's zone, and repeats count once")
    func days() async throws {
        try await AdminFixture.running { fixture async throws in
            try await tell(fixture.pool, repeats: 3)
            let money = try await fixture.read("/admin/v1/markets/assef/money?from=2026-02-28&to=2026-03-02")
            #expect(money["currency"]?.string == "SAR")
            #expect(money["timeZone"]?.string == "Asia/Riyadh")
            let days = money["days"]?.array ?? []
            #expect(days.compactMap { $0["day"]?.string } == ["2026-02-28", "2026-03-01", "2026-03-02"])
            #expect(days[0]["requested"]?.integer == 0)
            // Requested before midnight: all. Completed and captured before midnight: the one in cash.
            #expect(days[1]["requested"]?.integer == 4)
            #expect(days[1]["orders"]?["completed"]?.integer == 2)
            #expect(days[1]["orders"]?["cancelled"]?.integer == 1)
            #expect(days[1]["orders"]?["enRoute"]?.integer == 1)
            #expect(days[1]["completed"]?.integer == 2)
            #expect(days[1]["revenue"]?.integer == 1_001)
            #expect(days[1]["cash"]?.integer == 1_001)
            #expect(days[1]["commission"]?.integer == 150)
            #expect(days[1]["paidToProviders"]?.integer == 851)
            #expect(days[1]["released"]?.integer == 0)
            // After midnight: the capture of the one by card, and what went back.
            #expect(days[2]["requested"]?.integer == 0)
            #expect(days[2]["completed"]?.integer == 0)
            #expect(days[2]["revenue"]?.integer == 12_000)
            #expect(days[2]["cash"]?.integer == 0)
            #expect(days[2]["commission"]?.integer == 1_800)
            #expect(days[2]["paidToProviders"]?.integer == 10_200)
            #expect(days[2]["released"]?.integer == 12_000)
            #expect(money["total"]?["revenue"]?.integer == 13_001)
            #expect(money["total"]?["orders"]?["completed"]?.integer == 2)
            #expect(money["heldNow"]?.integer == 5_000)
            #expect(money["cashPromisedNow"]?.integer == 700)
        }
    }

    @Test("A2: the stars that merchants give are counted apart from those of providers")
    func merchantStars() async throws {
        try await AdminFixture.running { fixture async throws in
            let story = Story()
            for (by, stars) in [(OrderSnapshot.Actor.provider, 5), (.merchant, 1)] {
                try await fixture.tell(story.rating(by, stars: stars))
            }
            let day = try await eventually(
                "both are counted",
                value: {
                    let path = "/admin/v1/markets/assef/statistics?from=2026-03-01&to=2026-03-01"
                    return try await fixture.read(path)["days"]?.array?.first
                }
            ) { $0?["starsByProviders"] != nil && $0?["starsByMerchants"] != nil }
            #expect(day?["starsByProviders"]?["mean"] == .integer(5))
            #expect(day?["starsByMerchants"]?["mean"] == .integer(1))
        }
    }

    @Test("A2: statistics tell of times, stars, new people and roles by day")
    func statistics() async throws {
        try await AdminFixture.running { fixture async throws in
            try await tell(fixture.pool, repeats: 2)
            for (name, role) in [("Salem", "customer"), ("Nora", "provider")] {
                let snapshot = account(name: name, roles: [.init(market: "assef", role: role, verified: true)])
                try await fixture.tell(AccountRegistered(account: snapshot, at: evening))
            }
            try await eventually("both are known") {
                try await fixture.read("/admin/v1/markets/assef/people").items.count == 2
            }
            let statistics = try await fixture.read(
                "/admin/v1/markets/assef/statistics?from=2026-03-01&to=2026-03-02")
            let days = statistics["days"]?.array ?? []
            #expect(days[0]["accepted"]?.integer == 1)
            #expect(days[0]["meanAcceptanceSeconds"]?.integer == 60)
            #expect(days[0]["completed"]?.integer == 2)
            #expect(days[0]["meanCompletionSeconds"]?.integer == 54 * 60)
            #expect(days[0]["registered"]?.integer == 2)
            #expect(days[1]["starsByCustomers"]?["count"]?.integer == 1)
            #expect(days[1]["starsByProviders"]?["mean"] == .integer(4))
            #expect(statistics["people"] == .object(["customer": 1, "provider": 1]))
            let path = "/admin/v1/markets/assef/statistics.csv?from=2026-02-27&to=2026-03-02"
            func lines(_ by: String) async throws -> [[String]] {
                let answer = try await fixture.send(.GET, "\(path)\(by)", as: fixture.admin)
                #expect(answer.status == 200 && answer.headers.first(name: "content-type")?.contains("csv") == true)
                return answer.text.split(separator: "\r\n").dropFirst().map { line in
                    line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                }
            }
            #expect(try await lines("").map { $0[0] } == ["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"])
            // A Sunday and the Monday after it.
            let weeks = try await lines("&by=week")
            #expect(weeks.map { Array($0[0...2]) } == [["2026-02-23", "3", "2"], ["2026-03-02", "1", "0"]])
            let months = try await lines("&by=month")
            #expect(months.map { Array($0[0...2]) } == [["2026-02-01", "2", "0"], ["2026-03-01", "2", "2"]])
            let times = 4 + OrderSnapshot.State.allCases.count
            #expect(Array(months[1][times..<times + 4]) == ["1", "60", "2", "3240"])
            #expect(months[1].last == "SAR" && months[1].count == months[0].count)
            let wrong = try await fixture.send(.GET, "\(path)&by=year", as: fixture.admin)
            #expect(try wrong.status == 400 && wrong.codes == ["/by": "not-a-choice"])
        }
    }

    @Test(
        "A2: a week begins on Monday, and a month on its first day, whatever the year",
        arguments: [
            ("2026-03-01", "2026-02-23", "2026-03-01"), ("2026-03-02", "2026-03-02", "2026-03-01"),
            ("2027-01-01", "2026-12-28", "2027-01-01"), ("2024-02-29", "2024-02-26", "2024-02-01"),
        ])
    func periods(day: String, week: String, month: String) {
        #expect(StatisticsPeriod.day.first(of: day) == day)
        #expect(StatisticsPeriod.week.first(of: day) == week)
        #expect(StatisticsPeriod.month.first(of: day) == month)
    }

    @Test("A2, W8: orders and money are files for spreadsheets, which compute nothing of what people wrote")
    func files() async throws {
        try await AdminFixture.running { fixture async throws in
            var story = Story()
            story.customer.name = "=HYPERLINK(\"http://evil.example\")"
            story.requestedAt = evening - 7_200
            for event in story.events {
                try await fixture.pool.withTransaction { try record(event, .timeOrdered(), $0) }
            }
            let range = "from=2026-03-01&to=2026-03-02"
            let file = try await fixture.send(.GET, "/admin/v1/markets/assef/orders.csv?\(range)", as: fixture.admin)
            #expect(file.status == 200)
            #expect(file.headers.first(name: "content-type") == "text/csv; charset=utf-8")
            #expect(file.headers.first(name: "content-disposition") == "attachment; filename=\"orders-assef.csv\"")
            let lines = file.text.split(separator: "\r\n")
            #expect(lines.count == 2)
            #expect(lines[0].hasPrefix("\u{FEFF}Order,State,"))
            #expect(lines[1].contains(",\"'=HYPERLINK(\"\"http://evil.example\"\")\","))
            #expect(lines[1].contains(",Huda Salem,Wound care,12000,SAR,Card,Paid,10200,1800,"))
            let same = try await fixture.send(
                .GET, "/admin/v1/markets/assef/orders?\(range)", as: fixture.admin, headers: ["Accept": "text/csv"])
            #expect(same.text == file.text)
            let other = try await fixture.send(
                .GET, "/admin/v1/markets/assef/orders.csv?\(range)&state=cancelled", as: fixture.admin)
            #expect(other.text.split(separator: "\r\n").count == 1)
            let money = try await fixture.send(.GET, "/admin/v1/markets/assef/money.csv?\(range)", as: fixture.admin)
            #expect(money.text.contains("2026-03-01,1,1,12000,0,1800,10200,0,SAR\r\n"))
            let arabic = try await fixture.send(
                .GET, "/admin/v1/markets/assef/money.csv?\(range)", as: fixture.admin,
                headers: ["Accept-Language": "ar"])
            #expect(arabic.text.hasPrefix("\u{FEFF}اليوم,") && money.text.hasPrefix("\u{FEFF}Day,"), "\(arabic.text)")
            let negotiated = try await fixture.send(
                .GET, "/admin/v1/markets/assef/money?\(range)", as: fixture.admin,
                headers: ["Accept": "text/csv;q=0.9"])
            #expect(negotiated.text == money.text)
        }
    }

    @Test("A2: a file of many orders is read in parts and has each once")
    func manyLines() async throws {
        try await AdminFixture.running { fixture async throws in
            try await fixture.pool.withTransaction { transaction in
                for number in 0..<1_203 {
                    var story = Story()
                    // Many in the same moment.
                    story.requestedAt = evening + Double(number / 100)
                    try record(
                        OrderRequested(order: story.snapshot(1, .requested, minutes: 0)), .timeOrdered(), transaction)
                }
            }
            let file = try await fixture.send(
                .GET, "/admin/v1/markets/assef/orders.csv?from=2026-03-01&to=2026-03-01", as: fixture.admin)
            let orders = file.text.split(separator: "\r\n").dropFirst().map { $0.prefix(36) }
            #expect(orders.count == 1_203)
            #expect(Set(orders).count == 1_203)
        }
    }

    @Test("P10: a day or a choice that is there and empty is wrong, not everything; an empty search asks for all")
    func empty() async throws {
        try await AdminFixture.running { fixture async throws in
            for path in ["money?from=", "statistics?to=", "orders?from=", "reports?overdue=", "money?currency="] {
                let answer = try await fixture.send(.GET, "/admin/v1/markets/assef/\(path)", as: fixture.admin)
                #expect(answer.status == 400, "\(path): \(answer.text)")
            }
            #expect(
                try await fixture.send(.GET, "/admin/v1/markets/assef/people?name=", as: fixture.admin).status == 200)
        }
    }

    @Test("A2: more orders than a file holds are a problem that says how many it holds, not a file that lacks some")
    func tooMany() async throws {
        try await TestDatabase.withDatabase(AdminService.migrations) { database async throws in
            try await database.withPool { pool async throws in
                for _ in 0..<4 {
                    let event = OrderRequested(order: Story().snapshot(1, .requested, minutes: 0))
                    try await pool.withTransaction { try record(event, .timeOrdered(), $0) }
                }
                let filter = OrderFilter(market: "assef")
                var export = ExportOrderLines(pool: pool, market: .assef, maximumRows: 4)
                #expect(try await export(filter, language: .english).status == .ok)
                export.maximumRows = 3
                let refused = await #expect(throws: Problem.self) { try await export(filter, language: .english) }
                #expect(refused?.slug == "export-too-large")
                #expect(refused?.arguments == ["maximum": "3"])
            }
        }
    }
}
