extension MarketSettings {
    /// Amounts for parcels, in minor units.
    public struct ParcelRates: Hashable, Sendable {
        /// The fee of an owner who asks for a carrier with a minimum rating.
        public var minimumRatingFee: Int
        /// The estimate of a payment where too few parcels like it were carried.
        public var base: Int
        public var perKilometre: Int
        public var perKilogram: Int

        public static let none = ParcelRates(minimumRatingFee: 0, base: 0, perKilometre: 0, perKilogram: 0)

        public init(minimumRatingFee: Int, base: Int, perKilometre: Int, perKilogram: Int) {
            self.minimumRatingFee = minimumRatingFee
            self.base = base
            self.perKilometre = perKilometre
            self.perKilogram = perKilogram
        }
    }

    /// How the pay of a parcel falls when it is delivered late.
    public struct LatePay: Hashable, Sendable {
        /// The pay falls to this percentage, and no lower.
        public var lowestPercent: Int
        /// It falls evenly for this many hours after the promised time.
        public var fallHours: Int
        /// The promised time is rounded up to a multiple of this many hours.
        public var roundingHours: Int

        public init(lowestPercent: Int, fallHours: Int, roundingHours: Int) {
            self.lowestPercent = lowestPercent
            self.fallHours = fallHours
            self.roundingHours = roundingHours
        }

        /// The rule in the words that people read before they post or take a parcel.
        public var text: LocalizedText {
            [
                "en":
                    "A parcel that is delivered after its time is paid less: the pay falls evenly for \(fallHours) hours, "
                    + "to \(lowestPercent) % of what was agreed. The time is estimated generously and rounded up to "
                    + "\(roundingHours) hours; it begins when the owner confirms the pick-up.",
                "ar": "يُدفع أقل عن الطرد الذي يصل بعد موعده: ينخفض الأجر بالتساوي خلال \(fallHours) ساعة حتى "
                    + "\(lowestPercent)٪ من الأجر المتفق عليه. يُقدَّر الوقت بسخاء ويُقرَّب إلى \(roundingHours) ساعات، "
                    + "ويبدأ عندما يؤكد صاحب الطرد الاستلام.",
            ]
        }
    }

    static let parcelRatesForm =
        "FEE FOR A MINIMUM RATING,BASE,PER KILOMETRE,PER KILOGRAM in minor units, each 0-1000000; or none"
    static let latePayForm = "LOWEST PERCENT 0-100,HOURS OF THE FALL 1-720,ROUNDING HOURS 1-48; or none"

    static func parcelRates(_ text: String, _ key: Key) throws(Refusal) -> ParcelRates {
        if text == "none" { return .none }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int(plain: $0) ?? -1 }
        guard numbers.count == 4, numbers.allSatisfy((0...1_000_000).contains) else {
            throw Refusal(key: key, allowed: parcelRatesForm)
        }
        return ParcelRates(
            minimumRatingFee: numbers[0], base: numbers[1], perKilometre: numbers[2], perKilogram: numbers[3])
    }

    static func text(of rates: ParcelRates) -> String {
        guard rates != .none else { return "none" }
        return [rates.minimumRatingFee, rates.base, rates.perKilometre, rates.perKilogram].map(String.init)
            .joined(separator: ",")
    }

    static func latePay(_ text: String, _ key: Key) throws(Refusal) -> LatePay? {
        if text == "none" { return nil }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int(plain: $0) ?? -1 }
        guard numbers.count == 3, (0...100).contains(numbers[0]), (1...720).contains(numbers[1]),
            (1...48).contains(numbers[2])
        else { throw Refusal(key: key, allowed: latePayForm) }
        return LatePay(lowestPercent: numbers[0], fallHours: numbers[1], roundingHours: numbers[2])
    }

    static func text(of latePay: LatePay?) -> String {
        guard let latePay else { return "none" }
        return [latePay.lowestPercent, latePay.fallHours, latePay.roundingHours].map(String.init).joined(separator: ",")
    }
}
