/// A value that must never be shown: it prints as `[redacted]` in every text.
///
/// The only access to the value is ``revealed``, so every use can be found.
public struct Redacted<Value: Sendable>: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    public let revealed: Value

    public init(_ value: Value) {
        revealed = value
    }

    public var description: String { "[redacted]" }
    public var debugDescription: String { "[redacted]" }
    /// Hides the value from `dump` and from string interpolation of containing values.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Redacted: Equatable where Value: Equatable {}
