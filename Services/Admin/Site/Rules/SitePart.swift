/// The pages of a market's website, in the order of display.
enum SitePart: String, CaseIterable, Sendable {
    case start, about, privacy, terms, faq, contact

    /// The section of content that it shows.
    var section: ContentSection {
        switch self {
        case .start: .brief
        case .about: .about
        case .privacy: .privacy
        case .terms: .terms
        case .faq: .faq
        case .contact: .support
        }
    }

    /// The end of its address.
    var path: String { self == .start ? "" : "/\(rawValue)" }

    /// The page at the end of an address; the start has no name there.
    init?(named name: String) {
        guard let part = SitePart(rawValue: name), part != .start else { return nil }
        self = part
    }

    func name(in language: String) -> String {
        let isArabic = language == "ar"
        return switch self {
        case .start: isArabic ? "البداية" : "Start"
        case .about: isArabic ? "من نحن" : "About us"
        case .privacy: isArabic ? "سياسة الخصوصية" : "Privacy policy"
        case .terms: isArabic ? "الشروط والأحكام" : "Terms and conditions"
        case .faq: isArabic ? "الأسئلة الشائعة" : "Questions and answers"
        case .contact: isArabic ? "تواصل معنا" : "Contact us"
        }
    }
}
