import Contracts
import Foundation

extension CalendarDate {
    /// The day that a moment falls on in a market's zone; in Greenwich's where there is no such market.
    init(of moment: Date, in market: String) {
        let zone = Market.named(market).flatMap { TimeZone(identifier: $0.timeZone) }
        self.init(of: moment, in: zone ?? .gmt)
    }
}
