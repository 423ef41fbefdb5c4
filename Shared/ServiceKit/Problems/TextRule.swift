import Foundation

/// A rule for texts.
public enum TextRule: Sendable {
    /// Characters as people count them (grapheme clusters), with at most ``maximumBytesPerCharacter`` on average at the
    /// maximum length: a character may carry any number of marks.
    case length(ClosedRange<Int>)
    /// A test of the whole text. `code` is the field code of the catalogue.
    case pattern(code: String, matches: @Sendable (String) -> Bool)
    /// An address to which mail can be sent: RFC 5321's lengths, no quoting, no comments, a dot in the domain.
    case email
    /// A phone number in ITU-T E.164 form: `+966501234567`.
    case phone
    case uuid
    /// No characters that cannot be shown; line feeds and tabs are allowed with `lines`. The text is ``TypedText``: it
    /// has no other line ends, and no direction marks.
    case printable(lines: Bool)
    /// A person's name: it shows at least one letter.
    case personName

    /// In UTF-8. Arabic with vowel signs takes 6, a flag 8.
    public static let maximumBytesPerCharacter = 8

    /// The most characters, for a rule of the length.
    var maximumLength: Int? { if case .length(let range) = self { range.upperBound } else { nil } }

    func problem(with text: String) -> (code: String, arguments: [String: String])? {
        switch self {
        case .length(let range):
            let (bytes, isOverflow) = range.upperBound.multipliedReportingOverflow(by: Self.maximumBytesPerCharacter)
            if !isOverflow, text.utf8.count > bytes {
                return ("too-long", ["maximum": String(range.upperBound)])
            }
            let count = text.count
            if count == 0, range.lowerBound > 0 { return ("required", [:]) }
            if count < range.lowerBound { return ("too-short", ["minimum": String(range.lowerBound)]) }
            return count > range.upperBound ? ("too-long", ["maximum": String(range.upperBound)]) : nil
        case .pattern(let code, let matches): return matches(text) ? nil : (code, [:])
        case .email: return Self.isEmail(text) ? nil : ("not-an-email", [:])
        case .phone: return Self.isPhone(text) ? nil : ("not-a-phone-number", [:])
        case .uuid: return UUID(uuidString: text) == nil ? ("not-an-id", [:]) : nil
        case .printable(let lines): return Self.isPrintable(text, lines: lines) ? nil : ("control-characters", [:])
        case .personName: return TypedText.showsLetter(text) ? nil : ("name-characters", [:])
        }
    }

    static func isEmail(_ text: String) -> Bool {
        guard text.utf8.count <= 254, let at = text.lastIndex(of: "@") else { return false }
        let local = text[..<at]
        let domain = text[text.index(after: at)...]
        guard (1...64).contains(local.utf8.count), !local.hasPrefix("."), !local.hasSuffix("."),
            !local.contains(".."), local.allSatisfy(isLocalPartCharacter)
        else { return false }
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, domain.utf8.count <= 253, let top = labels.last, top.count >= 2,
            !top.allSatisfy(\.isNumber)
        else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.allSatisfy { $0 == "-" || $0.isLetter || $0.isNumber }
        }
    }

    private static func isLocalPartCharacter(_ character: Character) -> Bool {
        if !character.isASCII { return character.isLetter || character.isNumber }
        return character.isLetter || character.isNumber || "!#$%&'*+-/=?^_`{|}~.".contains(character)
    }

    /// At most 15 digits, the first one 1 to 9; fewer than 7 are no subscriber's number.
    static func isPhone(_ text: String) -> Bool {
        guard text.hasPrefix("+") else { return false }
        let digits = text.utf8.dropFirst()
        return (7...15).contains(digits.count) && digits.first != UInt8(ascii: "0")
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    static func isPrintable(_ text: String, lines: Bool) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            isShowable(scalar) || (lines && (scalar == "\n" || scalar == "\t"))
        }
    }

    /// Joiners in Persian and Indic texts and in some emoji.
    private static let allowedFormats: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

    /// The rule of identity's `ShowableText`, but scalars newer than Unicode's tables here are allowed, because there
    /// are new emoji every year. Flags of parts of countries are refused, because they are written with invisible tags.
    private static func isShowable(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: false
        case .format: allowedFormats.contains(scalar)
        default: true
        }
    }
}
