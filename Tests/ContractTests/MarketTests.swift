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

    @Test("I1, X8: every market has terms, in each of its languages, and their versions are no words")
    func terms() throws {
        for market in Market.all {
            let terms = try #require(market.onboarding.terms, "\(market.id)")
            for language in MarketSettings.knownLanguages {
                #expect((terms.text.texts[language] ?? "").count > 200, "\(market.id) \(language)")
            }
            #expect(Set(terms.text.texts.values).count == MarketSettings.knownLanguages.count)
            #expect(terms.version.allSatisfy { $0.isNumber || $0 == "-" })
        }
    }

    @Test("C8: assef asks for a subscription by default, and no other market does")
    func subscriptions() {
        #expect(Market.all.filter(\.defaults.subscriptionRequired).map(\.id) == ["assef"])
    }

    @Test(
        "P2: a value that a setting cannot have is refused and changes nothing",
        arguments: [
            (MarketSettings.Key.acceptWindowSeconds, "0"), (.acceptWindowSeconds, "soon"), (.acceptWindowSeconds, ""),
            (.commissionBasisPoints, "10001"), (.commissionBasisPoints, "-1"), (.paymentMethods, "card,card"),
            (.paymentMethods, "gold"), (.paymentMethods, ""), (.openingHours, "8-20"), (.openingHours, "24:00-25:00"),
            (.timeZone, "Riyadh"), (.timeZone, "Mars/Olympus"), (.timeZone, "+03:00"), (.timeZone, "asia/riyadh"),
            (.timeZone, ""), (.languages, ""), (.languages, "en,en"), (.languages, "en,xx"), (.currency, ""),
            (.currency, "CAD"), (.currency, "XYZ; finePerKilometre=1; cancellationFee=0; tariffs=none"),
            (.currency, "CAD; finePerKilometre=1; cancellationFee=0; tariffs=none"),
            (.currency, "CAD; finePerKilometre=-1; cancellationFee=0; tariffs=none; servicePrices=none"),
            (.currency, "CAD; finePerKilometre=1; cancellationFee=0; tariffs=none; servicePrices=none; SAR=1,2"),
            (.currency, "CAD; finePerKilometre=+1; cancellationFee=0; tariffs=none; servicePrices=none"),
            (.currency, "CAD; finePerKilometre=1; cancellationFee=0; tariffs=none; servicePrices=a=+1"),
            (
                .currency,
                "CAD; finePerKilometre=1; cancellationFee=0; tariffs=none; servicePrices=none; formerly X=1,+2"
            ),
            (.servicePrices, "meals=+5"), (.servicePrices, "meals=5.0"), (.servicePrices, "meals=5e2"),
            (.finePerKilometre, "+5"), (.dailyTopUpLimit, "5e2"),
            (.servicePrices, ""), (.servicePrices, "meals"), (.servicePrices, "meals=0"), (.servicePrices, "a=1 a=1"),
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
        #expect(Market.assef.defaults.day(of: night) == "2026-03-02")
        #expect(Market.assef.defaults.day(of: night.addingTimeInterval(-2 * 3_600)) == "2026-03-01")
        for market in Market.all { #expect(TimeZone(identifier: market.defaults.timeZone) != nil) }
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
                for language in market.defaults.languages { #expect(text.texts[language]?.isEmpty == false) }
            }
        }
    }

    @Test("P2: with a currency all amounts change at one moment, and what orders of the former one go by is kept")
    func currency() throws {
        var settings = Market.edencare.defaults
        settings.finePerKilometre = 70
        let dollars = try #require(Currency.named("USD"))
        let amounts: [MarketSettings.Key: String] = [
            .finePerKilometre: "40", .cancellationFee: "300", .tariffs: "none", .servicePrices: "meals=2500",
            .dailyTopUpLimit: "100000", .dailyCashOutLimit: "200000", .secondApprovalAmount: "50000",
            .parcelRates: "1500,2000,400,200",
        ]
        var changed = try settings.changed(to: dollars, amounts: amounts)
        #expect(changed.currency == "USD" && changed.servicePrices == ["meals": 2_500])
        #expect(changed.lateRates(in: "USD") == MarketSettings.LateRates(perKilometre: 40, fee: 300))
        #expect(changed.lateRates(in: "CAD") == MarketSettings.LateRates(perKilometre: 70, fee: 0))
        #expect(changed.lateRates(in: "SEK") == MarketSettings.LateRates(perKilometre: 0, fee: 0))
        // As other services read it.
        var heard = Market.edencare.defaults
        try heard.set(.currency, to: changed.text(of: .currency))
        #expect(heard.formerRates == changed.formerRates && heard.text(of: .currency) == changed.text(of: .currency))
        #expect(heard.dailyTopUpLimit == 100_000 && heard.secondApprovalAmount == 50_000)
        // A currency that was stored before these limits were amounts leaves them as they are.
        try heard.set(.currency, to: "EUR; finePerKilometre=1; cancellationFee=0; tariffs=none; servicePrices=none")
        #expect(heard.currency == "EUR" && heard.dailyTopUpLimit == 100_000)
        changed.finePerKilometre = 45
        let back = try changed.changed(to: try #require(Currency.named("CAD")), amounts: amounts)
        #expect(back.formerRates == ["USD": MarketSettings.LateRates(perKilometre: 45, fee: 300)])
    }

    @Test("P2: a currency without each of its amounts is refused", arguments: MarketSettings.amounts)
    func lacking(_ key: MarketSettings.Key) throws {
        var amounts = Dictionary(
            MarketSettings.amounts.map { ($0, Market.btnc.defaults.text(of: $0)) }, uniquingKeysWith: { $1 })
        amounts[key] = nil
        let dollars = try #require(Currency.named("USD"))
        let refusal = #expect(throws: MarketSettings.Refusal.self) {
            _ = try Market.btnc.defaults.changed(to: dollars, amounts: amounts)
        }
        #expect(refusal?.key == key)
    }

    @Test("P2: every market begins with a currency that there is; minor units have the digits of ISO 4217")
    func currencies() {
        for market in Market.all { #expect(Currency.named(market.defaults.currency) != nil) }
        #expect(["SAR", "JPY", "KWD", "SEK"].map { Currency.named($0)?.minorDigits } == [2, 0, 3, 2])
        #expect(["XAU", "sar", "", "CLF"].allSatisfy { Currency.named($0) == nil })
        #expect(Currency.all.allSatisfy { code, currency in code == currency.code && code.utf8.count == 3 })
    }
}
