import Contracts
import Foundation
import LiveMarkets
import Postgres

/// What becomes of a visit of a series when its order is asked for.
enum VisitRequestOutcome: Sendable, Equatable {
    case requested(order: UUID)
    /// It costs more than its customer agreed to, or is in another currency: minor units.
    case priceRose(to: Int, currency: String)
    /// Never, for this reason: a slug.
    case refused(reason: String)
    /// Not now. It is asked for again a little later.
    case later
}

/// Asks the engine for the order of a visit, in the transaction that marks the visit.
typealias RequestVisit =
    @Sendable (
        _ series: Series, _ visit: SeriesVisit, _ now: Date, _ transaction: PostgresTransaction
    ) async throws -> VisitRequestOutcome

/// Whether the visits of a series could be ordered at such a time; throws what the customer is told.
typealias CheckVisit =
    @Sendable (
        _ series: Series, _ startsAt: Date, _ now: Date, _ transaction: PostgresTransaction
    ) async throws -> Void

/// What the visits of a series cost at this moment; nil for what the market does not offer any more.
typealias PriceOfSeries = @Sendable (_ series: Series) -> Money?

/// The clock of a market at this moment; nil for a market that there is not. A visit that has a row keeps its instant, whatever
/// the clock is later.
typealias MarketClock = @Sendable (_ market: String) -> ZonedClock?

extension LiveMarkets {
    /// See ``MarketClock``.
    func clock(of market: String) -> ZonedClock? { settings(of: market).flatMap { ZonedClock($0.timeZone) } }

    /// See ``PriceOfSeries``.
    func price(of series: Series) -> Money? {
        guard let settings = settings(of: series.market) else { return nil }
        var sum = 0
        for service in series.wish.services {
            guard let price = settings.servicePrices[service] else { return nil }
            sum += price
        }
        return Money(amount: sum, currency: settings.currency)
    }

    /// Whether a market takes money in this way.
    func takes(_ method: Series.Consent.Method, in market: String) -> Bool {
        settings(of: market)?.paymentMethods.contains(method.rawValue) == true
    }
}
