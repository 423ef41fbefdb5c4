/// A currency in which markets take money (ISO 4217).
///
/// The list has the currencies with which people pay, without funds and metals. Amounts are in minor units of ISO 4217,
/// except in requests to the payment provider, which counts some currencies differently (``providerDigits``).
public struct Currency: Hashable, Sendable, Identifiable {
    /// Three capital letters.
    public let code: String
    /// The digits after the decimal point: 2 for halalas, 0 for yen.
    public let minorDigits: Int
    /// The digits after the decimal point in the payment provider's amounts (Stripe's API).
    public var providerDigits: Int { Self.providerExceptions[code] ?? minorDigits }

    public var id: String { code }

    /// All currencies by code.
    public static let all: [String: Currency] = {
        let lists = [(0, withoutMinorUnits), (2, ofHundredths), (3, ofThousandths)]
        let pairs = lists.flatMap { digits, codes in
            codes.split(whereSeparator: \.isWhitespace).map { (String($0), digits) }
        }
        return Dictionary(
            pairs.map { code, digits in (code, Currency(code: code, minorDigits: digits)) },
            uniquingKeysWith: { first, _ in first })
    }()

    /// Nil for an unknown code.
    public static func named(_ code: String) -> Currency? { all[code] }

    /// Currencies that Stripe counts differently from ISO 4217 (docs.stripe.com/currencies): the ariary without its
    /// fifths; ISK and UGX in hundredths, which ISO 4217 has abolished.
    private static let providerExceptions = ["MGA": 0, "ISK": 2, "UGX": 2]

    private static let withoutMinorUnits = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
    private static let ofThousandths = "BHD IQD JOD KWD LYD OMR TND"
    private static let ofHundredths = """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP
        CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
        JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN
        NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP
        SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS WST XCD YER ZAR ZMW
        """
}
