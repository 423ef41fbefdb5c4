import Foundation

/// A time as whole days of UTC, whose sums are kept, and the parts of a day before and after them.
struct WholeDays: Hashable, Sendable {
    /// The beginning of the first whole day; nil for all days up to the end.
    let first: Date?
    /// The end of the last whole day; nil for all days from the first on. The first where there is none.
    let end: Date?
    let before: Range<Date>?
    let after: Range<Date>?

    private static let daySeconds = 86_400.0

    /// - Parameters:
    ///   - from: nil for all time before.
    ///   - to: exclusive; nil for all time after.
    init(from: Date?, to: Date?) {
        let first = from.map(Self.nextDay(from:))
        let end = to.map(Self.day(of:))
        if let from, let to, let first, let end, first > end {
            // Within one day, or the wrong way round.
            (self.first, self.end) = (first, first)
            before = from < to ? from..<to : nil
            after = nil
            return
        }
        (self.first, self.end) = (first, end)
        before = Self.range(from, first)
        after = Self.range(end, to)
    }

    private static func range(_ start: Date?, _ end: Date?) -> Range<Date>? {
        guard let start, let end, start < end else { return nil }
        return start..<end
    }

    /// The beginning of the moment's day.
    private static func day(of moment: Date) -> Date {
        Date(timeIntervalSince1970: (moment.timeIntervalSince1970 / daySeconds).rounded(.down) * daySeconds)
    }

    /// The moment, if a day begins with it, or else the beginning of the next one.
    private static func nextDay(from moment: Date) -> Date {
        Date(timeIntervalSince1970: (moment.timeIntervalSince1970 / daySeconds).rounded(.up) * daySeconds)
    }
}
