import Contracts
import Foundation

/// The amount of one kind that an account may move in one day of a market, in the market's currency.
struct DailyLimit: Hashable, Sendable {
    enum Matter: Hashable, Sendable { case topUp, cashOut }

    struct Reached: Error, Hashable {
        let matter: Matter
        /// Minor units left for the day.
        let left: Int
        let currency: String
        let limit: Int
        /// The start of the next day.
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
        // A local day has 23 to 25 hours, so 30 hours after its start lie within the next day.
        endsAt = settings.dayStart(of: beginsAt.addingTimeInterval(30 * 3_600))
    }

    /// Amounts in another currency than the market's current one have no limit.
    ///
    /// - Parameter used: minor units of the same kind and currency since the day began.
    /// - Throws: ``Reached``
    func admit(_ wanted: Int, _ currency: String, after used: Int, _ matter: Matter) throws(Reached) {
        guard currency == self.currency, wanted > amount - used else { return }
        throw Reached(
            matter: matter, left: max(amount - used, 0), currency: currency, limit: amount, endsAt: endsAt)
    }
}
