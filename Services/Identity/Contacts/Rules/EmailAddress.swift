import Foundation

/// An e-mail address of valid form. Two addresses that differ only in case or in the encoding of accents are the same.
struct EmailAddress: Hashable, Sendable {
    /// The address as typed.
    let text: String
    /// The form by which the address is looked up and kept unique.
    let normalized: String

    /// Nil when the address contains invisible characters: it would look like another address.
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
