import Contracts
import Foundation

extension MarketSettings {
    /// A moment in the market's zone, as `2026-03-01 14:30`.
    func moment(of moment: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        // A market's zone is one that there is: no other can be set.
        calendar.timeZone = TimeZone(identifier: timeZone) ?? .gmt
        let time = calendar.dateComponents([.hour, .minute], from: moment)
        func padded(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return "\(day(of: moment)) \(padded(time.hour)):\(padded(time.minute))"
    }
}
