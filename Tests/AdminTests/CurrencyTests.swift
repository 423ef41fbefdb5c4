import Contracts
import Foundation
import Messaging
import NIOHTTP1
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("Currency, zone and languages of a market", .timeLimit(.minutes(15)))
struct CurrencyTests {
    static let amounts: [String: JSONValue] = [
        "finePerKilometre": "20", "cancellationFee": "0", "tariffs": "none", "servicePrices": "none",
        "dailyTopUpLimit": "100000", "dailyCashOutLimit": "200000", "secondApprovalAmount": "50000",
        "parcelRates": "none",
    ]

    private func set(
        _ fixture: AdminFixture, _ currency: String, _ amounts: [String: JSONValue]?, version: Int? = nil
    ) async throws -> TestAnswer {
        let first = try await ask(fixture, currency, amounts, version: version, as: fixture.admin)
        // It takes a second admin.
        guard first.status == 202 else { return first }
        return try await ask(fixture, currency, amounts, version: version, as: fixture.master)
    }

    private func ask(
        _ fixture: AdminFixture, _ currency: String, _ amounts: [String: JSONValue]?, version: Int?,
        as caller: TestCaller
    ) async throws -> TestAnswer {
        var body: [String: JSONValue] = ["value": .string(currency)]
        if let amounts { body["amounts"] = .object(amounts) }
        if let version { body["version"] = .integer(Int64(version)) }
        let text = String(decoding: try JSONEncoder().encode(JSONValue.object(body)), as: UTF8.self)
        return try await fixture.send(
            .PUT, "/admin/v1/markets/assef/settings/currency", as: caller, body: text)
    }

    private func setting(_ fixture: AdminFixture, _ key: String) async throws -> JSONValue {
        let settings = try await fixture.read("/admin/v1/markets/assef/settings")
        return try #require(settings.items.first { $0["key"]?.string == key })
    }

    @Test("P2, P10: a currency without the amounts that go with it names each that lacks, and changes nothing")
    func refused() async throws {
        try await AdminFixture.running { fixture async throws in
            let none = try await set(fixture, "USD", nil)
            #expect(none.status == 422)
            #expect(
                try none.codes == [
                    "/amounts/finePerKilometre": "required", "/amounts/cancellationFee": "required",
                    "/amounts/tariffs": "required", "/amounts/servicePrices": "required",
                    "/amounts/dailyTopUpLimit": "required", "/amounts/dailyCashOutLimit": "required",
                    "/amounts/secondApprovalAmount": "required", "/amounts/parcelRates": "required",
                ])
            var wrong = Self.amounts
            wrong["tariffs"] = nil
            wrong["finePerKilometre"] = "-1"
            #expect(
                try await set(fixture, "USD", wrong).codes == [
                    "/amounts/finePerKilometre": "out-of-range", "/amounts/tariffs": "required",
                ])
            // What is in force already is no change, and needs no amounts.
            #expect(try await set(fixture, "SAR", nil).status == 200)
            #expect(try await fixture.read("/admin/v1/markets/assef/settings")["version"]?.integer == 0)
            #expect(try await fixture.acts().isEmpty)
        }
    }

    @Test("P2, P9: a currency and its amounts change together, are audited, and others hear of all at once")
    func change() async throws {
        try await AdminFixture.running { fixture async throws in
            #expect(try await fixture.set("finePerKilometre", to: "75").status == 200)
            let changed = try await set(fixture, "USD", Self.amounts, version: 0)
            #expect(changed.status == 200, "\(changed.text)")
            #expect(try changed.json["value"]?.string == "USD")
            #expect(try changed.json["default"]?.string == "SAR")
            let fine = try await setting(fixture, "finePerKilometre")
            #expect(fine["value"]?.string == "20" && fine["version"]?.integer == 2)
            let log = try await fixture.acts()
            #expect(
                log.compactMap { $0["action"]?.string } == ["setting.changed", "setting.proposed", "setting.changed"])
            #expect(log.first?["subject"]?.string == "currency")
            #expect(log.first?["after"]?["value"]?.string?.contains("USD; finePerKilometre=20;") == true)
            // Who still sees the amount of the old currency does not set one of the new by it.
            #expect(try await fixture.set("finePerKilometre", to: "80", version: 1).status == 409)
            #expect(try await fixture.set("finePerKilometre", to: "25", version: 2).status == 200)
            try await SettingListener.running(fixture.broker) { listener async throws in
                try await eventually("the other service has heard", value: { try await listener.settings() }) {
                    $0?.currency == "USD" && $0?.finePerKilometre == 25
                        && $0?.lateRates(in: "SAR").perKilometre == 75
                }
            }
        }
    }

    @Test("P2, A2: sums are of the days of the zone that holds now, and of the currency that is asked for")
    func sums() async throws {
        try await AdminFixture.running { fixture async throws in
            #expect(try await fixture.set("timeZone", to: "Asia/Tokyo").status == 200)
            #expect(try await set(fixture, "USD", Self.amounts).status == 200)
            let money = try await fixture.read("/admin/v1/markets/assef/money")
            #expect(money["timeZone"]?.string == "Asia/Tokyo" && money["currency"]?.string == "USD")
            let before = try await fixture.read("/admin/v1/markets/assef/money?currency=SAR")
            #expect(before["currency"]?.string == "SAR")
            let wrong = try await fixture.send(
                .GET, "/admin/v1/markets/assef/money?currency=XAU", as: fixture.admin)
            #expect(wrong.status == 400)
        }
    }

    @Test("P2, P7: the languages of a market are some of those that its words are written in")
    func languages() async throws {
        try await AdminFixture.running { fixture async throws in
            #expect(try await fixture.set("languages", to: "en").status == 200)
            #expect(try await setting(fixture, "languages")["value"]?.string == "en")
        }
    }
}
