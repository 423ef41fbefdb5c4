import Foundation

/// A text that somebody wrote and others, or the owner, see: trimmed, NFC, nothing that cannot be shown or that turns the
/// text around it.
struct ShowableText: Hashable, Sendable {
    enum Fault: Error, Equatable { case empty, tooLong, unshowable }

    let text: String

    /// - Parameters:
    ///   - maximum: characters as people count them. One may carry marks, of which there may be four times as many.
    ///   - lines: whether it may have several.
    init(_ raw: String, maximum: Int, lines: Bool = false) throws(Fault) {
        let text = raw.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        guard !text.isEmpty else { throw .empty }
        guard text.unicodeScalars.count <= maximum * 4, text.count <= maximum else { throw .tooLong }
        guard text.unicodeScalars.allSatisfy({ Self.isShowable($0) || lines && $0 == "\n" }),
            text.unicodeScalars.contains(where: Self.isVisible)
        else { throw .unshowable }
        self.text = text
    }

    /// Joiners and marks of direction that Arabic, Persian and Indic names are written with.
    private static let allowedFormats: Set<Unicode.Scalar> = [
        "\u{061C}", "\u{200C}", "\u{200D}", "\u{200E}", "\u{200F}",
    ]

    static func isShowable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        // Overrides, embeddings and isolates of direction (U+202A…U+202E, U+2066…U+2069) are of this kind, too.
        case .format: allowedFormats.contains(scalar)
        default: true
        }
    }

    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format, .spaceSeparator, .nonspacingMark, .spacingMark, .enclosingMark: false
        default: true
        }
    }
}
