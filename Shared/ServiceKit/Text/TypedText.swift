import Foundation

/// Normalizes texts that people type and paste, before any rule is applied (P10). ``Form`` and ``QueryParameters`` read
/// every text by it; a password and an opaque token are read as they are (``Form/secret(_:length:required:)``).
public enum TypedText {
    /// - Marks that only change the direction of a text, or have no width, are dropped. Joiners stay between two
    ///   characters of a script or an emoji that uses them.
    /// - Every space becomes U+0020, every line end U+000A.
    /// - Full-width forms (U+FF01…U+FF5E, U+FFE0…U+FFE6) become the usual ones.
    /// - Of the marks over one letter, the first ``maximumMarks`` stay: more are no writing, and ordering them would
    ///   take seconds.
    /// - The result is in NFC. Digits of other scripts stay: see ``asciiDigits(_:)``.
    public static func normalized(_ raw: String) -> String {
        if raw.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0A || $0 == 0x09 }) { return raw }
        let scalars = Array(raw.unicodeScalars)
        var text = String.UnicodeScalarView()
        var marks = 0
        for (index, scalar) in scalars.enumerated() {
            // Some marks with a width of their own are put in order, too, such as the stems of notes.
            marks = isMark(scalar) ? marks + 1 : 0
            if marks > maximumMarks { continue }
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            switch scalar {
            // Of CR LF only the LF stays.
            case "\r": if next != "\n" { text.append("\n") }
            case "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}": text.append("\n")
            case "\u{200C}", "\u{200D}":
                if let last = text.last, let next, isJoinable(last), isJoinable(usualWidth(next)) {
                    text.append(scalar)
                }
            case _ where isUnseen(scalar): continue
            case _ where scalar.properties.generalCategory == .spaceSeparator: text.append(" ")
            default: text.append(usualWidth(scalar))
            }
        }
        return String(text).precomposedStringWithCanonicalMapping
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }

    /// As in Unicode's stream-safe format (UAX 15, 13).
    static let maximumMarks = 30

    /// The same text with the decimal digits of every script as 0…9.
    public static func asciiDigits(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var ascii = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let digit = digit(scalar) {
                ascii.append(contentsOf: String(digit).unicodeScalars)
            } else {
                ascii.append(scalar)
            }
        }
        return String(ascii)
    }

    /// A code, or a number that is no amount: ``normalized(_:)``, digits as 0…9, without white space, hyphens and
    /// dashes.
    public static func code(_ raw: String) -> String {
        var code = String.UnicodeScalarView()
        for scalar in asciiDigits(normalized(raw)).unicodeScalars {
            let properties = scalar.properties
            if properties.isWhitespace || properties.generalCategory == .dashPunctuation || scalar == "\u{2212}" {
                continue
            }
            code.append(scalar)
        }
        return String(code)
    }

    /// Whether the text has a visible character: spaces, marks without a letter, blank letters, and letters that only
    /// stretch others do not count.
    public static func showsSomething(_ text: String) -> Bool { text.unicodeScalars.contains(where: isVisible) }

    /// Whether the text has a visible letter, as the name of a person has. Signs and figures alone are no name.
    public static func showsLetter(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.isAlphabetic && isVisible($0) }
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

    /// 0…9 for a decimal digit of any script.
    static func digit(_ scalar: Unicode.Scalar) -> Int? {
        guard scalar.properties.generalCategory == .decimalNumber else { return nil }
        return scalar.properties.numericValue.map { Int($0) }
    }

    /// The empty pattern of Braille, the empty head of a note, the blanks of Egyptian signs and the place of an object,
    /// which are symbols or letters to Unicode; the letters that only stretch other letters: tatweel, N'Ko lajanyalan,
    /// Mongolian nirugu; and vowel signs of Arabic with no letter below. (Fillers of Hangul are ignorable.)
    private static let blanks: Set<Unicode.Scalar> = Set([
        "\u{2800}", "\u{1D159}", "\u{13441}", "\u{13442}", "\u{FFFC}", "\u{0640}", "\u{07FA}", "\u{180A}", "\u{06E5}",
        "\u{06E6}",
    ]).union((0xFE70...0xFE7F).compactMap { Unicode.Scalar(UInt32($0)) })

    /// Characters without width, or only for the direction of the text around. Flags of parts of countries are written
    /// with tags (U+E0020…), which ``TextRule/printable(lines:)`` refuses.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{AD}", "\u{34F}", "\u{61C}", "\u{180E}", "\u{200B}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}",
            "\u{2060}"..."\u{206F}", "\u{FEFF}", "\u{FFF9}"..."\u{FFFB}":
            true
        default: false
        }
    }

    private static func isJoinable(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isASCII && !scalar.properties.isWhitespace && scalar.properties.generalCategory != .format
    }

    private static func usualWidth(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        case 0xFFE0: "\u{A2}"
        case 0xFFE1: "\u{A3}"
        case 0xFFE2: "\u{AC}"
        case 0xFFE3: "\u{AF}"
        case 0xFFE4: "\u{A6}"
        case 0xFFE5: "\u{A5}"
        case 0xFFE6: "\u{20A9}"
        default: scalar
        }
    }
}
