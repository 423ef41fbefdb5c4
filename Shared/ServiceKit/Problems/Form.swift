public import Foundation
public import SeraiJSON

/// Reads the fields of a JSON object and collects all errors: missing fields, wrong types, too long, no e-mail address.
/// Where `Decodable` stops at the first error, a form continues to the last.
///
/// ```swift
/// let form = try await request.form(context: context)
/// let name = form.string("name", length: 1...100)
/// let email = form.email("email")
/// let age = form.integer("age", in: 13...120, required: false)
/// guard let name, let email, form.isValid else { throw form.problem }
/// ```
/// A reader returns nil when the field is absent or wrong; ``isValid`` distinguishes the two. `null` counts as absent.
public struct Form {
    private let value: JSONValue
    private let pointer: JSONPointer
    /// Shared with the forms of nested objects.
    public let validator: Validator

    /// - Parameter value: any value except an object is an error at once.
    public init(_ value: JSONValue) {
        self.init(value, at: .root, validator: Validator())
    }

    private init(_ value: JSONValue, at pointer: JSONPointer, validator: Validator) {
        self.value = value
        self.pointer = pointer
        self.validator = validator
        if case .object = value { return }
        validator.reject(pointer, "not-an-object")
    }

    public var isValid: Bool { validator.isValid }
    /// A 422 with every wrong field.
    public var problem: Problem { validator.problem }

    /// - Throws: a 422 ``Problem`` with every wrong field, if there is one.
    public func finish() throws(Problem) { try validator.finish() }

    /// Notes an error of a field that only the service knows.
    public func reject(_ name: String, _ code: String, _ arguments: [String: String] = [:]) {
        validator.reject(pointer.appending(name), code, arguments)
    }

    /// A text as people type it, normalized (``TypedText``), without white space at its ends; characters that cannot be
    /// shown are an error (``TextRule/printable(lines:)``). A text without visible characters is empty; an empty text
    /// that is not required is absent.
    ///
    /// - Parameter emptyIsAbsent: false for a change of what must not be empty, such as a name: the field may be left
    ///   out, but an empty text is an error.
    public func string(
        _ name: String, length: ClosedRange<Int>, lines: Bool = false, required: Bool = true,
        emptyIsAbsent: Bool = true, _ rules: TextRule...
    ) -> String? {
        text(
            name, required, lines: lines, emptyIsAbsent: emptyIsAbsent,
            [.length(length), .printable(lines: lines)] + rules)
    }

    /// A password or an opaque token: taken as it is, with its white space.
    public func secret(_ name: String, length: ClosedRange<Int>, required: Bool = true) -> Redacted<String>? {
        guard
            case .string(let text)? = field(
                name, required, "not-a-text", { if case .string = $0 { true } else { false } })
        else { return nil }
        return validator.check(pointer.appending(name), text, [.length(length)]) ? Redacted(text) : nil
    }

    /// A code, or a number that is no amount, as people type it: without spaces and hyphens, digits of every script as
    /// 0…9, full-width letters as usual ones (``TypedText/code(_:)``). As secret as a password.
    public func code(_ name: String, length: ClosedRange<Int>, required: Bool = true) -> Redacted<String>? {
        guard let raw = textField(name, required), isOfUsualLength(name, raw) else { return nil }
        let code = TypedText.code(raw)
        if code.isEmpty, !required { return nil }
        guard validator.check(pointer.appending(name), code, [.length(length), .printable(lines: false)]) else {
            return nil
        }
        return Redacted(code)
    }

    /// A code with this number of digits. A code of another form is no try, because nothing is compared.
    public func digits(_ name: String, count: Int, required: Bool = true) -> Redacted<String>? {
        guard let code = code(name, length: 1...200, required: required) else { return nil }
        let isGood =
            code.revealed.utf8.count == count
            && code.revealed.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        if !isGood { reject(name, "not-a-code", ["count": String(count)]) }
        return isGood ? code : nil
    }

    /// An e-mail address. Its case is kept.
    public func email(_ name: String, required: Bool = true) -> String? {
        text(name, required, [.length(1...254), .email])
    }

    /// A mobile number in any spelling, returned in E.164 form (``PhoneNumber``).
    ///
    /// - Parameter isMobile: false also takes landlines.
    public func phone(_ name: String, required: Bool = true, isMobile: Bool = true) -> String? {
        guard let text = text(name, required, [.length(1...40)]) else { return nil }
        let number = isMobile ? PhoneNumber(mobile: text)?.text : PhoneNumber(landlineOrMobile: text)?.text
        if number == nil { reject(name, "not-a-phone-number") }
        return number
    }

