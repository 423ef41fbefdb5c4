public import Foundation

extension Market {
    /// The day of a moment in the market's zone, as `2026-03-01`.
    public func day(of moment: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        // A market's zone is one that there is: a test reads them all.
        calendar.timeZone = TimeZone(identifier: timeZone) ?? .gmt
        let day = calendar.dateComponents([.year, .month, .day], from: moment)
        func text(_ number: Int?, _ length: Int) -> String {
            let digits = String(number ?? 0)
            return String(repeating: "0", count: max(length - digits.count, 0)) + digits
        }
        return [text(day.year, 4), text(day.month, 2), text(day.day, 2)].joined(separator: "-")
    }
}
