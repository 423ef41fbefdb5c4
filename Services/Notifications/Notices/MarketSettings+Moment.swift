import Contracts
import Foundation

extension MarketSettings {
    /// A moment in the market's time zone, as `2026-03-01 14:30`.
    func moment(of moment: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        // Always known: settings with an unknown zone are refused.
        calendar.timeZone = TimeZone(identifier: timeZone) ?? .gmt
        let time = calendar.dateComponents([.hour, .minute], from: moment)
        func padded(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return "\(day(of: moment)) \(padded(time.hour)):\(padded(time.minute))"
    }
}
