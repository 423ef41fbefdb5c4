import Foundation

/// When a restaurant is usually open, by weekday in the market's zone. They are shown; whether it takes orders now is the
/// owner's switch.
struct RestaurantHours: Hashable, Sendable, Codable {
    static let maximumSpans = 21

    enum Day: String, Hashable, Sendable, Codable, CaseIterable {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }

    /// From one minute of the day to another; one that is not later is on the next day.
    struct Span: Hashable, Sendable, Codable {
        let day: Day
        /// Minutes since midnight, 0...1439.
        let opens: Int
        let closes: Int
    }

    /// Sorted by weekday and opening; no two begin at the same time.
    let spans: [Span]

    init(_ spans: [Span]) {
        self.spans = spans.sorted { one, other in
            let days = Day.allCases
            let (first, second) = (days.firstIndex(of: one.day) ?? 0, days.firstIndex(of: other.day) ?? 0)
            return first == second ? one.opens < other.opens : first < second
        }
    }

    /// `11:30` as minutes since midnight; nil for another form.
    static func minute(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }),
            text.utf8.allSatisfy({ (48...58).contains($0) }), let hour = Int(parts[0]), let minute = Int(parts[1]),
            hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    static func text(_ minute: Int) -> String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        return "\(padded(minute / 60)):\(padded(minute % 60))"
    }
}
