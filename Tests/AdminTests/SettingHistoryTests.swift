import Contracts
import Foundation
import Messaging
import NIOHTTP1
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("The history of a setting", .timeLimit(.minutes(15)))
struct SettingHistoryTests {
    private func history(_ fixture: AdminFixture, _ key: String, _ query: String = "") async throws -> JSONValue {
        try await fixture.read("/admin/v1/markets/assef/settings/\(key)/history\(query)")
    }

    @Test("P2, P9: who changed a setting, when, and from what to what, newest first and by pages")
    func changes() async throws {
        try await AdminFixture.running { fixture async throws in
            #expect(try await history(fixture, "acceptWindowSeconds").items.isEmpty)
            let second = TestCaller(roles: [MarketRole(market: "assef", role: "admin")])
            #expect(try await fixture.set("acceptWindowSeconds", to: "61").status == 200)
            #expect(try await fixture.set("paymentWindowSeconds", to: "300").status == 200)
            #expect(try await fixture.set("acceptWindowSeconds", to: "62", as: second).status == 200)
            // What holds already changes nothing.
            #expect(try await fixture.set("acceptWindowSeconds", to: "62").status == 200)
            let items = try await history(fixture, "acceptWindowSeconds").items
            #expect(items.compactMap { $0["after"]?.string } == ["62", "61"])
            #expect(items.first?["before"]?.string == "61")
            #expect(items.allSatisfy { $0["event"]?.string == "changed" && $0["proposedBy"] == nil })
            #expect(
                items.compactMap { $0["by"]?["account"]?.string } == [second.account.text, fixture.admin.account.text])
            let first = try await history(fixture, "acceptWindowSeconds", "?limit=1")
            let next = try #require(first["next"]?.string)
            let rest = try await history(fixture, "acceptWindowSeconds", "?limit=1&cursor=\(next)")
            #expect(rest.items.compactMap { $0["after"]?.string } == ["61"] && rest["next"] == nil)
            #expect(
                try await fixture.send(
                    .GET, "/admin/v1/markets/assef/settings/nothing/history", as: fixture.admin
                ).status == 404)
        }
    }

    @Test("P2, W5: a change that took two admins has both, and what was proposed and taken back is told as that")
    func twoAdmins() async throws {
        try await AdminFixture.running { fixture async throws in
            let key = "secondApprovalAmount"
            let second = TestCaller(roles: [MarketRole(market: "assef", role: "admin")])
            let start = try await fixture.read("/admin/v1/markets/assef/settings").items
                .first { $0["key"]?.string == key }?["value"]?.string
            let old = try #require(start.flatMap { Int($0) })
            let (raised, higher) = (String(old + 1), String(old + 2))
            #expect(try await fixture.set(key, to: higher).status == 202)
            #expect(try await fixture.set(key, to: String(old), as: second).status == 200)
            #expect(try await fixture.set(key, to: raised).status == 202)
            #expect(try await fixture.set(key, to: raised, as: second).status == 200)
            // One admin alone makes the guard tighter.
            #expect(try await fixture.set(key, to: String(old)).status == 200)
            let items = try await history(fixture, key).items
            #expect(
                items.compactMap { $0["event"]?.string } == ["changed", "changed", "proposed", "withdrawn", "proposed"])
            #expect(items[0]["proposedBy"] == nil)
            #expect(items[1]["proposedBy"]?["account"]?.string == fixture.admin.account.text)
            #expect(items[1]["by"]?["account"]?.string == second.account.text)
            #expect(items[1]["before"]?.string == String(old) && items[1]["after"]?.string == raised)
            #expect(items[3]["before"]?.string == higher && items[3]["after"] == nil)
        }
    }
}
