public import Foundation
import Messaging

/// Moments as RFC 3339 texts in UTC, the only form in which they appear in JSON.
public enum Timestamp {
    private static let whole = Date.ISO8601FormatStyle()
    private static let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// `2026-03-01T12:03:04.123Z`, milliseconds.
    /// The nearest one: a text that is parsed and written again stays as it was.
    public static func text(_ date: Date) -> String { WireTime.text(date) }

    /// With or without fractions, in any offset. Nil for anything else.
    public static func parse(_ text: String) -> Date? {
        if let date = WireTime.parseUsual(text) { return date }
        // Two forms are tried; that one does not fit is the question, not an error.
        guard (20...40).contains(text.utf8.count) else { return nil }
        return (try? whole.parse(text)) ?? (try? fractional.parse(text))
    }
}
