/// The currencies in which Stripe takes and pays money, in the order of its own error.
enum ProviderCurrencies {
    static let all: [String] = """
        usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf
        clp cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl hrk htg huf idr
        ils inr isk jmd jod jpy kes kgs khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mro mur
        mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek
        sgd shp sll sos srd std szl thb tjs tnd top try ttd twd tzs uah ugx uyu uzs vnd vuv wst xaf xcd xof xpf yer zar
        zmw ghs svc
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    private static let known = Set(all)

    /// The currency of a request in lower case.
    static func checked(_ text: String, param: String = "currency") throws(StripeError) -> String {
        let currency = text.lowercased()
        guard known.contains(currency) else {
            throw .invalid(
                "Invalid currency: \(currency). Stripe currently supports these currencies: "
                    + all.joined(separator: ", "), param: param)
        }
        return currency
    }
}
