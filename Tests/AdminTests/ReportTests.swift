import Contracts
import Foundation
import Messaging
import NIOHTTP1
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("O3, A1: reports and what admins decide", .timeLimit(.minutes(15)))
struct ReportTests {
    @Test("A1, O3: a report comes with both sides' words and the order, over the broker, once")
    func whole() async throws {
        try await AdminFixture.running { fixture async throws in
            let one = ReportCase()
            let disputed = (UUID.timeOrdered(), OrderDisputed(order: one.disputed))
            let opened = (UUID.timeOrdered(), one.opened(note: "Only half of it"))
            for _ in 0..<2 {
                try await fixture.tell(opened.1, id: opened.0)
                try await fixture.tell(disputed.1, id: disputed.0)
            }
            try await fixture.tell(one.opened(.provider, note: "The gate was shut", minutes: 25))
            let path = "/admin/v1/reports/\(one.report.text)"
            try await eventually("both sides' words are there") {
                let answer = try await fixture.send(.GET, path, as: fixture.admin)
                return try answer.status == 200 && answer.json["words"]?.array?.count == 2
                    && answer.json["order"] != nil
            }
            let seen = try await fixture.read(path)
            #expect(seen["report"]?["state"]?.string == "open" && seen["report"]?["by"]?.string == "customer")
            #expect(seen["report"]?["note"]?.string == "Only half of it")
            #expect(
                seen["words"]?.array?.compactMap { $0["note"]?.string } == ["Only half of it", "The gate was shut"])
            #expect(seen["order"]?["state"]?.string == "disputed")
            #expect(seen["order"]?["report"]?.string == one.report.text)
            let arabic = try await fixture.send(.GET, path, as: fixture.master, headers: ["Accept-Language": "ar"])
            #expect(try arabic.json["report"]?["reasonText"]?.string == "لم تُقدَّم الخدمة أو قُدِّمت بشكل سيئ")
            let timeline = try await fixture.read("/admin/v1/orders/\(one.story.order.text)")["timeline"]?.array ?? []
            #expect(timeline.filter { $0["name"]?.string == ReportOpened.name.text }.count == 2)
        }
    }

    @Test("O3: admins, too, read of a decided visit the word and the reason of its report")
    func decidedLabel() throws {
        var order = ReportCase().disputed
        order.state = .completed
        order.outcome = OrderSnapshot.Outcome(
            decision: .payProvider, toCustomer: Money(amount: 0, currency: "SAR"), reason: "It was done")
        let seen = OrderView(order, in: .assef, companion: nil, language: .english)
        #expect(seen.state == "completed" && seen.label == "Cancelled" && seen.reason == "not-done")
    }

    @Test("A1: reports are listed by age, by state, by what they wait for, and page by page")
    func lists() async throws {
        try await AdminFixture.running { fixture async throws in
            var cases: [ReportCase] = []
            for _ in 0..<4 {
                let one = ReportCase()
                try await one.tell(fixture.pool)
                cases.append(one)
            }
            try await fixture.pool.withTransaction { transaction in
                var order = cases[1].disputed
                order.version = 5
                for version in [5, 6] {
                    order.version = version
                    let undecided = OrderUndecided(order: order)
                    let id = UUID.timeOrdered()
                    // Each comes twice.
                    for _ in 0..<2 {
                        try record(undecided, id, transaction)
                        RecordReport.undecided(undecided, in: transaction)
                    }
                }
            }
            let list = "/admin/v1/markets/assef/reports"
            func ids(_ query: String) async throws -> [String] {
                var found: [String] = []
                var cursor: String?
                repeat {
                    let page = try await fixture.read(
                        "\(list)?limit=3&\(query)" + (cursor.map { "&cursor=\($0)" } ?? ""))
                    found += page.items.compactMap { $0["report"]?.string }
                    cursor = page["next"]?.string
                } while cursor != nil
                return found
            }
            let reports = cases.map(\.report.text).sorted()
            #expect(Set(try await ids("")).count == 8)
            // All are as old; then the id says which was first.
            #expect(try await ids("awaits=decision") == reports)
            #expect(try await ids("awaits=answer") == cases.map(\.complaint.text).sorted())
            #expect(try await ids("overdue=true") == [cases[1].report.text])
            #expect(try await fixture.read("\(list)?overdue=true").items.first?["reminders"]?.integer == 2)
            #expect(try await ids("state=decided") == [])
            let answer = try await fixture.postReport(
                "\(reports[0])/decision", #"{"decision": "payProvider", "reason": "Seen"}"#, as: fixture.admin)
            #expect(answer.status == 200)
            #expect(try await ids("state=decided") == [reports[0]])
            #expect(try await ids("awaits=decision") == Array(reports.dropFirst()))
            let wrong = try await fixture.send(.GET, "\(list)?state=x&awaits=y&overdue=z", as: fixture.admin)
            #expect(
                try wrong.codes == [
                    "/state": "not-a-choice", "/awaits": "not-a-choice", "/overdue": "not-a-choice",
                ])
        }
    }

    @Test("O3, P9: a decision is made once, told once and audited; its repeat is the first answer")
    func decision() async throws {
        try await AdminFixture.running { fixture async throws in
            let one = ReportCase()
            try await one.tell(fixture.pool)
            let path = "\(one.report.text)/decision"
            let key = UUID().uuidString
            let body = """
                {"decision": "split", "toCustomer": {"amount": 5000, "currency": "SAR"},
                 "toProvider": {"amount": 7000, "currency": "SAR"}, "deposit": "giveToCustomer", "reason": "Half came"}
                """
            let first = try await fixture.postReport(path, body, as: fixture.admin, key: key)
            #expect(first.status == 200, "\(first.text)")
            #expect(try first.json["report"]?["state"]?.string == "decided")
            #expect(try first.json["report"]?["toCustomer"]?.integer == 5_000)
            #expect(try first.json["report"]?["closedBy"]?["account"]?.string == fixture.admin.account.text)
            #expect(try await fixture.postReport(path, body, as: fixture.admin, key: key).text == first.text)
            let again = try await fixture.postReport(path, body, as: fixture.master)
            #expect(try again.status == 409 && again.slug == "report-closed")
            #expect(try again.json["decision"]?.string == "split")
            let told = try await fixture.pool.query(ReportsTold())
            #expect(told.map(\.name) == [ReportDecided.name.text])
            let decided = try JSON.wire.decode(ReportDecided.self, Array(try #require(told.first).payload.utf8))
            #expect(decided.toCustomer == Money(amount: 5_000, currency: "SAR") && decided.deposit == .giveToCustomer)
            #expect(decided.order == one.story.order && decided.by == fixture.admin.account)
            let audit = try await fixture.acts(as: fixture.master)
            #expect(audit.map { $0["action"]?.string } == ["report.decided"])
            #expect(audit.first?["after"]?["toCustomer"]?.string == "5000")
            #expect(audit.first?["after"]?["deposit"]?.string == "giveToCustomer")
            #expect(audit.first?["subject"]?.string == one.report.text)
        }
    }

    @Test("O3: two admins at once: one decides, the other is told so, and one decision goes out")
    func race() async throws {
        try await AdminFixture.running { fixture async throws in
            for _ in 0..<10 {
                let one = ReportCase()
                try await one.tell(fixture.pool)
                let path = "\(one.report.text)/decision"
                async let left = fixture.postReport(
                    path, #"{"decision": "payProvider", "reason": "a"}"#, as: fixture.admin)
                async let right = fixture.postReport(
                    path, #"{"decision": "returnToCustomer", "reason": "b"}"#, as: fixture.master)
                let answers = try await [left, right]
                #expect(answers.map(\.status).sorted() == [200, 409])
            }
            #expect(try await fixture.pool.query(ReportsTold()).count == 10)
            #expect(try await fixture.acts(as: fixture.master).count == 10)
        }
    }

    @Test("O3: a complaint is answered once, and its person told; a dispute is decided, not answered")
    func answers() async throws {
        try await AdminFixture.running { fixture async throws in
            let one = ReportCase()
            try await one.tell(fixture.pool)
            let words = #"{"answer": "We have called her."}"#
            let decision = #"{"decision": "payProvider", "reason": "a"}"#
            #expect(
                try await fixture.postReport("\(one.report.text)/answer", words, as: fixture.admin).slug
                    == "decision-wanted"
            )
            #expect(
                try await fixture.postReport("\(one.complaint.text)/decision", decision, as: fixture.admin).slug
                    == "nothing-to-decide")
            let key = UUID().uuidString
            let path = "\(one.complaint.text)/answer"
            let answer = try await fixture.postReport(path, words, as: fixture.admin, key: key)
            #expect(try answer.status == 200 && answer.json["report"]?["reply"]?.string == "We have called her.")
            #expect(try await fixture.postReport(path, words, as: fixture.admin, key: key).text == answer.text)
            #expect(try await fixture.postReport(path, words, as: fixture.admin).slug == "report-closed")
            let told = try await fixture.pool.query(ReportsTold())
            #expect(told.map(\.name) == [ReportAnswered.name.text])
            let message = try JSON.wire.decode(ReportAnswered.self, Array(try #require(told.first).payload.utf8))
            #expect(message.account == one.story.provider.account && message.answer == "We have called her.")
            let audit = try await fixture.acts(as: fixture.master)
            #expect(audit.map { $0["action"]?.string } == ["report.answered"])
        }
    }

    @Test("O3, P10: amounts of a divided price are the price together, and each wrong field is named")
    func wrongDecisions() async throws {
        try await AdminFixture.running { fixture async throws in
            let one = ReportCase()
            try await one.tell(fixture.pool)
            func money(_ customer: String, _ provider: String, _ currency: String = "SAR") -> String {
                """
                {"decision": "split", "reason": "x", "toCustomer": {"amount": \(customer), "currency": "\(currency)"},
                 "toProvider": {"amount": \(provider), "currency": "SAR"}}
                """
            }
            let cases: [(String, [String: String])] = [
                ("{}", ["/decision": "required", "/reason": "required"]),
                (#"{"decision": "keep", "reason": "x"}"#, ["/decision": "not-a-choice"]),
                (
                    #"{"decision": "split", "reason": "x"}"#,
                    ["/toCustomer": "required", "/toProvider": "required"]
                ),
                (money("5000", "6999"), ["/toProvider": "not-the-price"]),
                (money("1000000000000", "1000000000000"), ["/toProvider": "not-the-price"]),
                (money("0", "12000"), ["/toCustomer/amount": "out-of-range"]),
                (money("-1", "12001"), ["/toCustomer/amount": "out-of-range"]),
                (money("5000", "7000", "USD"), ["/toCustomer/currency": "other-currency"]),
                (
                    #"{"decision": "payProvider", "reason": "x", "toProvider": {"amount": 12000, "currency": "SAR"}}"#,
                    ["/toProvider": "only-with-split"]
                ),
            ]
            for (body, codes) in cases {
                let answer = try await fixture.postReport("\(one.report.text)/decision", body, as: fixture.admin)
                #expect(answer.status == 422, "\(body): \(answer.text)")
                #expect(try answer.codes == codes, "\(body)")
            }
            #expect(try await fixture.pool.query(ReportsTold()).isEmpty)
            #expect(try await fixture.acts(as: fixture.master).isEmpty)
        }
    }

    @Test("O3: cash is decided about for one side or the other, and not divided")
    func cash() async throws {
        try await AdminFixture.running { fixture async throws in
            var one = ReportCase()
            one.method = "cash"
            try await one.tell(fixture.pool)
            let body = """
                {"decision": "split", "toCustomer": {"amount": 5000, "currency": "SAR"},
                 "toProvider": {"amount": 7000, "currency": "SAR"}, "reason": "Half came"}
                """
            let path = "\(one.report.text)/decision"
            let refused = try await fixture.postReport(path, body, as: fixture.admin)
            #expect(try refused.status == 409 && refused.slug == "cash-not-divided")
            let decided = #"{"decision": "payProvider", "reason": "She came"}"#
            #expect(try await fixture.postReport(path, decided, as: fixture.admin).status == 200)
        }
    }

    @Test("I12: the words of and about somebody who leaves are forgotten, in reports, timelines and orders")
    func forgotten() async throws {
        try await TestDatabase.withDatabase(AdminService.migrations) { database async throws in
            try await database.withPool { pool async throws in
                let one = ReportCase()
                var order = one.disputed
                order.reason = "my own words"
                var opened = one.opened(note: "my own words")
                opened.reason = "other"
                let (disputed, report) = (OrderDisputed(order: order), opened)
                try await pool.withTransaction { transaction in
                    try record(disputed, .timeOrdered(), transaction)
                    RecordReport.opened(report, message: .timeOrdered(), in: transaction)
                }
                try await pool.execute(ForgetReports(orders: [one.story.order]))
                let reports = try await pool.query(ListReportsOfOrder(order: one.story.order))
                #expect(reports.map(\.note) == [nil] && reports.map(\.reason) == ["other"])
                let events = try await pool.query(ListOrderEvents(order: one.story.order))
                #expect(events.compactMap(\.reason).allSatisfy { $0 == "other" })
                let stored = try await pool.first(ShowOrder(order: one.story.order))?.order()
                #expect(stored?.reason == "other")
            }
        }
    }
}
