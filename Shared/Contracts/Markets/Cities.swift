extension Market {
    /// A city or district in a list of choices (C9).
    public struct City: Sendable, Identifiable, Hashable {
        public let id: String
        public let name: LocalizedText
        /// Its centre.
        public let place: Coordinate
    }

    /// The market's cities, whether or not its service area contains them now.
    public var cities: [City] { Self.cities[id] ?? [] }

    private static let cities: [String: [City]] = [
        "assef": [
            city("riyadh", "Riyadh", "الرياض", 24.7136, 46.6753),
            city("diriyah", "Diriyah", "الدرعية", 24.7370, 46.5760),
        ],
        "edencare": [city("regina", "Regina", "ريجاينا", 50.4452, -104.6189)],
        "btnc": [
            city("perth", "Perth", "بيرث", -31.9523, 115.8613),
            city("fremantle", "Fremantle", "فريمانتل", -32.0569, 115.7439),
            city("joondalup", "Joondalup", "جوندالوب", -31.7450, 115.7661),
            city("midland", "Midland", "ميدلاند", -31.8880, 116.0100),
            city("armadale", "Armadale", "أرماديل", -32.1530, 116.0150),
            city("rockingham", "Rockingham", "روكينغهام", -32.2770, 115.7300),
            city("mandurah", "Mandurah", "ماندورا", -32.5269, 115.7217),
        ],
        "carrepsa": [
            city("gothenburg", "Gothenburg", "غوتنبرغ", 57.7089, 11.9746),
            city("molndal", "Mölndal", "مولندال", 57.6554, 12.0138),
            city("partille", "Partille", "بارتيله", 57.7395, 12.1064),
            city("torslanda", "Torslanda", "تورسلاندا", 57.7240, 11.7700),
        ],
        "hajji": [
            city("makkah", "Makkah", "مكة المكرمة", 21.4225, 39.8262),
            city("mina", "Mina", "منى", 21.4133, 39.8933),
            city("muzdalifah", "Muzdalifah", "مزدلفة", 21.3892, 39.9361),
            city("arafat", "Arafat", "عرفات", 21.3549, 39.9841),
            city("madinah", "Madinah", "المدينة المنورة", 24.4672, 39.6112),
            city("jeddah", "Jeddah", "جدة", 21.5433, 39.1728),
        ],
    ]

    private static func city(
        _ id: String, _ english: String, _ arabic: String, _ latitude: Double, _ longitude: Double
    ) -> City {
        City(
            id: id, name: ["en": english, "ar": arabic], place: Coordinate(latitude: latitude, longitude: longitude))
    }
}
