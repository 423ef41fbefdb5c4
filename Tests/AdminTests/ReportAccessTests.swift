import Contracts
import Foundation
import Messaging
import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("Q7, P1: who may close a report", .timeLimit(.minutes(15)))
struct ReportAccessTests {
    @Test("Q7: nobody but the market's admins sees, decides or answers a report")
    func wrongPersons() async throws {
        try await AdminFixture.running { fixture async throws in
            let one = ReportCase()
            try await one.tell(fixture.pool)
            let stranger = TestCaller(roles: [MarketRole(market: "hajji", role: "admin")])
            let wrong: [(String, TestCaller?, Int)] = [
                ("nobody", nil, 401), ("another market's admin", stranger, 404),
                ("the customer", TestCaller(roles: [MarketRole(market: "assef", role: "customer")]), 403),
                ("the provider", TestCaller(roles: [MarketRole(market: "assef", role: "provider")]), 403),
            ]
            let posts = [
                ("\(one.report.text)/decision", #"{"decision": "payProvider", "reason": "a"}"#),
                ("\(one.complaint.text)/answer", #"{"answer": "x"}"#),
            ]
            for (who, caller, status) in wrong {
                for (path, body) in posts {
                    #expect(try await fixture.postReport(path, body, as: caller).status == status, "\(who): \(path)")
                }
                let path = "/admin/v1/reports/\(one.report.text)"
                #expect(try await fixture.send(.GET, path, as: caller).status == status, "\(who)")
                let list = try await fixture.send(.GET, "/admin/v1/markets/assef/reports", as: caller)
                #expect(list.status == (status == 404 ? 403 : status), "\(who)")
            }
            let noKey = try await fixture.send(
                .POST, "/admin/v1/reports/\(posts[0].0)", as: fixture.admin, body: posts[0].1)
            #expect(noKey.status == 400)
            let unknown = "\(UUID.timeOrdered().text)/answer"
            #expect(try await fixture.postReport(unknown, #"{"answer": "x"}"#, as: fixture.admin).status == 404)
            #expect(try await fixture.pool.query(ReportsTold()).isEmpty)
        }
    }

    @Test("P1, Q7: who is part of an order closes no report about it, be it as an admin; another admin does")
    func ownOrders() async throws {
        try await AdminFixture.running { fixture async throws in
            let one = ReportCase()
            try await one.tell(fixture.pool)
            let posts = [
                ("\(one.report.text)/decision", #"{"decision": "payProvider", "reason": "a"}"#),
                ("\(one.complaint.text)/answer", #"{"answer": "x"}"#),
            ]
            for account in [one.story.customer.account, one.story.provider.account] {
                for market in ["assef", "*"] {
                    let party = TestCaller(account: account, roles: [MarketRole(market: market, role: "admin")])
                    for (path, body) in posts {
                        let answer = try await fixture.postReport(path, body, as: party)
                        #expect(try answer.status == 403 && answer.slug == "own-matter", "\(market): \(path)")
                    }
                }
            }
            #expect(try await fixture.pool.query(ReportsTold()).isEmpty)
            for (path, body) in posts {
                #expect(try await fixture.postReport(path, body, as: fixture.admin).status == 200, "\(path)")
            }
        }
    }
}
