import Contracts

/// A type of configuration values. Every source (flag, environment, file) delivers text.
public protocol ConfigurationValue: Sendable {
    /// A description of correct texts, for error messages: "a whole number".
    static var expected: String { get }
    /// Whether values are never printed.
    static var isSecret: Bool { get }
    /// The value when no source has one. Nil when a value is required.
    static var absent: Self? { get }
    /// Nil when the text is not such a value.
    static func parse(_ text: String) -> Self?
    /// The text that parses to this value. Not shown when ``isSecret``.
    var configurationText: String { get }
}

extension ConfigurationValue {
    public static var isSecret: Bool { false }
    public static var absent: Self? { nil }
}

extension String: ConfigurationValue {
    public static var expected: String { "a text that is not empty" }
    public static func parse(_ text: String) -> String? { text.isEmpty ? nil : text }
    public var configurationText: String { self }
}

extension Int: ConfigurationValue {
    public static var expected: String { "a whole number" }
    public static func parse(_ text: String) -> Int? { Int(plain: text) }
    public var configurationText: String { String(self) }
}

extension Double: ConfigurationValue {
    public static var expected: String { "a number" }
    public static func parse(_ text: String) -> Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }
    public var configurationText: String { String(self) }
}

extension Bool: ConfigurationValue {
    public static var expected: String { "true or false" }
    public static func parse(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "1", "on": true
        case "false", "no", "0", "off": false
        default: nil
        }
    }
    public var configurationText: String { String(self) }
}

extension Array: ConfigurationValue where Element: ConfigurationValue {
    public static var expected: String { "\(Element.expected), or several with commas between" }
    public static var isSecret: Bool { Element.isSecret }
    public static func parse(_ text: String) -> [Element]? {
        guard !text.isEmpty else { return [] }
        let elements = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Element.parse(part.trimmingPrefix(while: \.isWhitespace).description)
        }
        let parsed = elements.compactMap { $0 }
        return parsed.count == elements.count ? parsed : nil
    }
    public var configurationText: String { map(\.configurationText).joined(separator: ",") }
}

extension Optional: ConfigurationValue where Wrapped: ConfigurationValue {
    public static var expected: String { Wrapped.expected }
    public static var isSecret: Bool { Wrapped.isSecret }
    public static var absent: Wrapped?? { .some(.none) }
    public static func parse(_ text: String) -> Wrapped?? {
        guard let value = Wrapped.parse(text) else { return .none }
        return .some(.some(value))
    }
    public var configurationText: String { self?.configurationText ?? "" }
}

extension Redacted: ConfigurationValue where Value: ConfigurationValue {
    public static var expected: String { Value.expected }
    public static var isSecret: Bool { true }
    public static func parse(_ text: String) -> Redacted<Value>? { Value.parse(text).map(Redacted.init) }
    public var configurationText: String { "[redacted]" }
}

/// An enumeration of strings is a configuration value once it declares the conformance.
extension ConfigurationValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    public static var expected: String { "one of " + allCases.map(\.rawValue).joined(separator: ", ") }
    public static func parse(_ text: String) -> Self? { Self(rawValue: text) }
    public var configurationText: String { rawValue }
}
