import Foundation

/// A text typed by a person and shown to others or to its writer: trimmed, in NFC, without characters that are
/// invisible or change the direction of the text around it.
struct ShowableText: Hashable, Sendable {
    enum Fault: Error, Equatable { case empty, tooLong, unshowable }

    let text: String

    /// - Parameters:
    /// - maximum: characters as people count them (grapheme clusters). Four times as many Unicode scalars are allowed,
    ///   because a character may carry marks.
    /// - lines: whether line breaks and tabs are allowed.
    init(_ raw: String, maximum: Int, lines: Bool = false) throws(Fault) {
        let text = raw.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        guard !text.isEmpty else { throw .empty }
        guard text.unicodeScalars.count <= maximum * 4, text.count <= maximum else { throw .tooLong }
        guard text.unicodeScalars.allSatisfy({ Self.isShowable($0) || lines && ($0 == "\n" || $0 == "\t") }),
            text.unicodeScalars.contains(where: Self.isVisible)
        else { throw .unshowable }
        self.text = text
    }

    /// Joiners needed in Persian and Indic names. Direction marks are removed when the request is parsed.
    private static let allowedFormats: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

    /// Fillers of Hangul and the empty pattern of Braille: letters and symbols to Unicode, but invisible.
    private static let blanks: Set<Unicode.Scalar> = ["\u{115F}", "\u{1160}", "\u{3164}", "\u{FFA0}", "\u{2800}"]

    static func isShowable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        case .format: allowedFormats.contains(scalar)
        default: true
        }
    }

    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format, .spaceSeparator, .nonspacingMark, .spacingMark, .enclosingMark: false
        default: !blanks.contains(scalar)
        }
    }
}
