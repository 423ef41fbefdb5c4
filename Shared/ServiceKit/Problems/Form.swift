public import Foundation

/// Reads the fields of a JSON object and collects everything that is wrong with them: missing, of the wrong type,
/// too long, no e-mail address. Where `Decodable` stops at the first mistake, a form goes on to the last.
///
/// ```swift
/// let form = try await request.form(context: context)
/// let name = form.string("name", length: 1...100)
/// let email = form.email("email")
/// let age = form.integer("age", in: 13...120, required: false)
/// guard let name, let email, form.isValid else { throw form.problem }
/// ```
/// A reader returns nil when the field is absent or wrong; which of both, ``isValid`` knows. `null` is absent.
public struct Form {
    private let value: JSONValue
    private let pointer: JSONPointer
    /// Shared with the forms of nested objects.
    public let validator: Validator

    /// - Parameter value: anything but an object has a problem at once.
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

    /// Notes that a field is wrong for a reason of the service's own.
    public func reject(_ name: String, _ code: String, _ arguments: [String: String] = [:]) {
        validator.reject(pointer.appending(name), code, arguments)
    }

    /// A text without white space at its ends and without what cannot be shown (``TextRule/printable(lines:)``).
    public func string(
        _ name: String, length: ClosedRange<Int>, lines: Bool = false, required: Bool = true, _ rules: TextRule...
    ) -> String? {
        text(name, required, [.length(length), .printable(lines: lines)] + rules)
    }

    /// A secret: taken as it is, with its white space.
    public func secret(_ name: String, length: ClosedRange<Int>, required: Bool = true) -> Redacted<String>? {
        guard
            case .string(let text)? = field(
                name, required, "not-a-text", { if case .string = $0 { true } else { false } })
        else { return nil }
        return validator.check(pointer.appending(name), text, [.length(length)]) ? Redacted(text) : nil
    }

    /// An e-mail address. Its case is kept.
    public func email(_ name: String, required: Bool = true) -> String? {
        text(name, required, [.length(1...254), .email])
    }

    /// A phone number in E.164 form.
    public func phone(_ name: String, required: Bool = true) -> String? {
        text(name, required, [.length(1...16), .phone])
    }

    public func uuid(_ name: String, required: Bool = true) -> UUID? {
        text(name, required, [.uuid]).flatMap(UUID.init(uuidString:))
    }

    /// A moment as RFC 3339 writes it, with or without fractions of a second.
    public func date(_ name: String, required: Bool = true) -> Date? {
        guard let text = text(name, required, [.length(1...40)]) else { return nil }
        guard let date = Timestamp.parse(text) else {
            reject(name, "not-a-time")
            return nil
        }
        return date
    }

    /// One of an enumeration's texts. The problem lists them.
    public func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of type: Choice.Type = Choice.self, required: Bool = true
    ) -> Choice? where Choice.RawValue == String {
        guard let text = text(name, required, [.length(1...100)]) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        reject(name, "not-a-choice", ["choices": Choice.allCases.map(\.rawValue).joined(separator: ", ")])
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
        guard let place = object(name, required: required) else { return nil }
        let latitude = place.number("latitude", in: -90...90)
        let longitude = place.number("longitude", in: -180...180)
        guard let latitude, let longitude else { return nil }
        return (latitude, longitude)
    }

    /// An object inside of this one. Its problems join this form's.
    public func object(_ name: String, required: Bool = true) -> Form? {
        let value = field(name, required, "not-an-object") { if case .object = $0 { true } else { false } }
        return value.map { Form($0, at: pointer.appending(name), validator: validator) }
    }

    /// As ``object(_:required:)``, but an absent one is read as an empty one: each field of it that is required and missing
    /// is named.
    public func group(_ name: String) -> Form? {
        if case .object(let members) = value, members[name] ?? .null == .null {
            return Form(.object([:]), at: pointer.appending(name), validator: validator)
        }
        return object(name)
    }

    /// A list of objects, each read as a form. More than `count` allows is not read at all.
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
            guard case .string(let text) = value else {
                validator.reject(place, "not-a-text")
                return nil
            }
            let rules = [.length(length), .printable(lines: false)] + rules
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

    private func text(_ name: String, _ required: Bool, _ rules: [TextRule]) -> String? {
        let value = field(name, required, "not-a-text") { if case .string = $0 { true } else { false } }
        guard case .string(let raw)? = value else { return nil }
        let text = String(raw[...].trimming(while: \.isWhitespace))
        if text.isEmpty, !required { return nil }
        return validator.check(pointer.appending(name), text, rules) ? text : nil
    }

    /// The field's value if it is there and of the right kind.
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
