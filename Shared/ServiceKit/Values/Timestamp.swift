public import Foundation
import Messaging
import SeraiJSON

/// Times as RFC 3339 texts in UTC, the only form in JSON.
public enum Timestamp {
    /// `2026-03-01T12:03:04.123Z`, rounded to the nearest millisecond, so that a text that is parsed and written again
    /// does not change.
    public static func text(_ date: Date) -> String { WireTime.text(date) }

    /// With or without fractions, in any offset, also with `t` and `z`. Nil for anything else, such as 30 February.
    public static func parse(_ text: String) -> Date? { WireTime.parse(text) }
}
