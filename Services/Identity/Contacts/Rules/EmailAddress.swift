import Foundation

/// An e-mail address that has the form of one. Two that differ only in case or in the way accents are encoded are one.
struct EmailAddress: Hashable, Sendable {
    /// As it was typed.
    let text: String
    /// What it is looked up and kept unique by.
    let normalized: String

    /// Nil when it holds characters that cannot be seen: it would look like another one.
    init?(_ text: String) {
        let isVisible = text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .unassigned:
                false
            default: true
            }
        }
        guard isVisible, text.contains("@") else { return nil }
        self.text = text.precomposedStringWithCanonicalMapping
        normalized = self.text.lowercased().precomposedStringWithCanonicalMapping
    }
}
