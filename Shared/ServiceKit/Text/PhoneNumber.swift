import Foundation

/// A phone number in E.164 form, `+966501234567`, by the numbering plans of libphonenumber (``PhonePlan``).
public struct PhoneNumber: Hashable, Sendable {
    /// E.164.
    public let text: String
    /// The typed digits with `+`, when the plan writes the number differently: the form that was stored before plans
    /// were applied.
    public let former: String?

    /// `966`; nil for a number that belongs to no country.
    public var callingCode: String? { PhonePlan.split(String(text.dropFirst()))?.callingCode }

    /// A number to which an SMS can be sent. Accepts what people type and phones paste: spaces, hyphens, brackets, `00`
    /// for `+`, digits of every script, the `tel:` of a copied link, and the trunk zero, which is dropped where the
    /// country drops it (`+46 (0)70…`; Italy keeps it).
    ///
    /// - Parameter callingCode: the calling code for a number without `+` or `00`, such as `966`; nil refuses such
    ///   numbers.
    public init?(mobile raw: String, callingCode: String? = nil) {
        guard let typed = Self.digits(raw) else { return nil }
        if typed.isInternational {
            guard let number = PhonePlan.split(typed.digits), let plan = PhonePlan.all[number.callingCode],
                let national = plan.mobile(number.national)
            else { return nil }
            self.init("+" + number.callingCode + national, typed: typed.digits)
        } else {
            guard let callingCode, let national = PhonePlan.all[callingCode]?.mobile(typed.digits) else { return nil }
            self.init("+" + callingCode + national, typed: nil)
        }
    }

    /// A number that people call, of a mobile phone or a landline, with its calling code: a restaurant's, for example.
    public init?(landlineOrMobile raw: String) {
        guard let typed = Self.digits(raw), typed.isInternational, let number = PhonePlan.split(typed.digits),
            let national = PhonePlan.all[number.callingCode]?.any(number.national)
        else { return nil }
        self.init("+" + number.callingCode + national, typed: typed.digits)
    }

    /// A number to look up among stored ones: of any kind, since it was valid when it was stored.
    public init?(known raw: String) {
        guard let typed = Self.digits(raw), typed.isInternational, (7...15).contains(typed.digits.utf8.count) else {
            return nil
        }
        guard let number = PhonePlan.split(typed.digits), let plan = PhonePlan.all[number.callingCode] else {
            self.init("+" + typed.digits, typed: nil)
            return
        }
        self.init("+" + number.callingCode + plan.withoutTrunkPrefix(number.national), typed: typed.digits)
    }

    private init(_ text: String, typed: String?) {
        self.text = text
        former = typed.flatMap { "+" + $0 == text ? nil : "+" + $0 }
    }

    private static func digits(_ raw: String) -> (digits: String, isInternational: Bool)? {
        var digits = ""
        var hasPlus = false
        for scalar in withoutScheme(TypedText.asciiDigits(TypedText.normalized(raw))).unicodeScalars {
            if isSeparator(scalar) { continue }
            if scalar == "+", digits.isEmpty, !hasPlus {
                hasPlus = true
            } else if ("0"..."9").contains(scalar) {
                digits.unicodeScalars.append(scalar)
            } else {
                return nil
            }
            if digits.utf8.count > 20 { return nil }
        }
        if hasPlus { return digits.hasPrefix("0") ? nil : (digits, true) }
        guard digits.hasPrefix("00") else { return digits.isEmpty ? nil : (digits, false) }
        digits.removeFirst(2)
        return digits.hasPrefix("0") ? nil : (digits, true)
    }

    /// Without the scheme of a link (RFC 3966), which pages and contacts paste before the number. Links with parameters,
    /// such as an extension, are no mobile numbers.
    private static func withoutScheme(_ text: String) -> Substring {
        let trimmed = text.drop(while: \.isWhitespace)
        return trimmed.prefix(4).lowercased() == "tel:" ? trimmed.dropFirst(4) : text[...]
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "-", "(", ")", ".", "/", " ": true
        default:
            scalar.properties.generalCategory == .format || scalar.properties.generalCategory == .dashPunctuation
        }
    }
}

/// The numbering plan of one calling code. `Shared/Tables/phone-plan` generates the table from libphonenumber.
struct PhonePlan: Sendable {
    /// The trunk prefix of calls inside the country, a regular expression; empty for none.
    let trunkPrefix: String
    /// The replacement when the prefix contains more than the prefix, such as `9$1`; empty for the digits after it.
    let transform: String
    /// Any number, without the prefix.
    let general: String
    /// A mobile number; any number in a country that does not distinguish them.
    let mobile: String

    /// By calling code.
    static let all: [String: PhonePlan] = Dictionary(
        uniqueKeysWithValues: table.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ").map { $0 == "-" ? "" : String($0) }
            guard fields.count == 5 else { return nil }
            return (
                fields[0],
                PhonePlan(trunkPrefix: fields[1], transform: fields[2], general: fields[3], mobile: fields[4])
            )
        })

    /// Splits off the calling code, which has one to three digits; no code is the beginning of another.
    static func split(_ digits: String) -> (callingCode: String, national: String)? {
        for count in 1...3 where digits.utf8.count > count {
            let code = String(digits.prefix(count))
            if all[code] != nil { return (code, String(digits.dropFirst(count))) }
        }
        return nil
    }

    /// The number without the prefix, if it is a mobile number.
    func mobile(_ typed: String) -> String? {
        let number = withoutTrunkPrefix(typed)
        return !mobile.isEmpty && Self.matches(number, mobile) ? number : nil
    }

    /// The number without the prefix, if the plan knows it as a number of any kind.
    func any(_ typed: String) -> String? {
        let number = withoutTrunkPrefix(typed)
        return Self.matches(number, general) ? number : nil
    }

    /// As libphonenumber's `maybeStripNationalPrefixAndCarrierCode`: a number that is already valid stays.
    func withoutTrunkPrefix(_ number: String) -> String {
        // try?: a test finds wrong expressions in the table; a wrong one changes no number.
        guard !trunkPrefix.isEmpty, let regex = try? Regex("(?:\(trunkPrefix))"),
            let match = try? regex.prefixMatch(in: number)
        else { return number }
        let rest = String(number[match.range.upperBound...])
        var stripped = rest
        if !transform.isEmpty, match.output.count > 1, match.output[match.output.count - 1].substring != nil {
            stripped = transform
            for group in 1..<match.output.count {
                let text = match.output[group].substring.map(String.init) ?? ""
                stripped = stripped.replacingOccurrences(of: "$\(group)", with: text)
            }
            stripped += rest
        }
        if Self.matches(number, general), !Self.matches(stripped, general) { return number }
        return stripped
    }

    private static func matches(_ number: String, _ expression: String) -> Bool {
        // try?: as above.
        guard let regex = try? Regex(expression) else { return false }
        return (try? regex.wholeMatch(in: number)) != nil
    }
}
