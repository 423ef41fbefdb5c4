/// A city of Saudi Arabia, or a place of the Hajj, in the guide's list of choices (H1, H2).
struct GuideCity: Sendable, Hashable {
    /// Stable; part of addresses.
    let id: String
    let english: String
    let arabic: String
    /// Degrees.
    let latitude: Double
    let longitude: Double

    static let timeZone = "Asia/Riyadh"

    func name(in language: String) -> String { language == "ar" ? arabic : english }

    static func named(_ id: String) -> GuideCity? { all.first { $0.id == id } }

    /// Makkah and the places of the Hajj first, then by size.
    static let all: [GuideCity] = [
        city("makkah", "Makkah", "مكة المكرمة", 21.4225, 39.8262),
        city("mina", "Mina", "منى", 21.4133, 39.8933),
        city("muzdalifah", "Muzdalifah", "مزدلفة", 21.3892, 39.9361),
        city("arafat", "Arafat", "عرفات", 21.3549, 39.9841),
        city("madinah", "Madinah", "المدينة المنورة", 24.4672, 39.6112),
        city("jeddah", "Jeddah", "جدة", 21.5433, 39.1728),
        city("riyadh", "Riyadh", "الرياض", 24.7136, 46.6753),
        city("taif", "Taif", "الطائف", 21.2703, 40.4158),
        city("dammam", "Dammam", "الدمام", 26.4207, 50.0888),
        city("khobar", "Khobar", "الخبر", 26.2172, 50.1971),
        city("hofuf", "Hofuf", "الهفوف", 25.3647, 49.5870),
        city("jubail", "Jubail", "الجبيل", 27.0174, 49.6225),
        city("tabuk", "Tabuk", "تبوك", 28.3838, 36.5550),
        city("buraydah", "Buraydah", "بريدة", 26.3260, 43.9750),
        city("unaizah", "Unaizah", "عنيزة", 26.0843, 43.9939),
        city("hail", "Hail", "حائل", 27.5219, 41.6907),
        city("abha", "Abha", "أبها", 18.2164, 42.5053),
        city("khamis-mushait", "Khamis Mushait", "خميس مشيط", 18.3000, 42.7333),
        city("najran", "Najran", "نجران", 17.4933, 44.1277),
        city("jazan", "Jazan", "جازان", 16.8892, 42.5511),
        city("al-baha", "Al Baha", "الباحة", 20.0129, 41.4677),
        city("yanbu", "Yanbu", "ينبع", 24.0895, 38.0618),
        city("rabigh", "Rabigh", "رابغ", 22.7986, 39.0349),
        city("qunfudhah", "Al Qunfudhah", "القنفذة", 19.1264, 41.0789),
        city("al-kharj", "Al Kharj", "الخرج", 24.1556, 47.3120),
        city("hafar-al-batin", "Hafar Al Batin", "حفر الباطن", 28.4328, 45.9708),
        city("al-ula", "AlUla", "العلا", 26.6084, 37.9232),
        city("sakaka", "Sakaka", "سكاكا", 29.9697, 40.2064),
        city("arar", "Arar", "عرعر", 30.9753, 41.0381),
        city("turaif", "Turaif", "طريف", 31.6725, 38.6637),
    ]

    private static func city(
        _ id: String, _ english: String, _ arabic: String, _ latitude: Double, _ longitude: Double
    ) -> GuideCity {
        GuideCity(id: id, english: english, arabic: arabic, latitude: latitude, longitude: longitude)
    }
}
