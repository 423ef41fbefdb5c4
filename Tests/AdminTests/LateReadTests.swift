import Foundation
import Messaging
import NIOHTTP1
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("Reads that may be late", .timeLimit(.minutes(15)))
struct LateReadTests {
    /// Another database stands for a replica that lags: what only it has shows where a read has gone.
    @Test("Q2: statistics, money and files are read from the replica, lists and single orders from the primary")
    func replica() async throws {
        try await TestDatabase.withDatabase(AdminService.migrations) { replica async throws in
            try await replica.withPool { late async throws in
                var story = Story()
                // 23:30 in Riyadh on the first of March 2026.
                story.requestedAt = Date(timeIntervalSince1970: 1_772_397_000)
                for event in story.events { try await late.withTransaction { try record(event, .timeOrdered(), $0) } }
            }
            try await AdminFixture.running(settings: ["SERAI_DATABASE_LATE_URL": replica.dsn]) { fixture async throws in
                let days = "from=2026-03-01&to=2026-03-02"
                let statistics = try await fixture.read("/admin/v1/markets/assef/statistics?\(days)")
                let completed = (statistics["days"]?.array ?? []).compactMap { $0["completed"]?.integer }.reduce(0, +)
                #expect(completed == 1)
                let file = try await fixture.send(
                    .GET, "/admin/v1/markets/assef/orders.csv?\(days)", as: fixture.admin)
                #expect(file.status == 200 && file.text.split(separator: "\r\n").count == 2)
                let list = try await fixture.read("/admin/v1/markets/assef/orders")
                #expect(list["items"]?.array?.isEmpty == true)
            }
        }
    }
}
