import Foundation

/// A person's name as others see it: trimmed, NFC, 1 to 100 characters, nothing that cannot be shown or that turns
/// the text around it.
struct PersonName: Hashable, Sendable {
    enum Fault: Error, Equatable { case empty, tooLong, unshowable }

    static let maximumCharacters = 100
    /// A character may carry any number of marks; a name full of them would run over the screen.
    static let maximumScalars = 400

    let text: String

    init(_ raw: String) throws(Fault) {
        let text = raw.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        guard !text.isEmpty else { throw .empty }
        guard text.count <= Self.maximumCharacters, text.unicodeScalars.count <= Self.maximumScalars else {
            throw .tooLong
        }
        guard text.unicodeScalars.allSatisfy(Self.isShowable), text.unicodeScalars.contains(where: Self.isVisible)
        else { throw .unshowable }
        self.text = text
    }

    /// A name that was checked when it was stored.
    init(stored text: String) { self.text = text }

    /// Joiners and marks of direction that Arabic, Persian and Indic names are written with.
    private static let allowedFormats: Set<Unicode.Scalar> = [
        "\u{061C}", "\u{200C}", "\u{200D}", "\u{200E}", "\u{200F}",
    ]

    private static func isShowable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        // Overrides, embeddings and isolates of direction (U+202A…U+202E, U+2066…U+2069) are of this kind, too.
        case .format: allowedFormats.contains(scalar)
        default: true
        }
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format, .spaceSeparator, .nonspacingMark, .spacingMark, .enclosingMark: false
        default: true
        }
    }
}
