import Contracts
import Foundation
import Testing

@Suite("Markets")
struct MarketTests {
    @Test("P2: each setting can be read and set again to what was read", arguments: MarketSettings.Key.allCases)
    func settings(_ key: MarketSettings.Key) throws {
        for market in Market.all {
            var settings = market.defaults
            try settings.set(key, to: settings.text(of: key))
            #expect(settings == market.defaults)
        }
    }

    @Test(
        "P2: a value that a setting cannot have is refused and changes nothing",
        arguments: [
            (MarketSettings.Key.acceptWindowSeconds, "0"), (.acceptWindowSeconds, "soon"), (.acceptWindowSeconds, ""),
            (.commissionBasisPoints, "10001"), (.commissionBasisPoints, "-1"), (.paymentMethods, "card,card"),
            (.paymentMethods, "gold"), (.paymentMethods, ""), (.openingHours, "8-20"), (.openingHours, "24:00-25:00"),
            (.serviceArea, "1,2 3,4"), (.serviceArea, "91,0 1,1 2,2"), (.serviceArea, "nan,0 1,1 2,2"),
        ])
    func refused(_ key: MarketSettings.Key, _ text: String) {
        var settings = Market.assef.defaults
        #expect(throws: MarketSettings.Refusal.self) { try settings.set(key, to: text) }
        #expect(settings == Market.assef.defaults)
    }

    @Test("P2: a day is one of the market's zone, and each market's zone is one that there is")
    func days() {
        // Half past one in the night of Riyadh.
        let night = Date(timeIntervalSince1970: 1_772_404_200)
        #expect(Market.assef.day(of: night) == "2026-03-02")
        #expect(Market.assef.day(of: night.addingTimeInterval(-2 * 3_600)) == "2026-03-01")
        for market in Market.all { #expect(TimeZone(identifier: market.timeZone) != nil, "\(market.id)") }
    }

    @Test("P2: opening hours may run past midnight")
    func openingHours() throws {
        let day = try #require(OpeningHours("08:00-20:00"))
        #expect(day.text == "08:00-20:00")
        #expect([479, 480, 1199, 1200].map(day.isOpen(minuteOfDay:)) == [false, true, true, false])
        let night = try #require(OpeningHours("22:00-06:00"))
        #expect([1319, 1320, 0, 359, 360].map(night.isOpen(minuteOfDay:)) == [false, true, true, true, false])
    }

    @Test("P7: every text of a market is written in each of its languages")
    func languages() {
        for market in Market.all {
            let labels = market.labels.values.flatMap { [$0.customer, $0.provider] }
            let types = market.serviceTypes.flatMap { [$0.name, $0.brief] }
            let services = market.services.flatMap { [$0.name, $0.brief, $0.instructions, $0.requirements] }
            for text in [market.name] + labels + types + services + market.titles.map(\.name) {
                for language in market.languages { #expect(text.texts[language]?.isEmpty == false) }
            }
        }
    }
}
