import Contracts
import Foundation
import LiveMarkets
import NIOHTTP1
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import Messaging
@testable import SeraiAdmin
@testable import ServiceKit

@Suite("A market's catalogue", .timeLimit(.minutes(15)))
struct CatalogueTests {
    static let path = "/admin/v1/markets/assef/catalogue"

    static func texts(_ english: String, _ arabic: String, _ names: [String] = ["name"]) -> String {
        let each = names.map { #""\#($0)": {"en": "\#(english)", "ar": "\#(arabic)"}"# }
        return "{\(each.joined(separator: ", "))}"
    }

    static func service(
        _ english: String, id: String? = nil, type: String = "nursing", minutes: Int = 45, more: String = ""
    ) -> String {
        let texts = texts(english, "خدمة", ["name", "brief", "instructions", "requirements"])
        return """
            {\(id.map { #""id": "\#($0)", "# } ?? "")"texts": \(texts), "type": "\(type)", "titles": ["nurse"],
             "minutes": \(minutes)\(more)}
            """
    }

    static func add(
        _ section: String, _ body: String, in market: String = "assef", _ fixture: AdminFixture
    ) async throws -> TestAnswer {
        try await fixture.send(
            .POST, "/admin/v1/markets/\(market)/catalogue/\(section)", as: fixture.master, body: body,
            headers: ["Idempotency-Key": UUID.timeOrdered().text])
    }

    private func entry(_ id: String, in section: String, _ fixture: AdminFixture) async throws -> JSONValue? {
        try await fixture.read("\(Self.path)/\(section)").items.first { $0["id"]?.string == id }
    }

    @Test("A1, C1: all sections are there as the market's file has them, and other sections and markets are not")
    func list() async throws {
        try await AdminFixture.running { fixture async throws in
            for section in CatalogueEntry.Section.allCases {
                let found = try await fixture.read("\(Self.path)/\(section.rawValue)")
                let expected = Market.assef.catalogue.filter { $0.section == section }
                #expect(found.items.compactMap { $0["id"]?.string } == expected.map(\.id))
                #expect(found.items.allSatisfy { $0["version"]?.integer == 0 && $0["active"] == .bool(true) })
                #expect(found["open"] == .bool(section.isOpen))
            }
            let wound = try #require(try await entry("wound-care", in: "services", fixture))
            #expect(wound["texts"]?["name"]?["ar"]?.string == "العناية بالجروح")
            #expect(wound["image"]?.string == "/dispatch/v1/markets/assef/images/wound-care.svg")
            let prices = try await fixture.read("/admin/v1/markets/edencare/catalogue/services", as: fixture.master)
            #expect(prices["currency"]?.string == "CAD")
            #expect(prices.items.allSatisfy { $0["price"]?.integer ?? 0 > 0 })
            #expect(try await fixture.send(.GET, "\(Self.path)/colours", as: fixture.admin).status == 404)
        }
    }

    @Test("A1, P9: a name is changed, is audited with before and after, and is what another service goes by")
    func change() async throws {
        try await AdminFixture.running { fixture async throws in
            let path = "\(Self.path)/services/wound-care"
            let changed = try await fixture.send(
                .PUT, path, as: fixture.admin, body: Self.service(" Dressings \u{200B}"), headers: ["If-Match": "\"0\""]
            )
            #expect(changed.status == 200, "\(changed.text)")
            let version = try #require(try changed.json["version"]?.integer)
            #expect(changed.headers.first(name: "etag") == "\"\(version)\"")
            #expect(try changed.json["texts"]?["name"]?["en"]?.string == "Dressings")
            // The same again publishes nothing and keeps the version.
            let same = try await fixture.send(.PUT, path, as: fixture.admin, body: Self.service("Dressings"))
            #expect(try same.json["version"]?.integer == version)
            // The second of two admins is told.
            let late = try await fixture.send(
                .PUT, path, as: fixture.master, body: Self.service("Bandages"), headers: ["If-Match": "\"0\""])
            #expect(late.status == 412)
            #expect(try late.slug == "catalogue-changed")
            #expect(try late.json["version"]?.integer == version)
            let log = try await fixture.acts()
            #expect(log.compactMap { $0["action"]?.string } == ["catalogue.changed"])
            #expect(log.first?["subject"]?.string == "services/wound-care")
            #expect(log.first?["before"]?["texts"]?["name"]?["en"]?.string == "Wound care")
            #expect(log.first?["after"]?["texts"]?["name"]?["en"]?.string == "Dressings")
            try await SettingListener.running(fixture.broker) { listener async throws in
                try await eventually("the other service has heard", value: { try await listener.market() }) {
                    $0?.services.first?.name.text(in: "en") == "Dressings"
                }
            }
        }
    }

    @Test("C1, C2: a service is added, moved, retired and brought back; the other sections' rules hold")
    func added() async throws {
        try await AdminFixture.running { fixture async throws in
            let made = try await Self.add("services", Self.service("Fever check", id: "fever-check"), fixture)
            #expect(made.status == 201, "\(made.text)")
            #expect(try made.json["added"] == .bool(true))
            let again = try await Self.add("services", Self.service("Fever check", id: "fever-check"), fixture)
            #expect(again.status == 409)
            let path = "\(Self.path)/services/fever-check"
            let moved = try await fixture.send(
                .PUT, "\(path)/place", as: fixture.admin, body: #"{"before": "wound-care"}"#)
            #expect(moved.status == 200)
            #expect(try moved.json.items.first?["id"]?.string == "fever-check")
            let last = try await fixture.send(.PUT, "\(path)/place", as: fixture.admin, body: "{}")
            #expect(try last.json.items.last?["id"]?.string == "fever-check")
            func act(_ act: String, _ path: String) async throws -> TestAnswer {
                try await fixture.send(
                    .POST, "\(path)/\(act)", as: fixture.admin, body: "{}",
                    headers: ["Idempotency-Key": UUID.timeOrdered().text])
            }
            #expect(try await act("retire", path).json["active"] == .bool(false))
            #expect(try await act("restore", path).json["active"] == .bool(true))
            // What programs decide by stays.
            for fixed in ["report-reasons/other", "labels/accepted", "kinds/visit"] {
                #expect(try await act("retire", "\(Self.path)/\(fixed)").status == 409, "\(fixed)")
            }
            let driver = try await fixture.send(
                .POST, "/admin/v1/markets/btnc/catalogue/titles/driver/retire", as: fixture.master, body: "{}",
                headers: ["Idempotency-Key": UUID.timeOrdered().text])
            #expect(driver.status == 409)
            let label = try await Self.add(
                "labels", #"{"id": "x", "texts": \#(Self.texts("a", "ب", ["customer", "provider"]))}"#, fixture)
            #expect(label.status == 409)
            #expect(
                try await fixture.acts().compactMap { $0["action"]?.string } == [
                    "catalogue.restored", "catalogue.retired", "catalogue.moved", "catalogue.moved", "catalogue.added",
                ])
        }
    }

    @Test("P10: what is wrong with an entry is named field by field, and changes nothing")
    func refused() async throws {
        try await AdminFixture.running { fixture async throws in
            func codes(_ section: String, _ body: String, in market: String = "assef") async throws -> [String: String]
            {
                let answer = try await Self.add(section, body, in: market, fixture)
                #expect(answer.status == 422, "\(answer.text)")
                return try answer.codes
            }
            #expect(
                try await codes("services", "{}").keys.sorted() == [
                    "/id", "/minutes", "/texts/brief/ar", "/texts/brief/en", "/texts/instructions/ar",
                    "/texts/instructions/en", "/texts/name/ar", "/texts/name/en", "/texts/requirements/ar",
                    "/texts/requirements/en", "/titles", "/type",
                ])
            #expect(try await codes("services", Self.service("a", id: "A b")) == ["/id": "not-a-slug"])
            #expect(
                try await codes("services", Self.service("a", id: "a", type: "cars")) == ["/type": "not-a-choice"])
            #expect(
                try await codes("services", Self.service("a", id: "a", minutes: 3)) == ["/minutes": "out-of-range"])
            #expect(
                try await codes("services", Self.service("a", id: "a", more: #", "price": 5"#)) == [
                    "/price": "priced-by-providers"
                ])
            let title =
                #"{"id": "b", "texts": \#(Self.texts("B", "ب")), "spellings": ["staff NURSE"], "ambiguous": false}"#
            #expect(try await codes("titles", title) == ["/spellings/0": "spelling-taken"])
            let reason = #"{"id": "c", "texts": \#(Self.texts("C", "ج")), "parties": ["merchant", "cat"]}"#
            #expect(try await codes("report-reasons", reason) == ["/parties/1": "not-a-choice"])
            let seller = #"{"id": "c", "texts": \#(Self.texts("C", "ج")), "parties": ["merchant"]}"#
            #expect(try await codes("report-reasons", seller) == ["/parties": "no-merchants"])
            let care = Self.service("a", id: "a", type: "household").replacing(#"["nurse"]"#, with: "[]")
            #expect(try await codes("services", care, in: "edencare") == ["/price": "required"])
            let taken = #"{"id": "restaurant", "texts": \#(Self.texts("R", "ر")), "spellings": [], "ambiguous": false}"#
            #expect(try await Self.add("titles", taken, fixture).status == 409)
            #expect(try await fixture.acts(as: fixture.master).isEmpty)
            let arabic = try await fixture.send(
                .PUT, "\(Self.path)/services/nothing", as: fixture.admin, body: Self.service("a"),
                headers: ["Accept-Language": "ar"])
            #expect(arabic.status == 404)
            let wrong = try await fixture.send(
                .PUT, "\(Self.path)/services/wound-care", as: fixture.admin, body: Self.service("a"),
                headers: ["If-Match": "seven"])
            #expect(try wrong.codes == ["/If-Match": "invalid-value"])
        }
    }

