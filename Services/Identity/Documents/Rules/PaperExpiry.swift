import Foundation

/// When the owner of a paper is told that it expires, and when it lapses.
struct PaperExpiry: Hashable, Sendable {
    enum Step: String, Hashable, Sendable {
        /// Nothing is to be told yet.
        case waits
        /// The owner is told that it expires.
        case warns
        /// The last day is over.
        case lapses
    }

    /// Days before the end at which the owner is told.
    static let warningDays = [30, 7]
    static let day = 86_400.0

    /// The moment after the last day, in the market's zone.
    let end: Date

    /// - Parameter expiresOn: the last day on which it holds.
    init(_ expiresOn: CalendarDate, in zone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = DateComponents(year: expiresOn.year, month: expiresOn.month, day: expiresOn.day)
        let begin = calendar.date(from: parts) ?? .distantFuture
        end = calendar.date(byAdding: .day, value: 1, to: begin) ?? begin.addingTimeInterval(Self.day)
    }

    private var warnings: [Date] { Self.warningDays.map { end.addingTimeInterval(-Double($0) * Self.day) } }

    /// When to look first after the verification.
    func firstLook(after now: Date) -> Date { max(now, warnings.first ?? end) }

    func step(at now: Date) -> Step {
        if now >= end { return .lapses }
        return warnings.contains { $0 <= now } ? .warns : .waits
    }

    /// When to look again; nil when it has lapsed.
    func nextLook(after now: Date) -> Date? {
        guard now < end else { return nil }
        return (warnings + [end]).first { $0 > now }
    }
}
