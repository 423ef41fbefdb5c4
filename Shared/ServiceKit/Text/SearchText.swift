import Foundation

/// The folded form of a text for searching: lower case, without accents and vowel signs, and with equal forms of
/// letters that people type for one another, such as the forms of alef in Arabic. Both sides of a comparison are
/// folded.
public enum SearchText {
    public static func folded(_ text: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .format, .control: continue
            default: break
            }
            if dropped.contains(scalar) { continue }
            if let digit = TypedText.digit(scalar) {
                folded.append(contentsOf: String(digit).unicodeScalars)
            } else if let letters = spelled[scalar] {
                folded.append(contentsOf: letters.unicodeScalars)
            } else {
                folded.append(alike[scalar] ?? scalar)
            }
        }
        return String(folded).lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Tatweel only lengthens a word; apostrophes (and letters that look like them) are typed in many ways, or not at
    /// all.
    private static let dropped: Set<Unicode.Scalar> = [
        "\u{0640}", "'", "`", "\u{B4}", "\u{2BB}", "\u{2BC}", "\u{2BD}", "\u{2018}", "\u{2019}", "\u{201B}", "\u{2032}",
    ]

    private static let alike: [Unicode.Scalar: Unicode.Scalar] = [
        "\u{0671}": "\u{0627}",  // alef wasla: alef
        "\u{0649}": "\u{064A}",  // alef maksura: yeh
        "\u{06CC}": "\u{064A}",  // Farsi yeh: yeh
        "\u{06A9}": "\u{0643}",  // keheh: kaf
        "\u{0629}": "\u{0647}",  // teh marbuta: heh
        "\u{2010}": "-", "\u{2011}": "-", "\u{2013}": "-",
        "ø": "o", "Ø": "o", "ł": "l", "Ł": "l", "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "ı": "i", "ħ": "h", "Ħ": "h",
    ]

    /// Letters that Unicode does not decompose, in the spelling of keyboards without them.
    private static let spelled: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "þ": "th", "Þ": "th",
    ]
}