    @Test("P2, O7: where the market sets prices, a service's price is changed with it and is the setting")
    func price() async throws {
        try await AdminFixture.running { fixture async throws in
            let body = Self.service("Gardening", id: "gardening", type: "household", more: #", "price": 2900"#)
                .replacing(#"["nurse"]"#, with: "[]")
            let made = try await Self.add("services", body, in: "edencare", fixture)
            #expect(made.status == 201, "\(made.text)")
            #expect(try made.json["price"]?.integer == 2_900)
            let version = try #require(try made.json["version"]?.integer)
            let dearer = try await fixture.send(
                .PUT, "/admin/v1/markets/edencare/catalogue/services/gardening", as: fixture.master,
                body: body.replacing(#""id": "gardening", "#, with: "").replacing("2900", with: "3100"))
            #expect(try dearer.json["price"]?.integer == 3_100)
            // A price alone is a change of the entry, too: the second of two admins is told.
            #expect(try dearer.json["version"]?.integer ?? 0 > version)
            let settings = try await fixture.read("/admin/v1/markets/edencare/settings", as: fixture.master)
            let prices = settings.items.first { $0["key"]?.string == "servicePrices" }?["value"]?.string
            #expect(prices?.contains("gardening=3100") == true)
            // It can be set there as well by now.
            let set = try await fixture.send(
                .PUT, "/admin/v1/markets/edencare/settings/servicePrices", as: fixture.master,
                body: #"{"value": "gardening=3200"}"#)
            #expect(set.status == 200, "\(set.text)")
        }
    }

    @Test("A1: late, repeated and republished entries end as the newest says, and what admin has lost is dropped")
    func order() async throws {
        try await AdminFixture.running { fixture async throws in
            try await SettingListener.running(fixture.broker) { listener async throws in
                func told(_ name: String) throws -> CatalogueEntry {
                    var entry = try #require(Market.assef.catalogue.first { $0.id == "wound-care" })
                    entry[.name] = ["en": name, "ar": name]
                    return entry
                }
                func tell(_ name: String, _ version: Int) async throws {
                    try await fixture.tell(
                        CatalogueChanged(
                            market: "assef", entries: [try told(name)], version: version, by: .timeOrdered(),
                            at: Date()))
                }
                func name() async throws -> String? {
                    try await listener.market()?.services.first?.name.text(in: "en")
                }
                for (text, version) in [("Third", 3), ("First", 1), ("Third", 3), ("Fifth", 5), ("Fourth", 4)] {
                    try await tell(text, version)
                }
                try await fixture.tell(
                    CatalogueChanged(
                        market: "assef",
                        entries: [CatalogueEntry(.kinds, "visit", position: 1, texts: [.name: ["en": "Call"]])],
                        version: 6, by: .timeOrdered(), at: Date()))
                try await eventually("all were heard", value: { try await listener.market()?.kind("visit")?.name }) {
                    $0?.text(in: "en") == "Call"
                }
                try await eventually("the newest name holds", value: name) { $0 == "Fifth" }
                // Another process starts with what was stored.
                let other = LiveMarkets(pool: listener.pool, logger: TestThreads.logger)
                #expect(other.named("assef")?.services.first?.name.text(in: "en") == "Wound care")
                try await other.refresh()
                #expect(other.named("assef")?.services.first?.name.text(in: "en") == "Fifth")
                // Admin has been restored to a time before the kind's new name.
                try await fixture.tell(
                    CatalogueTold(
                        market: "assef", version: 6, entries: [.init(entry: try told("Fifth"), version: 5)]))
                try await eventually("what was lost is dropped", value: { try await listener.market()?.kind("visit") })
                {
                    $0?.name.text(in: "en") == "Home visit"
                }
                #expect(try await name() == "Fifth")
            }
        }
    }

    @Test("A1: `admin republish` tells the whole catalogue of each market again")
    func republished() async throws {
        try await AdminFixture.running { fixture async throws in
            _ = try await Self.add("services", Self.service("Fever check", id: "fever-check"), fixture)
            let part = try await fixture.pool.withTransaction {
                try await RepublishCatalogue.kind.tell(.init(after: nil, readAt: Date()), $0)
            }
            #expect(part.count == 1)
            try await SettingListener.running(fixture.broker) { listener async throws in
                try await eventually("the service is known", value: { try await listener.market() }) {
                    $0?.services.contains { $0.id == "fever-check" } == true
                }
            }
        }
    }
}
