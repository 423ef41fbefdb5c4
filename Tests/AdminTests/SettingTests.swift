import Contracts
import Foundation
import Postgres
import NIOHTTP1
import Messaging
import LiveMarkets
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("Settings of a market", .timeLimit(.minutes(15)))
struct SettingTests {
    private func setting(_ fixture: AdminFixture, _ key: String) async throws -> JSONValue {
        let settings = try await fixture.read("/admin/v1/markets/assef/settings")
        return try #require(settings.items.first { $0["key"]?.string == key })
    }

    @Test("N6, P2: the support's phone and address are settings, typed as people type them; others are refused")
    func support() async throws {
        try await AdminFixture.running { fixture async throws in
            func value(_ key: String) async throws -> String? {
                let items = try await fixture.read("/admin/v1/markets/assef/settings").items
                return items.first { $0["key"]?.string == key }?["value"]?.string
            }
            for key in ["supportPhone", "supportEmail"] { #expect(try await value(key) == "none") }
            #expect(try await fixture.set("supportPhone", to: "00966 11 234 5678").status == 200)
            #expect(try await value("supportPhone") == "+966112345678")
            #expect(try await fixture.set("supportEmail", to: "help@assef.example").status == 200)
            #expect(try await value("supportEmail") == "help@assef.example")
            for (key, wrong) in [
                ("supportPhone", "12"), ("supportPhone", "+0 11"), ("supportPhone", "help"), ("supportEmail", "help"),
                ("supportEmail", "a@b"), ("supportEmail", "a b@c.de"), ("supportEmail", "a@b@c.de"),
            ] {
                let answer = try await fixture.set(key, to: wrong)
                #expect(answer.status == 422, "\(key) \(wrong) \(answer.text)")
            }
            #expect(try await fixture.set("supportPhone", to: "none").status == 200)
            #expect(try await value("supportPhone") == "none")
        }
    }

    @Test("P2: all settings are there with value, default and what is allowed")
    func list() async throws {
        try await AdminFixture.running { fixture async throws in
            let settings = try await fixture.read("/admin/v1/markets/assef/settings")
            #expect(settings["version"]?.integer == 0)
            #expect(
                settings.items.compactMap { $0["key"]?.string } == MarketSettings.Key.allCases.map(\.rawValue))
            for item in settings.items {
                #expect(item["value"] == item["default"])
                #expect(item["allowed"]?.string?.isEmpty == false)
                #expect(item["version"]?.integer == 0)
                #expect(item["changedBy"] == nil)
            }
            let window = try await setting(fixture, "acceptWindowSeconds")
            #expect(window["value"]?.string == "120")
            #expect(window["kind"]?.string == "wholeNumber")
            #expect([window["minimum"]?.integer, window["maximum"]?.integer] == [1, 86_400])
        }
    }

    @Test("P2, P9: a change is kept with who and when, is audited, and reaches other services; the same again is none")
    func change() async throws {
        try await AdminFixture.running { fixture async throws in
            try await fixture.tell(
                AccountRegistered(account: account(fixture.admin.account, name: "Amal"), at: Date()))
            let changed = try await fixture.set("acceptWindowSeconds", to: " 0090 ")
            #expect(changed.status == 200)
            #expect(changed.headers.first(name: "etag") == "\"1\"")
            #expect(try changed.json["value"]?.string == "90")
            for same in ["90", "090"] {
                let answer = try await fixture.set("acceptWindowSeconds", to: same)
                #expect(answer.status == 200)
                #expect(try answer.json["version"]?.integer == 1)
            }
            #expect(try await fixture.set("commissionBasisPoints", to: "2000", as: fixture.master).status == 200)
            try await eventually("the admin has a name") {
                try await setting(fixture, "acceptWindowSeconds")["changedBy"]?["name"]?.string == "Amal"
            }
            let window = try await setting(fixture, "acceptWindowSeconds")
            #expect(window["changedBy"]?["account"]?.string == fixture.admin.account.uuidString.lowercased())
            #expect(window["changedAt"]?.string.flatMap(Timestamp.parse) != nil)
            #expect(window["default"]?.string == "120")
            #expect(try await fixture.read("/admin/v1/markets/assef/settings")["version"]?.integer == 2)

            let log = try await fixture.acts()
            #expect(log.compactMap { $0["subject"]?.string } == ["commissionBasisPoints", "acceptWindowSeconds"])
            #expect(log.last?["before"]?["value"]?.string == "120")
            #expect(log.last?["after"]?["value"]?.string == "90")
            #expect(log.last?["action"]?.string == "setting.changed")

            try await SettingListener.running(fixture.broker) { listener async throws in
                try await eventually("the other service has heard", value: { try await listener.settings() }) {
                    $0?.acceptWindowSeconds == 90 && $0?.commissionBasisPoints == 2_000
                }
                #expect(try await listener.versions() == ["acceptWindowSeconds": 1, "commissionBasisPoints": 2])
            }
        }
    }

