import Contracts
import Foundation

/// How much of one kind an account may move in a day of a market, in the market's currency.
struct DailyLimit: Hashable, Sendable {
    enum Matter: Hashable, Sendable { case topUp, cashOut }

    struct Reached: Error, Hashable {
        let matter: Matter
        /// Minor units that are left for the day.
        let left: Int
        let currency: String
        let limit: Int
        /// When the next day begins.
        let endsAt: Date
    }

    /// Minor units.
    let amount: Int
    let currency: String
    let beginsAt: Date
    let endsAt: Date

    init(_ amount: Int, of settings: MarketSettings, at now: Date) {
        self.amount = amount
        currency = settings.currency
        beginsAt = settings.dayStart(of: now)
        // A day has 23 to 25 hours.
        endsAt = settings.dayStart(of: beginsAt.addingTimeInterval(30 * 3_600))
    }

    /// What is in another currency than the market's, which it once had, is not counted.
    ///
    /// - Parameter used: minor units of the same kind and currency since the day began.
    /// - Throws: ``Reached``
    func admit(_ wanted: Int, _ currency: String, after used: Int, _ matter: Matter) throws(Reached) {
        guard currency == self.currency, wanted > amount - used else { return }
        throw Reached(
            matter: matter, left: max(amount - used, 0), currency: currency, limit: amount, endsAt: endsAt)
    }
}
