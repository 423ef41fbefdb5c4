import Contracts
import Testing

/// Both lists are written down here once more, from ISO 4217's list one and from Stripe's page about currencies, so that
/// a slip in the table shows.
@Suite("Currencies")
struct CurrencyTests {
    private static func codes(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    /// ISO 4217, minor unit 0: those that people pay with.
    private static let isoWithout = codes("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF")
    private static let isoThousandths = codes("BHD IQD JOD KWD LYD OMR TND")
    /// Stripe, "zero-decimal currencies", but UGX, which is among its special cases and counted in hundredths as ISK is.
    private static let stripeWithout = codes("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF")
    private static let stripeThousandths = codes("BHD IQD JOD KWD LYD OMR TND")

    @Test("P2: minor units are those of ISO 4217; the payment provider counts as it says of itself")
    func digits() {
        for (code, currency) in Currency.all {
            let iso = Self.isoWithout.contains(code) ? 0 : Self.isoThousandths.contains(code) ? 3 : 2
            let stripe = Self.stripeWithout.contains(code) ? 0 : Self.stripeThousandths.contains(code) ? 3 : 2
            #expect(currency.minorDigits == iso && currency.providerDigits == stripe, "\(code)")
        }
        let all = Set(Currency.all.keys)
        #expect(all.isSuperset(of: Self.isoWithout.union(Self.isoThousandths).union(Self.stripeWithout)))
    }

    @Test(
        "W2: an amount is the same money here and at the payment provider",
        arguments: [
            ("SAR", 1_250, 1_250), ("JPY", 500, 500), ("KWD", 5_120, 5_120), ("MGA", 50_000, 500), ("ISK", 5, 500),
            ("UGX", 1_200, 120_000),
        ])
    func conversion(_ code: String, _ here: Int, _ there: Int) throws {
        let currency = try #require(Currency.named(code))
        #expect(currency.providerAmount(of: here) == there)
        #expect(currency.amount(ofProvider: there) == here)
    }

    @Test("W2: what the payment provider cannot count has no amount there, nor here what is less than a minor unit")
    func uncountable() throws {
        let (ariary, krona) = (try #require(Currency.named("MGA")), try #require(Currency.named("ISK")))
        #expect(ariary.providerAmount(of: 50_050) == nil)
        #expect(krona.amount(ofProvider: 550) == nil)
        #expect(krona.providerAmount(of: .max) == nil && ariary.amount(ofProvider: .max) == nil)
    }

    @Test(
        "W2: the bounds of charges are the payment provider's",
        arguments: [
            ("SEK", 300, 99_999_999, 1), ("USD", 50, 99_999_999, 1), ("HUF", 17_500, 99_999_999, 1),
            ("JPY", 50, 99_999_999, 1), ("SAR", 1, 99_999_999, 1), ("KWD", 10, 99_999_990, 10),
            ("BHD", 10, 99_999_990, 10), ("MGA", 100, 9_999_999_900, 100), ("ISK", 1, 999_999, 1),
            ("IDR", 1, 999_999_999_999, 1),
        ])
    func charges(_ code: String, _ minimum: Int, _ maximum: Int, _ step: Int) throws {
        let currency = try #require(Currency.named(code))
        let bounds = ProviderBounds.charges(in: currency)
        #expect(bounds.minimum == minimum && bounds.maximum == maximum && bounds.step == step)
        #expect(bounds.allows(minimum) && bounds.allows(maximum))
        #expect(!bounds.allows(minimum - 1) && !bounds.allows(maximum + 1) && !bounds.allows(0))
        #expect(step == 1 || !bounds.allows(minimum + 1))
    }

    @Test("W5: forints and Taiwan's dollars are paid out in whole ones, a part of a refund has no minimum")
    func others() throws {
        for code in ["HUF", "TWD"] {
            let bounds = ProviderBounds.payouts(in: try #require(Currency.named(code)))
            #expect(bounds.step == 100 && bounds.minimum == 100 && bounds.maximum == 99_999_900)
        }
        let krona = try #require(Currency.named("SEK"))
        #expect(ProviderBounds.payouts(in: krona).minimum == 1 && ProviderBounds.refunds(in: krona).minimum == 1)
        #expect(ProviderBounds.refunds(in: try #require(Currency.named("KWD"))).minimum == 10)
    }

    @Test("W2: every currency has bounds in which every amount can be counted by the payment provider")
    func all() {
        for currency in Currency.all.values {
            for bounds in [
                ProviderBounds.charges(in: currency), .refunds(in: currency), .payouts(in: currency),
            ] {
                #expect(bounds.minimum > 0 && bounds.minimum < bounds.maximum, "\(currency.code)")
                for amount in [bounds.minimum, bounds.minimum + bounds.step, bounds.maximum] {
                    #expect(currency.providerAmount(of: amount) != nil, "\(currency.code) \(amount)")
                }
            }
        }
    }
}
