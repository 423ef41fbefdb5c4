import Contracts
import Foundation
import Postgres
import Messaging
import NIOHTTP1
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("Who may call admin", .timeLimit(.minutes(15)))
struct AccessTests {
    private static let ofMarket: [(HTTPMethod, String)] = [
        (.GET, "settings"), (.PUT, "settings/acceptWindowSeconds"),
        (.GET, "settings/acceptWindowSeconds/history"), (.GET, "orders"), (.GET, "orders.csv"),
        (.GET, "money"), (.GET, "money.csv"), (.GET, "statistics"), (.GET, "statistics.csv"), (.GET, "people"),
        (.GET, "reports"), (.GET, "names?accounts=0195d3a0-0000-7000-8000-00000000000a"),
        (.GET, "waiting"), (.GET, "catalogue/services"),
    ]
    private static let ofAll: [(HTTPMethod, String)] = [
        (.GET, "/admin/v1/audit"), (.GET, "/admin/v1/audit.csv"),
        (.GET, "/admin/v1/orders/0195d3a0-0000-7000-8000-00000000000a"),
    ]

    @Test("Q7, A5: nobody without a token, no customer, no provider and no other market's admin gets in")
    func matrix() async throws {
        try await AdminFixture.running { fixture async throws in
            let story = Story()
            try await fixture.pool.withTransaction { try record(story.events[0], .timeOrdered(), $0) }
            let wrong: [(String, TestCaller?, Int)] = [
                ("nobody", nil, 401),
                ("a customer", TestCaller(roles: [MarketRole(market: "assef", role: "customer")]), 403),
                ("a provider", TestCaller(roles: [MarketRole(market: "assef", role: "provider")]), 403),
                ("somebody without roles", TestCaller(roles: []), 403),
            ]
            let stranger = TestCaller(roles: [MarketRole(market: "hajji", role: "admin")])
            let body = #"{"value":"90"}"#
            func status(_ method: HTTPMethod, _ path: String, _ caller: TestCaller?) async throws -> Int {
                try await fixture.send(method, path, as: caller, body: method == .PUT ? body : nil).status
            }
            for (method, path) in Self.ofMarket {
                let path = "/admin/v1/markets/assef/\(path)"
                for (who, caller, expected) in wrong + [("another market's admin", stranger, 403)] {
                    #expect(try await status(method, path, caller) == expected, "\(who): \(method) \(path)")
                }
                #expect(try await status(method, path, fixture.master) == 200, "\(method) \(path)")
            }
            for (method, path) in Self.ofAll {
                for (who, caller, expected) in wrong {
                    #expect(try await status(method, path, caller) == expected, "\(who): \(method) \(path)")
                }
            }
            // The only change is the master admin's.
            #expect(try await fixture.acts(as: fixture.master).count == 1)
            #expect(
                try await fixture.send(
                    .GET, "/admin/v1/audit", as: nil, headers: ["Authorization": "Bearer nonsense"]
                ).status == 401)
        }
    }

    @Test(
        "I13, Q7: the market's support reads what its admin reads, and does nothing: a report, too, is not its to close"
    )
    func support() async throws {
        try await AdminFixture.running { fixture async throws in
            let one = ReportCase()
            try await one.tell(fixture.pool)
            let support = TestCaller(roles: [MarketRole(market: "assef", role: "support")])
            for (method, path) in Self.ofMarket {
                let path = "/admin/v1/markets/assef/\(path)"
                let body = method == .PUT ? #"{"value":"90"}"# : nil
                let answer = try await fixture.send(method, path, as: support, body: body)
                #expect(answer.status == (method == .GET ? 200 : 403), "\(method) \(path): \(answer.text)")
                if method != .GET { #expect(try answer.slug == "support-reads-only") }
                let elsewhere = path.replacing("assef", with: "hajji")
                #expect(try await fixture.send(method, elsewhere, as: support, body: body).status == 403)
            }
            #expect(try await fixture.send(.GET, "/admin/v1/reports/\(one.report.text)", as: support).status == 200)
            #expect(try await fixture.send(.GET, "/admin/v1/audit?market=assef", as: support).status == 200)
            #expect(try await fixture.send(.GET, "/admin/v1/audit?market=hajji", as: support).status == 403)
            for (path, body) in [
                ("\(one.report.text)/decision", #"{"decision": "payProvider", "reason": "a"}"#),
                ("\(one.complaint.text)/answer", #"{"answer": "x"}"#),
            ] {
                let answer = try await fixture.postReport(path, body, as: support)
                #expect(try answer.status == 403 && answer.slug == "support-reads-only", "\(path)")
            }
            #expect(try await fixture.pool.query(ReportsTold()).isEmpty)
            // Its reading is in the log, as an admin's is; counting is not.
            let looks = try await fixture.read("/admin/v1/audit?viewed=true", as: fixture.master).items.filter {
                $0["by"]?["account"]?.string == support.account.text
            }
            let subjects = Set(looks.compactMap { $0["subject"]?.string })
            #expect(subjects.isSuperset(of: ["orders", "people", "reports"]))
            #expect(!subjects.contains("waiting"))
        }
    }

    @Test("A1: open reports are counted, and a look at the number is not in the log")
    func waiting() async throws {
        try await AdminFixture.running { fixture async throws in
            let one = ReportCase()
            func count() async throws -> Int? {
                try await fixture.send(.GET, "/admin/v1/markets/assef/waiting", as: fixture.admin).json["reports"]?
                    .integer
            }
            #expect(try await count() == 0)
            try await one.tell(fixture.pool)
            #expect(try await count() == 2)
            let answered = try await fixture.postReport(
                "\(one.complaint.text)/answer", #"{"answer": "x"}"#, as: fixture.admin)
            #expect(answered.status == 200)
            #expect(try await count() == 1)
            let log = try await fixture.read("/admin/v1/audit?viewed=true", as: fixture.master).items
            #expect(!log.isEmpty && !log.contains { $0["action"]?.string == "list.viewed" })
        }
    }

    @Test("Q7: a market that there is not is 404 to a master admin, and no different from another's to the rest")
    func noMarket() async throws {
        try await AdminFixture.running { fixture async throws in
            for (method, path) in Self.ofMarket {
                let path = "/admin/v1/markets/nowhere/\(path)"
                let body = method == .PUT ? #"{"value":"90"}"# : nil
                #expect(try await fixture.send(method, path, as: fixture.master, body: body).status == 404)
                #expect(try await fixture.send(method, path, as: fixture.admin, body: body).status == 403)
            }
            #expect(try await fixture.set("nothing", to: "1").status == 404)
            // A role in a market that is called like all markets is not one that identity gives to a market's admin.
            #expect(try await fixture.send(.GET, "/admin/v1/markets/*/people", as: fixture.admin).status == 403)
        }
    }

    @Test("P10: what is wrong in a query is named, all at once, and is never an error of the service")
    func badQueries() async throws {
        try await AdminFixture.running { fixture async throws in
            let market = "/admin/v1/markets/assef"
            let cases: [(String, [String: String])] = [
                ("\(market)/orders?state=sleeping", ["/state": "not-a-choice"]),
                (
                    "\(market)/orders?customer=x&provider=1&state=a",
                    ["/state": "not-a-choice", "/customer": "not-an-id", "/provider": "not-an-id"]
                ),
                ("\(market)/orders?from=2026-02-30", ["/from": "not-a-day"]),
                ("\(market)/orders?from=2026-03-02&to=2026-03-01", ["/to": "ends-before-it-begins"]),
                ("\(market)/orders?limit=0", ["/limit": "out-of-range"]),
                ("\(market)/orders?limit=101", ["/limit": "out-of-range"]),
                ("\(market)/money?from=2024-01-01&to=2026-01-01", ["/from": "too-many-days"]),
                ("\(market)/money?from=1", ["/from": "not-a-day"]),
                ("\(market)/money.csv?to=0000-00-00", ["/to": "not-a-day"]),
                ("\(market)/statistics?to=99999-01-01", ["/to": "not-a-day"]),
                ("\(market)/people?role=king", ["/role": "not-a-choice"]),
                ("\(market)/names", ["/accounts": "required"]),
                ("\(market)/names?accounts=x,y", ["/accounts": "not-an-id"]),
                ("\(market)/people?name=\(String(repeating: "a", count: 101))", ["/name": "too-long"]),
                ("\(market)/people?name=a%00b", ["/name": "control-characters"]),
            ]
            for (path, codes) in cases {
                let answer = try await fixture.send(.GET, path, as: fixture.admin)
                #expect(answer.status == 400, "\(path): \(answer.text)")
                #expect(try answer.codes == codes, "\(path)")
            }
            for path in ["orders", "people"] {
                let answer = try await fixture.send(.GET, "\(market)/\(path)?cursor=x", as: fixture.admin)
                #expect(answer.status == 400)
                #expect(try answer.slug == "invalid-cursor")
            }
            #expect(try await fixture.send(.GET, "/admin/v1/audit?cursor=%F0", as: fixture.admin).status == 400)
            #expect(try await fixture.send(.POST, "\(market)/orders", as: fixture.admin, body: "{}").status == 405)
        }
    }
}
