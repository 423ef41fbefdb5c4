public import Contracts
public import Foundation

extension LiveMarkets {
    /// The moment before which a market's data is to be deleted (Q9), by the months in its settings.
    public func retentionStart(of market: Market, before now: Date) -> Date {
        (settings(of: market.id) ?? market.defaults).retentionStart(before: now)
    }
}
