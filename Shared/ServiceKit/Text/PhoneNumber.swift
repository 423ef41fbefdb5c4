import Foundation

/// A phone number in E.164 form, `+966501234567`, as the numbering plans of libphonenumber have it (``PhonePlan``).
public struct PhoneNumber: Hashable, Sendable {
    /// E.164.
    public let text: String
    /// The digits as they were typed, with `+`, where the plan writes the number in another way: as it was kept before there
    /// was a plan.
    public let former: String?

    /// `966`; nil for a number of no country.
    public var callingCode: String? { PhonePlan.split(String(text.dropFirst()))?.callingCode }

    /// A number to which an SMS can go. Takes what people type and phones paste: spaces, hyphens, brackets, `00` for `+`, digits
    /// of every script, and the zero of calls inside a country, which is left out where the country leaves it out
    /// (`+46 (0)70…`; Italy keeps its own).
    ///
    /// - Parameter callingCode: of the country that a number without `+` or `00` is of, such as `966`; nil refuses it.
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

    /// A number to look for among those that there are: of any kind, since it was good when it was kept.
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
        for scalar in TypedText.asciiDigits(TypedText.normalized(raw)).unicodeScalars {
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

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "-", "(", ")", ".", "/", " ": true
        default:
            scalar.properties.generalCategory == .format || scalar.properties.generalCategory == .dashPunctuation
        }
    }
}

/// How the countries of one calling code number their phones. The table is made by `Shared/Tables/phone-plan` out of libphonenumber.
struct PhonePlan: Sendable {
    /// What stands before a number in calls inside the country, a regular expression; empty where there is nothing.
    let trunkPrefix: String
    /// What a number becomes whose prefix holds more than the prefix, `9$1`; empty is: what follows it.
    let transform: String
    /// Any number, without the prefix.
    let general: String
    /// A mobile number, or one of a country that does not tell them apart.
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

    /// Calling codes have one to three digits, and none is the beginning of another.
    static func split(_ digits: String) -> (callingCode: String, national: String)? {
        for count in 1...3 where digits.utf8.count > count {
            let code = String(digits.prefix(count))
            if all[code] != nil { return (code, String(digits.dropFirst(count))) }
        }
        return nil
    }

    /// The number without the prefix, if it is a mobile's.
    func mobile(_ typed: String) -> String? {
        let number = withoutTrunkPrefix(typed)
        return !mobile.isEmpty && Self.matches(number, mobile) ? number : nil
    }

    /// As libphonenumber's `maybeStripNationalPrefixAndCarrierCode`: what is a number as it is stays one.
    func withoutTrunkPrefix(_ number: String) -> String {
        // try?: a table whose expressions are wrong is found by a test, and takes no number away.
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
