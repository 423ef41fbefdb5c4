import Foundation

/// What figures are summed by.
enum StatisticsPeriod: String, Sendable, CaseIterable {
    case day, week, month

    /// The first day of the period that a day such as `2026-03-04` lies in. Weeks begin on Monday.
    func first(of day: String) -> String {
        switch self {
        case .day: return day
        case .month: return "\(day.prefix(7))-01"
        case .week:
            var calendar = Calendar(identifier: .iso8601)
            calendar.timeZone = .gmt
            let parts = day.split(separator: "-").compactMap { Int($0) }
            // A day of ``DayRange`` always has three parts.
            guard parts.count == 3,
                let date = calendar.date(from: DateComponents(year: parts[0], month: parts[1], day: parts[2])),
                let week = calendar.dateInterval(of: .weekOfYear, for: date)
            else { return day }
            return week.start.formatted(.iso8601.year().month().day())
        }
    }

    /// The days of each period, in order; the first and the last may lack days.
    func grouped<Day>(_ days: [Day], _ name: (Day) -> String) -> [(period: String, days: [Day])] {
        var groups: [(period: String, days: [Day])] = []
        for day in days {
            let period = first(of: name(day))
            if groups.last?.period == period {
                groups[groups.count - 1].days.append(day)
            } else {
                groups.append((period, [day]))
            }
        }
        return groups
    }
}
