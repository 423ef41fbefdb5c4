/// A setting for operators, declared once with all its properties.
///
/// The name is dotted lower case and includes the unit: `shutdown.grace.seconds`. The flag
/// (`--shutdown-grace-seconds`), the environment variable (`SERAI_SHUTDOWN_GRACE_SECONDS`) and the place in the JSON
/// file (`{"shutdown": {"grace": {"seconds": 8}}}`) are derived from it. A secret is a key of a ``Redacted`` type.
public struct ConfigurationKey<Value: ConfigurationValue>: Sendable {
    public let name: String
    /// One or two sentences for an operator.
    public let documentation: String
    /// Nil when the service does not start without a value.
    public let defaultValue: Value?
    /// The allowed values beyond the type, in words: "1...65535".
    public let range: String?
    let isAllowed: @Sendable (Value) -> Bool

    /// - Parameters:
    ///   - defaultValue: nil makes the key required, unless its type is optional.
    ///   - range: describes the condition of `isAllowed` in words.
    public init(
        _ name: String, _ documentation: String, default defaultValue: Value? = nil, range: String? = nil,
        isAllowed: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) {
        self.name = name
        self.documentation = documentation
        self.defaultValue = defaultValue
        self.range = range
        self.isAllowed = isAllowed
    }
}

extension ConfigurationKey where Value: Comparable {
    /// A key whose value lies in a closed range.
    public init(
        _ name: String, _ documentation: String, default defaultValue: Value? = nil, in range: ClosedRange<Value>
    ) {
        self.init(
            name, documentation, default: defaultValue,
            range: "\(range.lowerBound.configurationText)...\(range.upperBound.configurationText)",
            isAllowed: { range.contains($0) })
    }
}

/// A key without its type, for lists of keys.
public struct AnyConfigurationKey: Sendable {
    public let name: String
    public let documentation: String
    public let range: String?
    public let expected: String
    public let isSecret: Bool
    public let isRequired: Bool
    /// The default in the form of the source. Nil without one.
    public let defaultText: String?
    /// Whether `--flag` alone means true.
    let isSwitch: Bool
    let defaultValue: (any Sendable)?
    let read: @Sendable (String) -> Reading

    enum Reading: Sendable {
        case value(any Sendable, text: String)
        case unparsable
        case notAllowed
    }

    public init<Value>(_ key: ConfigurationKey<Value>) {
        name = key.name
        documentation = key.documentation
        range = key.range
        expected = Value.expected
        isSecret = Value.isSecret
        isRequired = key.defaultValue == nil && Value.absent == nil
        defaultText = key.defaultValue.map(\.configurationText).flatMap { $0.isEmpty ? nil : $0 }
        isSwitch = Value.self == Bool.self
        defaultValue = key.defaultValue ?? Value.absent
        read = { text in
            guard let value = Value.parse(text) else { return .unparsable }
            return key.isAllowed(value) ? .value(value, text: value.configurationText) : .notAllowed
        }
    }

    /// `http.port` → `--http-port`
    public var flag: String { "--" + name.replacing(".", with: "-") }
    /// `http.port` → `SERAI_HTTP_PORT`
    public var environmentVariable: String { "SERAI_" + name.replacing(".", with: "_").uppercased() }
    /// The allowed values, in words.
    public var demand: String { range.map { "\(expected) (\($0))" } ?? expected }
}

extension ConfigurationKey {
    public var erased: AnyConfigurationKey { AnyConfigurationKey(self) }
}
