import Contracts
import Foundation
import ServiceKit

/// A text as an admin writes it. Texts are normalized by ``Form``; what is wrong is named field by field.
struct ContentForm {
    static let titleLength = 200
    static let bodyLength = 10_000
    static let altLength = 300

    let content: Content

    /// - Parameter languages: of the market, in each of which the text is written; others may be added.
    /// - Throws: a 422 ``Problem`` that lists all invalid fields.
    init(_ form: Form, in section: ContentSection, languages: [String]) throws(Problem) {
        let title = Self.texts("title", form, 1...Self.titleLength, lines: false, required: languages)
        // A contact's place may be unknown.
        let needed = section == .contacts ? [] : languages
        let body = Self.texts("body", form, 1...Self.bodyLength, lines: true, required: needed)
        var group: String?
        if !section.groups.isEmpty, let named = form.string("group", length: 1...20) {
            if section.groups.contains(named) {
                group = named
            } else {
                form.reject("group", "not-a-choice", ["choices": section.groups.joined(separator: ", ")])
            }
        }
        var number: String?
        if section == .contacts, let typed = form.string("number", length: 2...30) {
            let digits = TypedText.asciiDigits(typed)
            // Emergencies have short numbers, which are no telephone numbers of a country.
            if digits.wholeMatch(of: /\+?[0-9][0-9 -]+/) == nil { form.reject("number", "not-a-contact-number") }
            number = digits
        }
        // The route drops words of a picture when it stores a text that has none.
        let alt =
            form.has("alt") ? Self.texts("alt", form, 1...Self.altLength, lines: false, required: languages) : nil
        try form.finish()
        content = Content(title: title, body: body, group: group, number: number, alt: alt)
    }

    private static func texts(
        _ name: String, _ form: Form, _ length: ClosedRange<Int>, lines: Bool, required: [String]
    ) -> LocalizedText {
        guard let group = form.group(name) else { return [:] }
        var words: [String: String] = [:]
        for language in MarketSettings.knownLanguages {
            let isRequired = required.contains(language)
            guard let text = group.string(language, length: length, lines: lines, required: isRequired) else {
                continue
            }
            if lines, let refused = ContentText.refusedLinks(text).first {
                group.reject(language, "not-a-content-link", ["link": String(refused.prefix(100))])
            }
            words[language] = text
        }
        return LocalizedText(words)
    }
}