    /// An id. An empty text is an error even for an optional field, because absence has another meaning.
    public func uuid(_ name: String, required: Bool = true) -> UUID? {
        notEmpty(name, required, "not-an-id", [.uuid]).flatMap(UUID.init(uuidString:))
    }

    /// A time in RFC 3339, with or without fractions of a second. An empty text is an error even for an optional field:
    /// absence may mean "for ever".
    public func date(_ name: String, required: Bool = true) -> Date? {
        guard let text = notEmpty(name, required, "not-a-time", [.length(1...40)]) else { return nil }
        guard let date = Timestamp.parse(TypedText.asciiDigits(text)) else {
            reject(name, "not-a-time")
            return nil
        }
        return date
    }

    /// One of an enumeration's texts. The problem lists them.
    public func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of type: Choice.Type = Choice.self, required: Bool = true
    ) -> Choice? where Choice.RawValue == String {
        let choices = ["choices": Choice.allCases.map(\.rawValue).joined(separator: ", ")]
        guard let text = notEmpty(name, required, "not-a-choice", arguments: choices, [.length(1...100)]) else {
            return nil
        }
        if let choice = Choice(rawValue: text) { return choice }
        reject(name, "not-a-choice", choices)
        return nil
    }

    public func bool(_ name: String, required: Bool = true) -> Bool? {
        guard
            case .bool(let flag)? = field(
                name, required, "not-true-or-false", { if case .bool = $0 { true } else { false } })
        else { return nil }
        return flag
    }

    public func integer(_ name: String, in range: ClosedRange<Int>, required: Bool = true) -> Int? {
        let number = field(name, required, "not-a-whole-number") { if case .integer = $0 { true } else { false } }
        guard case .integer(let wide)? = number else { return nil }
        return validator.check(pointer.appending(name), Int(wide), in: range) ? Int(wide) : nil
    }

    public func number(_ name: String, in range: ClosedRange<Double>, required: Bool = true) -> Double? {
        let value = field(name, required, "not-a-number") {
            switch $0 {
            case .integer, .number: true
            default: false
            }
        }
        let number: Double
        switch value {
        case .integer(let whole): number = Double(whole)
        case .number(let fraction): number = fraction
        default: return nil
        }
        return validator.check(pointer.appending(name), number, in: range) ? number : nil
    }

    /// `{"latitude": …, "longitude": …}` in degrees.
    public func coordinates(_ name: String, required: Bool = true) -> (latitude: Double, longitude: Double)? {
        object(name, required: required)?.position()
    }

    /// The fields `latitude` and `longitude` of this form, in degrees: both, or neither when they are not required. 0,
    /// 0 is refused: it lies in the sea, and phones send it when they do not know their place.
    public func position(required: Bool = true) -> (latitude: Double, longitude: Double)? {
        let isAsked = required || has("latitude") || has("longitude")
        let latitude = number("latitude", in: -90...90, required: isAsked)
        let longitude = number("longitude", in: -180...180, required: isAsked)
        guard let latitude, let longitude else { return nil }
        guard !Self.isNowhere(latitude: latitude, longitude: longitude) else {
            reject("latitude", "no-place")
            return nil
        }
        return (latitude, longitude)
    }

    /// Within some metres of 0, 0.
    public static func isNowhere(latitude: Double, longitude: Double) -> Bool {
        abs(latitude) < 0.0001 && abs(longitude) < 0.0001
    }

    /// Whether the field is there and not null, whatever its type is.
    public func has(_ name: String) -> Bool {
        guard case .object(let members) = value else { return false }
        return members[name] ?? .null != .null
    }

    /// A nested object. Its errors are added to this form's.
    public func object(_ name: String, required: Bool = true) -> Form? {
        let value = field(name, required, "not-an-object") { if case .object = $0 { true } else { false } }
        return value.map { Form($0, at: pointer.appending(name), validator: validator) }
    }

    /// As ``object(_:required:)``, but an absent object is read as an empty one, so that each missing required field is
    /// named.
    public func group(_ name: String) -> Form? {
        if case .object(let members) = value, members[name] ?? .null == .null {
            return Form(.object([:]), at: pointer.appending(name), validator: validator)
        }
        return object(name)
    }

    /// A list of objects, each read as a form. A list outside `count` is not read at all.
    public func objects(_ name: String, count: ClosedRange<Int>, required: Bool = true) -> [Form]? {
        guard let values = list(name, count, required) else { return nil }
        return values.enumerated().map { index, value in
            Form(value, at: pointer.appending(name).appending(index), validator: validator)
        }
    }

    /// A list of texts.
    public func strings(
        _ name: String, count: ClosedRange<Int>, length: ClosedRange<Int>, required: Bool = true, _ rules: TextRule...
    ) -> [String]? {
        guard let values = list(name, count, required) else { return nil }
        let texts = values.enumerated().map { index, value -> String? in
            let place = pointer.appending(name).appending(index)
            guard case .string(let raw) = value else {
                validator.reject(place, "not-a-text")
                return nil
            }
            let rules = [.length(length), .printable(lines: false)] + rules
            guard isBearable(raw, at: place, rules) else { return nil }
            let text = Self.typed(raw, lines: false)
            return validator.check(place, text, rules) ? text : nil
        }
        let good = texts.compactMap { $0 }
        return good.count == texts.count ? good : nil
    }

    private func list(_ name: String, _ count: ClosedRange<Int>, _ required: Bool) -> [JSONValue]? {
        let value = field(name, required, "not-a-list") { if case .array = $0 { true } else { false } }
        guard case .array(let values)? = value else { return nil }
        if values.count < count.lowerBound {
            reject(name, "too-few", ["minimum": String(count.lowerBound)])
            return nil
        }
        if values.count > count.upperBound {
            reject(name, "too-many", ["maximum": String(count.upperBound)])
            return nil
        }
        return values
    }

    private func text(
        _ name: String, _ required: Bool, lines: Bool = false, emptyIsAbsent: Bool = true, _ rules: [TextRule]
    ) -> String? {
        guard let raw = textField(name, required), isBearable(raw, at: pointer.appending(name), rules) else {
            return nil
        }
        let text = Self.typed(raw, lines: lines)
        if text.isEmpty, !required, emptyIsAbsent { return nil }
        return validator.check(pointer.appending(name), text, rules) ? text : nil
    }

    /// A text for which an empty value is an error.
    private func notEmpty(
        _ name: String, _ required: Bool, _ code: String, arguments: [String: String] = [:], _ rules: [TextRule]
    ) -> String? {
        guard let raw = textField(name, required), isBearable(raw, at: pointer.appending(name), rules) else {
            return nil
        }
        let text = Self.typed(raw, lines: false)
        guard !text.isEmpty else {
            reject(name, required ? "required" : code, required ? [:] : arguments)
            return nil
        }
        return validator.check(pointer.appending(name), text, rules) ? text : nil
    }

    private func textField(_ name: String, _ required: Bool) -> String? {
        let value = field(name, required, "not-a-text") { if case .string = $0 { true } else { false } }
        guard case .string(let raw)? = value else { return nil }
        return raw
    }

    /// A longer text is no code, whatever is removed from it.
    private func isOfUsualLength(_ name: String, _ raw: String) -> Bool {
        validator.check(pointer.appending(name), raw, [.length(0...500)])
    }

    /// Whether the text is worth normalizing, which costs far more than counting bytes: one of several times the longest
    /// good text is too long, whatever is dropped from it.
    private func isBearable(_ raw: String, at place: JSONPointer, _ rules: [TextRule]) -> Bool {
        let maximum = rules.compactMap(\.maximumLength).min() ?? 500
        let (bytes, isOverflow) = maximum.multipliedReportingOverflow(by: 4 * TextRule.maximumBytesPerCharacter)
        if isOverflow || raw.utf8.count <= bytes + 1_024 { return true }
        validator.reject(place, "too-long", ["maximum": String(maximum)])
        return false
    }

    /// In a one-line text a pasted tab becomes a space.
    private static func typed(_ raw: String, lines: Bool) -> String {
        var text = TypedText.normalized(raw)
        if !lines, text.utf8.contains(UInt8(ascii: "\t")) { text = text.replacing("\t", with: " ") }
        text = String(text[...].trimming(while: \.isWhitespace))
        return TypedText.showsSomething(text) ? text : hasFaults(text) ? text : ""
    }

    /// Whether the text has characters that are refused with an error of their own, and so do not count as empty.
    private static func hasFaults(_ text: String) -> Bool { !TextRule.isPrintable(text, lines: true) }

    /// The field's value if it exists and has the right type.
    private func field(
        _ name: String, _ required: Bool, _ kindCode: String, _ isKind: (JSONValue) -> Bool
    ) -> JSONValue? {
        guard case .object(let members) = value else { return nil }
        guard let value = members[name], value != .null else {
            if required { reject(name, "required") }
            return nil
        }
        guard isKind(value) else {
            reject(name, kindCode)
            return nil
        }
        return value
    }
}