    @Test("P2, P10: a value that the setting cannot have names the field, and changes nothing")
    func refused() async throws {
        let cases = [
            ("acceptWindowSeconds", "0", "out-of-range"), ("acceptWindowSeconds", "soon", "not-a-whole-number"),
            ("acceptWindowSeconds", "1,200", "not-a-whole-number"),
            ("acceptWindowSeconds", "1.200", "not-a-whole-number"),
            ("commissionBasisPoints", "10001", "out-of-range"), ("paymentMethods", "gold", "not-payment-methods"),
            ("openingHours", "25:00-26:00", "not-opening-hours"), ("serviceArea", "1,2 3,4", "not-a-service-area"),
            ("timeZone", "Riyadh", "not-a-time-zone"), ("timeZone", "Mars/Olympus", "not-a-time-zone"),
            ("timeZone", "SystemV/EST5", "not-a-time-zone"),
            ("currency", "XAU", "not-a-currency"),
            ("currency", "KWD; servicePrices=none", "more-than-a-currency"), ("currency", "riyal", "not-a-currency"),
            ("languages", "en,xx", "not-languages"), ("tariffs", "a=1", "not-tariffs"),
            ("servicePrices", "wound-care=1", "not-priced-by-market"), ("servicePrices", "x", "not-service-prices"),
            ("surge", "1", "not-a-surge-rule"), ("serviceArea", "\u{0000}", "control-characters"),
            ("openingHours", "", "required"),
        ]
        try await AdminFixture.running { fixture async throws in
            for (key, value, code) in cases {
                let answer = try await fixture.set(key, to: value)
                #expect(answer.status == 422)
                #expect(try answer.codes == ["/value": code])
            }
            let arabic = try await fixture.set("openingHours", to: "x", headers: ["Accept-Language": "ar"])
            #expect(arabic.headers.first(name: "content-language") == "ar")
            #expect(arabic.text.contains("ساعات العمل"))
            #expect(try await fixture.read("/admin/v1/markets/assef/settings")["version"]?.integer == 0)
            #expect(try await fixture.acts().isEmpty)
        }
    }

