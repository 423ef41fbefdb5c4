/// Words of illnesses, medicines and treatments in the languages of the markets, for a warning that refuses nothing (Q10).
/// Texts are folded by the caller: lower case, without accents and vowel signs.
public enum MedicalWords {
    /// Beginnings of words, folded.
    private static let english = [
        "diagnos", "prescri", "medicat", "medicin", "insulin", "diabet", "cancer", "tumor", "tumour", "chemo",
        "dementia",
        "alzheimer", "parkinson", "epilep", "seizure", "stroke", "hiv", "hepatit", "depress", "schizo", "bipolar",
        "asthma",
        "copd", "allerg", "catheter", "wound", "surger", "dialys", "incontinen", "antibiotic", "opioid", "morphine",
        "blood pressure",
        "hypertens", "infection", "disease", "illness", "symptom", "pregnan",
    ]
    private static let arabic = [
        "تشخيص", "مرض", "مريض", "دواء", "ادويه", "علاج", "انسولين", "سكري", "سرطان", "ورم", "كيماوي", "خرف", "زهايمر",
        "صرع",
        "جلطه", "التهاب", "اكتياب", "فصام", "ربو", "حساسيه", "قسطره", "جرح", "عمليه جراحيه", "غسيل كلي", "مضاد حيوي",
        "ضغط الدم",
        "عدوي", "حامل", "ايدز",
    ]

    /// Whether a text has such a word. Arabic words may begin with an article or a joined particle.
    public static func isIn(folded text: String) -> Bool {
        let words = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let joined = words.joined(separator: " ")
        func begins(_ stem: String, after prefixes: [String]) -> Bool {
            guard !stem.contains(" ") else { return joined.contains(stem) }
            return words.contains { word in
                prefixes.contains { word.hasPrefix($0 + stem) }
            }
        }
        return english.contains { begins($0, after: [""]) }
            || arabic.contains { begins($0, after: ["", "ال", "و", "وال", "ب", "بال", "ل", "لل"]) }
    }
}
