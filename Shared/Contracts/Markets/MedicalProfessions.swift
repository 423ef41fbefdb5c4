/// Words by which registers of professions name medical work, in the form that ``Market/read(jobTitle:)`` brings words
/// into: small letters, without marks, hamza and article. A word too many costs an admin one look; a missing one makes
/// a nurse a customer.
enum MedicalProfessions {
    /// How such words begin.
    static let stems = [
        "nurs", "midwi", "physio", "therap", "doctor", "physician", "medic", "surg", "pharmac", "dentist", "dental",
        "radiolog", "radiogr", "laborator", "paramedic", "ambulance", "anesth", "anaesth", "pediat", "paediat",
        "cardio", "clinic", "health", "dieti", "dietet", "nutrition", "psych", "optom", "optic", "ophthalm", "dermat",
        "neuro", "obstet", "gyn", "urolog", "oncol", "hemat", "haemat", "orthop", "orthod", "podiat", "audiol",
        "phlebot", "sonogr", "pathol", "internist", "respirat", "pulmon", "endocrin", "gastro", "nephrol", "rheumat",
        "geriat", "neonat", "immunol", "allerg", "hygienist", "prosthet", "caregiver",
        "تمريض", "ممرض", "قابله", "علاج", "معالج", "طب", "جراح", "صيدل", "اسنان", "اشعه", "مختبر", "مخبر", "مسعف",
        "اسعاف",
        "تخدير", "صحي", "تغذيه", "نفسي", "بصريات", "عيون", "جلديه", "اعصاب", "ولاده", "توليد", "باطن", "عظام", "اورام",
        "تنفس", "سمعيات", "رعايه", "تاهيل",
    ]

    /// Grades that medical and other professions share: the word behind them may be any speciality, or be absent.
    static let grades: Set = [
        "specialist", "consultant", "اخصايي", "اخصاييه", "اختصاصي", "اختصاصيه", "استشاري", "استشاريه", "فني", "فنيه",
    ]

    static func mayName(_ word: String) -> Bool {
        grades.contains(word) || stems.contains { word.hasPrefix($0) }
    }
}
