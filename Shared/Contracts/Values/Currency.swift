/// A currency in which markets take money (ISO 4217).
///
/// The ones that people pay with. Left out are funds, metals, and ISK and UGX: payment providers that speak Stripe's API
/// count these two in hundredths, which ISO 4217 has abolished, so an amount would mean two things.
public struct Currency: Hashable, Sendable, Identifiable {
    /// Three capital letters.
    public let code: String
    /// How many digits of an amount are behind the point: 2 for halalas, 0 for yen.
    public let minorDigits: Int

    public var id: String { code }

    /// By code.
    public static let all: [String: Currency] = {
        let lists = [(0, withoutMinorUnits), (2, ofHundredths), (3, ofThousandths)]
        let pairs = lists.flatMap { digits, codes in
            codes.split(whereSeparator: \.isWhitespace).map { (String($0), digits) }
        }
        return Dictionary(
            pairs.map { code, digits in (code, Currency(code: code, minorDigits: digits)) },
            uniquingKeysWith: { first, _ in first })
    }()

    /// Nil for a code that is none.
    public static func named(_ code: String) -> Currency? { all[code] }

    private static let withoutMinorUnits = "BIF CLP DJF GNF JPY KMF KRW PYG RWF VND VUV XAF XOF XPF"
    private static let ofThousandths = "BHD IQD JOD KWD LYD OMR TND"
    private static let ofHundredths = """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP
        CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
        JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN
        NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP
        SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS WST XCD YER ZAR ZMW
        """
}
