import Foundation

/// A name as it is searched for: in lower case, without accents and vowel signs, and with the letters alike that people
/// type for one another, such as the forms of alef in Arabic.
enum SearchName {
    static func folded(_ name: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in name.decomposedStringWithCompatibilityMapping.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .format, .control: continue
            default: break
            }
            if scalar == tatweel { continue }
            folded.append(alike[scalar] ?? scalar)
        }
        return String(folded).lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Only lengthens a word.
    private static let tatweel: Unicode.Scalar = "\u{0640}"

    private static let alike: [Unicode.Scalar: Unicode.Scalar] = [
        "\u{0671}": "\u{0627}",  // alef wasla: alef
        "\u{0649}": "\u{064A}",  // alef maksura: yeh
        "\u{06CC}": "\u{064A}",  // Farsi yeh: yeh
        "\u{06A9}": "\u{0643}",  // keheh: kaf
        "\u{0629}": "\u{0647}",  // teh marbuta: heh
    ]
}
