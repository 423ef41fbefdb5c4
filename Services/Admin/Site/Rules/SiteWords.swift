/// The words of the website beside what admins write.
struct SiteWords: Sendable {
    let skip: String
    let pages: String
    let open: String
    let help: String
    let empty: String
    let missing: String
    let notFound: String

    static func of(_ language: String) -> SiteWords { language == "ar" ? arabic : english }

    private static let english = SiteWords(
        skip: "Skip to the text", pages: "Pages", open: "Open the app", help: "Write to us in the app",
        empty: "There is nothing here yet.",
        missing: "There is no such page. It may have moved; the pages above lead on.", notFound: "Page not found")
    private static let arabic = SiteWords(
        skip: "انتقل إلى النص", pages: "الصفحات", open: "افتح التطبيق", help: "راسلنا من التطبيق",
        empty: "لا شيء هنا بعد.", missing: "لا توجد صفحة بهذا العنوان. ربما نُقلت، ويمكنك المتابعة من الصفحات أعلاه.",
        notFound: "الصفحة غير موجودة")

    /// What the languages call themselves.
    static func name(of language: String) -> String { ["en": "English", "ar": "العربية"][language] ?? language }
}
