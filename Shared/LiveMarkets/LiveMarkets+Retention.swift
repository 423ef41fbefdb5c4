public import Contracts
public import Foundation

extension LiveMarkets {
    /// What a market had before this moment is to be forgotten (Q9), by the months that its admin has chosen.
    public func retentionStart(of market: Market, before now: Date) -> Date {
        let months = settings(of: market.id)?.retentionMonths ?? market.defaults.retentionMonths
        return Self.start(of: months, before: now)
    }

    /// So many months of the calendar before a moment, in UTC.
    static func start(of months: Int, before now: Date) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(byAdding: .month, value: -months, to: now) ?? .distantPast
    }
}
