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

    /// Symbols that are empty, letters that only stretch others, and vowel signs without a letter, as in ServiceKit's
    /// `TypedText`. Rules import no other module of ours; a test compares the two for every character.
    private static let blanks: Set<Unicode.Scalar> = Set([
        "\u{2800}", "\u{1D159}", "\u{13441}", "\u{13442}", "\u{FFFC}", "\u{0640}", "\u{07FA}", "\u{180A}", "\u{06E5}",
        "\u{06E6}",
    ]).union((0xFE70...0xFE7F).compactMap { Unicode.Scalar(UInt32($0)) })

    static func isShowable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        case .format: allowedFormats.contains(scalar)
        default: true
        }
    }

    /// Whether the character shows something by itself.
    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format, .control, .spaceSeparator, .lineSeparator, .paragraphSeparator, .nonspacingMark, .spacingMark,
            .enclosingMark, .unassigned, .privateUse, .surrogate:
            false
        default: !scalar.properties.isDefaultIgnorableCodePoint && !blanks.contains(scalar)
        }
    }
}
