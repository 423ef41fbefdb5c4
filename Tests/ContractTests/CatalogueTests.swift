import Contracts
import Foundation
import SeraiJSON
import Testing

@Suite("A market's catalogue as entries")
struct CatalogueTests {
    private static let fever: CatalogueEntry = {
        var entry = CatalogueEntry(
            .services, "fever-check", position: 2,
            texts: [
                .name: ["en": "Fever check", "ar": "قياس الحرارة"], .brief: ["en": "Short.", "ar": "قصير."],
                .instructions: ["en": "Rest.", "ar": "استرح."], .requirements: ["en": "None.", "ar": "لا يوجد."],
            ])
        (entry.type, entry.titles, entry.minutes) = ("nursing", ["nurse"], 20)
        return entry
    }()

    private func entry(_ key: CatalogueEntry.Key, of market: Market) throws -> CatalogueEntry {
        try #require(market.catalogue.first { $0.key == key })
    }

    @Test("A3, P2: a market made of its own entries is the same market", arguments: Market.all.map(\.id))
    func same(_ id: String) throws {
        let market = try #require(Market.named(id))
        let again = market.with(market.catalogue)
        #expect(again.catalogue == market.catalogue)
        #expect(again.services.map(\.id) == market.services.map(\.id))
        #expect(again.titles.map(\.id) == market.titles.map(\.id))
        #expect(again.titles.map(\.jobTitles) == market.titles.map(\.jobTitles))
        #expect(again.reportReasons.map(\.parties) == market.reportReasons.map(\.parties))
        #expect(again.labels == market.labels && again.kinds == market.kinds)
        #expect(Set(market.catalogue.map(\.key)).count == market.catalogue.count)
        for entry in market.catalogue {
            for text in entry.section.requiredTexts {
                #expect(Set(MarketSettings.knownLanguages).isSubset(of: entry[text]?.texts.keys.map(\.self) ?? []))
            }
            #expect(try JSON.wire.decode(CatalogueEntry.self, JSON.wire.encode(entry)) == entry)
        }
    }

    @Test("C1: a changed name, a service that is new, and its place among the others")
    func added() throws {
        var wound = try entry(.init(section: .services, id: "wound-care"), of: .assef)
        wound[.name] = ["en": "Dressings", "ar": "الضماد"]
        let market = Market.assef.with([wound, Self.fever])
        #expect(market.services.first?.name.text(in: "ar") == "الضماد")
        let nursing = try #require(market.serviceTypes.first { $0.id == "nursing" })
        #expect(nursing.services.map(\.id).prefix(3) == ["wound-care", "injection", "fever-check"])
        let added = try #require(market.services.first { $0.id == "fever-check" })
        #expect(added.minutes == 20 && added.titles == ["nurse"] && added.image == nursing.image)
        // Applied to what was changed before, changes stand on changes.
        #expect(market.with([wound]).services.map(\.id) == market.services.map(\.id))
    }

    @Test("C1, I5: what is retired is offered no more, and its words stay")
    func retired() throws {
        var service = try entry(.init(section: .services, id: "wound-care"), of: .assef)
        var nurse = try entry(.init(section: .titles, id: "nurse"), of: .assef)
        var reason = try entry(.init(section: .reportReasons, id: "unsafe"), of: .assef)
        service.active = false
        nurse.active = false
        reason.active = false
        let market = Market.assef.with([service, nurse, reason])
        #expect(!market.services.contains { $0.id == "wound-care" })
        #expect(market.allServices.contains { $0.id == "wound-care" })
        #expect(market.title(ofJob: "Registered Nurse") == nil)
        #expect(market.read(jobTitle: "Registered Nurse") == .unknownMedical)
        #expect(market.title("nurse")?.name.text(in: "en") == "Nurse")
        #expect(!market.reportReasons(of: .customer).contains { $0.id == "unsafe" })
        #expect(market.words(for: "unsafe")?.text(in: "en") == "I do not feel safe")
        // A type takes its services with it, and both come back.
        var type = try entry(.init(section: .serviceTypes, id: "nursing"), of: market)
        type.active = false
        let without = market.with([type])
        #expect(without.serviceTypes.map(\.id) == ["physiotherapy"])
        #expect(without.allServices.count == Market.assef.services.count)
        type.active = true
        service.active = true
        #expect(without.with([type, service]).services.map(\.id) == Market.assef.services.map(\.id))
    }

    @Test("I5: a spelling that an admin adds is read as the title")
    func spelling() throws {
        var nurse = try entry(.init(section: .titles, id: "nurse"), of: .assef)
        #expect(Market.assef.title(ofJob: "Schwester") == nil)
        nurse.spellings = (nurse.spellings ?? []) + ["Schwester"]
        #expect(Market.assef.with([nurse]).title(ofJob: "  schwester ")?.id == "nurse")
    }

    @Test("P3, P7: words for states and kinds change for the market and for one kind; unknown ones change nothing")
    func words() throws {
        var arrived = try entry(.init(section: .labels, id: "arrived"), of: .assef)
        arrived[.customer] = ["en": "{title} is here", "ar": "وصل {title}"]
        var food = try entry(.init(section: .labels, id: "food.accepted"), of: .btnc)
        food[.merchant] = ["en": "On its way to you", "ar": "في الطريق إليك"]
        let kind = CatalogueEntry(.kinds, "ride", position: 1, texts: [.name: ["en": "Trip", "ar": "رحلة"]])
        let strange = CatalogueEntry(
            .labels, "food.levitating", position: 1, texts: [.customer: ["en": "?"], .provider: ["en": "?"]])
        let assef = Market.assef.with([arrived])
        #expect(
            assef.label(of: .arrived, for: .customer, in: "en", provider: .init(title: "nurse", gender: "female"))
                == "nurse is here")
        let btnc = Market.btnc.with([food, kind, strange])
        #expect(btnc.label(of: .accepted, for: .merchant, in: "en", kind: "food") == "On its way to you")
        #expect(btnc.label(of: .accepted, for: .customer, in: "en", kind: "ride") == "Driver found")
        #expect(btnc.kind("ride")?.name.text(in: "ar") == "رحلة")
        #expect(btnc.catalogue.count == Market.btnc.catalogue.count)
    }
}
