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
        "geriat", "neonat", "immunol", "allerg", "hygienist", "prosthet", "caregiver", "carer", "chiropr", "osteopath",
        "acupunct", "homeopath", "naturopath", "hijama", "cupping", "doula", "perfusion", "embryolog", "biomed",
        "vaccin", "wound", "hospice",
        "تمريض", "ممرض", "قابله", "علاج", "معالج", "طب", "جراح", "صيدل", "اسنان", "اشعه", "مختبر", "مخبر", "مسعف",
        "اسعاف",
        "تخدير", "صحي", "تغذيه", "نفسي", "بصريات", "عيون", "جلديه", "اعصاب", "ولاده", "توليد", "باطن", "عظام", "اورام",
        "تنفس", "سمعيات", "رعايه", "تاهيل", "حجام", "كايروبراكت", "تطعيم", "سريري",
    ]

    /// Grades that medical and other professions share: the word behind them may be any speciality, or be absent.
    static let grades: Set = [
        "specialist", "consultant", "اخصايي", "اخصاييه", "اختصاصي", "اختصاصيه", "استشاري", "استشاريه", "فني", "فنيه",
    ]

    /// Letters that people write for a profession, and words that name one only as a whole.
    static let abbreviations: Set = [
        "rn", "lpn", "lvn", "rpn", "cna", "crna", "np", "gp", "md", "mbbs", "dds", "dmd", "bds", "dr", "pt", "ot",
        "slp",
        "emt", "emr", "aemt", "icu", "er", "ent", "obgyn", "bsn", "msn", "rmt", "د", "ابر",
    ]

    /// Words that name one together.
    static let phrases = ["care assistant", "care worker", "care aide", "home care", "personal care", "غسيل كلي"]

    /// Whether words of a job title may name medical work. Letters with points between them are one word.
    static func mayName(_ words: [String]) -> Bool {
        var all = words
        let letters = words.filter { $0.count == 1 }.joined()
        if letters.count > 1 { all.append(letters) }
        let text = words.joined(separator: " ")
        return phrases.contains { text.contains($0) }
            || all.contains { word in
                grades.contains(word) || abbreviations.contains(word) || stems.contains { word.hasPrefix($0) }
            }
    }
}