    @Test(
        "P10: a setting is read as people and their phones type it",
        arguments: [
            ("finePerKilometre", "٥٠", "50"), ("finePerKilometre", " ۷۵ ", "75"),
            ("openingHours", "٠٨:٠٠-٢٠:٠٠", "08:00-20:00"), ("openingHours", "08:00\u{2013}21:00", "08:00-21:00"),
            ("openingHours", "08:00 - 22:00", "08:00-22:00"), ("openingHours", "Always", "always"),
            ("languages", "ar\u{060C}en", "ar,en"), ("languages", "EN, AR", "en,ar"),
            ("paymentMethods", "card, cash", "card,cash"), ("subscriptionRequired", "True", "true"),
        ])
    func typed(key: String, typed: String, value: String) async throws {
        try await AdminFixture.running { fixture async throws in
            let answer = try await fixture.set(key, to: typed)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try answer.json["value"]?.string == value)
        }
    }

    @Test("C6, P10: a market with hires, which nobody takes cash for, is not opened to cash")
    func cashForHires() async throws {
        try await AdminFixture.running { fixture async throws in
            func set(_ methods: String, in market: String) async throws -> TestAnswer {
                try await fixture.send(
                    .PUT, "/admin/v1/markets/\(market)/settings/paymentMethods", as: fixture.master,
                    body: #"{"value": "\#(methods)"}"#)
            }
            let refused = try await set("card,cash", in: "btnc")
            #expect(refused.status == 422)
            #expect(try refused.codes == ["/value": "no-cash-for-hires"])
            #expect(try await set("card,wallet", in: "btnc").status == 200)
            #expect(try await set("card,cash", in: "assef").status == 200)
        }
    }

    @Test("P10: a body that cannot be read is a problem of its own")
    func badBody() async throws {
        let cases = [
            ("", 400), ("{", 400), ("[]", 422), (#"{"value":5}"#, 422), (#"{}"#, 422),
            (#"{"value":"90","version":-1}"#, 422), (#"{"value":"90","version":"x"}"#, 422),
        ]
        try await AdminFixture.running { fixture async throws in
            for (body, status) in cases {
                let answer = try await fixture.send(
                    .PUT, "/admin/v1/markets/assef/settings/acceptWindowSeconds", as: fixture.admin, body: body)
                #expect(answer.status == status, "\(body): \(answer.text)")
            }
        }
    }

    @Test("P2: who has seen an older version changes nothing and is told the value that holds")
    func stale() async throws {
        try await AdminFixture.running { fixture async throws in
            #expect(try await fixture.set("nearbyMetres", to: "700", version: 0).status == 200)
            let stale = try await fixture.set("nearbyMetres", to: "900", version: 0)
            #expect(stale.status == 409)
            #expect(try stale.slug == "setting-changed")
            #expect(try stale.json["value"]?.string == "700")
            #expect(try stale.json["version"]?.integer == 1)
            for header in ["\"0\"", "W/\"0\""] {
                let answer = try await fixture.set("nearbyMetres", to: "900", headers: ["If-Match": header])
                #expect(answer.status == 409)
            }
            #expect(try await fixture.set("nearbyMetres", to: "1", headers: ["If-Match": "7"]).status == 422)
            let both = try await fixture.set("nearbyMetres", to: "900", version: 1, headers: ["If-Match": "\"2\""])
            #expect(both.status == 422)
            #expect(try await fixture.set("nearbyMetres", to: "900", headers: ["If-Match": "\"1\""]).status == 200)
            #expect(try await fixture.set("nearbyMetres", to: "950", headers: ["If-Match": "*"]).status == 200)
            #expect(try await setting(fixture, "nearbyMetres")["value"]?.string == "950")
        }
    }

    @Test("P2: of admins who change the same version at once one wins, and the others get a 409")
    func race() async throws {
        try await AdminFixture.running { fixture async throws in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        try await fixture.set(
                            "paymentWindowSeconds", to: "\(1_000 + number)", version: 0,
                            as: number.isMultiple(of: 2) ? fixture.admin : fixture.master
                        ).status
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200] + Array(repeating: 409, count: 7))
            #expect(try await fixture.acts().count == 1)
        }
    }

    @Test("P2, P9: of admins who change without looking, all are in the log, and versions have no gap")
    func storm() async throws {
        try await AdminFixture.running { fixture async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<12 {
                    group.addTask { () async throws in
                        let key = ["paymentWindowSeconds", "acceptWindowSeconds"][number % 2]
                        #expect(try await fixture.set(key, to: "\(2_000 + number)").status == 200)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await fixture.read("/admin/v1/markets/assef/settings")["version"]?.integer == 12)
            let log = try await fixture.read("/admin/v1/audit?limit=100").items
            #expect(log.count == 12)
            // Each change begins where the one before it ended.
            for key in ["paymentWindowSeconds", "acceptWindowSeconds"] {
                let changes = log.filter { $0["subject"]?.string == key }
                let after = Set(changes.compactMap { $0["after"]?["value"]?.string })
                let before = Set(changes.compactMap { $0["before"]?["value"]?.string })
                #expect(after.count == 6)
                #expect(before.subtracting(after).count == 1)
            }
            try await SettingListener.running(fixture.broker) { listener async throws in
                try await eventually("the newest of both keys is heard", value: { try await listener.versions() }) {
                    Set($0.values).contains(12) && $0.count == 2
                }
            }
        }
    }
}
