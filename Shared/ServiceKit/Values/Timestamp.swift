public import Foundation
import Messaging

/// Moments as RFC 3339 texts in UTC, the only form in which they appear in JSON.
public enum Timestamp {
    /// `2026-03-01T12:03:04.123Z`, milliseconds.
    /// The nearest one: a text that is parsed and written again stays as it was.
    public static func text(_ date: Date) -> String { WireTime.text(date) }

    /// With or without fractions, in any offset, also with `t` and `z`. Nil for anything else, such as 30 February.
    public static func parse(_ text: String) -> Date? { WireTime.parseStrict(text) }
}
