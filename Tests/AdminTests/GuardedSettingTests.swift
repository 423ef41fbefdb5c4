import Contracts
import Foundation
import NIOHTTP1
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("Settings that guard money", .timeLimit(.minutes(15)))
struct GuardedSettingTests {
    private func setting(_ fixture: AdminFixture, _ key: String) async throws -> JSONValue {
        let settings = try await fixture.read("/admin/v1/markets/assef/settings")
        return try #require(settings.items.first { $0["key"]?.string == key })
    }

    @Test(
        "P2, W6: one admin alone loosens no guard of money; a second one who asks for the same does",
        arguments: [
            ("secondApprovalAmount", "200000", "1000000000"), ("cardHoldDays", "14", "0"),
            ("dailyTopUpLimit", "500000", "500001"), ("dailyCashOutLimit", "1000000", "2000000"),
        ])
    func loosened(key: String, old: String, new: String) async throws {
        try await AdminFixture.running { fixture async throws in
            for _ in 1...2 {
                let asked = try await fixture.set(key, to: new)
                #expect(asked.status == 202)
                #expect(try asked.json["value"]?.string == old && asked.json["proposed"]?["value"]?.string == new)
            }
            #expect(try await setting(fixture, key)["value"]?.string == old)
            // Another value of the second admin is a proposal of his.
            let other = String((Int(new) ?? 0) + (key == "cardHoldDays" ? 1 : -1))
            if key == "secondApprovalAmount" || key == "cardHoldDays" {
                #expect(try await fixture.set(key, to: other, as: fixture.master).status == 202)
                #expect(try await fixture.set(key, to: new).status == 202)
            }
            let agreed = try await fixture.set(key, to: new, as: fixture.master)
            #expect(agreed.status == 200)
            #expect(try agreed.json["value"]?.string == new && agreed.json["proposed"] == nil)
            let log = try await fixture.acts()
            #expect(log.first?["action"]?.string == "setting.changed" && log.first?["before"]?["value"]?.string == old)
        }
    }

    @Test("P2, W6: one admin makes a guard of money stricter, and takes a proposal back by asking for what is in force")
    func stricter() async throws {
        try await AdminFixture.running { fixture async throws in
            #expect(try await fixture.set("secondApprovalAmount", to: "100").status == 200)
            #expect(try await fixture.set("cardHoldDays", to: "30").status == 200)
            #expect(try await fixture.set("cardHoldDays", to: "10").status == 202)
            #expect(try await fixture.set("cardHoldDays", to: "30").status == 200)
            #expect(try await setting(fixture, "cardHoldDays")["proposed"] == nil)
            // What was taken back is nobody's proposal any more.
            #expect(try await fixture.set("cardHoldDays", to: "10", as: fixture.master).status == 202)
            #expect(try await setting(fixture, "cardHoldDays")["value"]?.string == "30")
        }
    }

    @Test("P2, W6: who asks for the currency that holds, with other amounts, loosens no guard alone either")
    func sameCurrency() async throws {
        try await AdminFixture.running { fixture async throws in
            var amounts = CurrencyTests.amounts
            amounts["secondApprovalAmount"] = "1000000000"
            let body = JSONValue.object(["value": "SAR", "amounts": .object(amounts)])
            let text = String(decoding: try JSONEncoder().encode(body), as: UTF8.self)
            let path = "/admin/v1/markets/assef/settings/currency"
            #expect(try await fixture.send(.PUT, path, as: fixture.admin, body: text).status == 202)
            #expect(try await setting(fixture, "secondApprovalAmount")["value"]?.string == "200000")
            #expect(try await fixture.send(.PUT, path, as: fixture.master, body: text).status == 200)
            #expect(try await setting(fixture, "secondApprovalAmount")["value"]?.string == "1000000000")
        }
    }

    @Test("W6: a proposal is agreed to within seven days, and never by its own admin")
    func agreed() {
        let (first, second, now) = (UUID(), UUID(), Date())
        let proposal = SettingProposal(key: "cardHoldDays", value: "0", by: first, at: now)
        #expect(proposal.isAgreed(to: "0", by: second, at: now + 6 * 86_400))
        #expect(!proposal.isAgreed(to: "0", by: first, at: now))
        #expect(!proposal.isAgreed(to: "1", by: second, at: now))
        #expect(!proposal.isAgreed(to: "0", by: second, at: now + 7 * 86_400))
    }
}
