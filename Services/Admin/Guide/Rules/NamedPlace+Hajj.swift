extension NamedPlace {
    /// The places with which a market's list begins. Coordinates are of the middle of a building or of its forecourt.
    static func seeds(of market: String) -> [NamedPlace] { market == "hajji" ? ofTheHajj : [] }

    private static let ofTheHajj: [NamedPlace] = [
        place("kaaba", "makkah", .haram, "The Kaaba", "الكعبة المشرفة", 21.4225, 39.8262),
        place("safa", "makkah", .ritual, "Safa", "الصفا", 21.4220, 39.8274),
        place("marwah", "makkah", .ritual, "Marwah", "المروة", 21.4252, 39.8273),
        place("king-abdulaziz-gate", "makkah", .gate, "King Abdulaziz Gate", "باب الملك عبدالعزيز", 21.4209, 39.8258),
        place("king-fahd-gate", "makkah", .gate, "King Fahd Gate", "باب الملك فهد", 21.4218, 39.8242),
        place("clock-tower", "makkah", .landmark, "Clock Tower", "برج الساعة", 21.4189, 39.8263),
        place("hira-cave", "makkah", .landmark, "Cave of Hira", "غار حراء", 21.4576, 39.8594),
        place("aisha-mosque", "makkah", .mosque, "Mosque of Aisha (Tan'im)", "مسجد عائشة (التنعيم)", 21.4672, 39.8011),
        place(
            "al-noor-hospital", "makkah", .hospital, "Al Noor Specialist Hospital", "مستشفى النور التخصصي", 21.385,
            39.857),
        place("jamarat", "mina", .ritual, "Jamarat Bridge", "جسر الجمرات", 21.4206, 39.8728),
        place("khayf-mosque", "mina", .mosque, "Al-Khayf Mosque", "مسجد الخيف", 21.4149, 39.8786),
        place("mina-camps", "mina", .camp, "Camps of Mina", "مخيمات منى", 21.4133, 39.8933),
        place(
            "mashar-mosque", "muzdalifah", .mosque, "Al-Mash'ar Al-Haram Mosque", "مسجد المشعر الحرام", 21.386, 39.912),
        place("jabal-al-rahmah", "arafat", .ritual, "Jabal Al-Rahmah", "جبل الرحمة", 21.3547, 39.9839),
        place("namirah-mosque", "arafat", .mosque, "Namirah Mosque", "مسجد نمرة", 21.3531, 39.9667),
        place("prophets-mosque", "madinah", .haram, "The Prophet's Mosque", "المسجد النبوي", 24.4686, 39.6111),
        place("baqi", "madinah", .landmark, "Al-Baqi", "البقيع", 24.4672, 39.6164),
        place("quba-mosque", "madinah", .mosque, "Quba Mosque", "مسجد قباء", 24.4392, 39.6172),
        place("qiblatayn-mosque", "madinah", .mosque, "Mosque of the Two Qiblas", "مسجد القبلتين", 24.4842, 39.5789),
        place("madinah-airport", "madinah", .station, "Madinah Airport", "مطار المدينة المنورة", 24.5533, 39.7050),
        place("jeddah-airport", "jeddah", .station, "King Abdulaziz Airport", "مطار الملك عبدالعزيز", 21.6794, 39.1567),
        place("al-balad", "jeddah", .landmark, "Historic Jeddah", "جدة التاريخية", 21.4839, 39.1875),
    ]

    private static func place(
        _ id: String, _ city: String, _ category: Category, _ english: String, _ arabic: String, _ latitude: Double,
        _ longitude: Double
    ) -> NamedPlace {
        NamedPlace(
            id: id, city: city, category: category, english: english, arabic: arabic, latitude: latitude,
            longitude: longitude)
    }
}
