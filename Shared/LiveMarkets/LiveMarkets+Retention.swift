public import Contracts
public import Foundation

extension LiveMarkets {
    /// The moment before which a market's data is to be deleted (Q9), by the months in its settings.
    public func retentionStart(of market: Market, before now: Date) -> Date {
        let months = settings(of: market.id)?.retentionMonths ?? market.defaults.retentionMonths
        return Self.start(of: months, before: now)
    }

    /// The moment this many calendar months earlier, in UTC.
    static func start(of months: Int, before now: Date) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(byAdding: .month, value: -months, to: now) ?? .distantPast
    }
}
