import Contracts
import Foundation
import LiveMarkets
import Postgres

/// The outcome of ordering a visit of a series.
enum VisitRequestOutcome: Sendable, Equatable {
    case requested(order: UUID)
    /// The visit costs more than the customer agreed to, or its currency has changed. In minor units.
    case priceRose(to: Int, currency: String)
    /// The visit can never be ordered, for this reason (a slug).
    case refused(reason: String)
    /// The visit cannot be ordered now; another try follows a little later.
    case later
}

/// Orders a visit in the transaction that marks it as ordered.
typealias RequestVisit =
    @Sendable (
        _ series: Series, _ visit: SeriesVisit, _ now: Date, _ transaction: PostgresTransaction
    ) async throws -> VisitRequestOutcome

/// Checks that visits of a series could be ordered at a time; throws the error for the customer.
typealias CheckVisit =
    @Sendable (
        _ series: Series, _ startsAt: Date, _ now: Date, _ transaction: PostgresTransaction
    ) async throws -> Void

/// The current price of one visit; nil if the market no longer offers the services.
typealias PriceOfSeries = @Sendable (_ series: Series) -> Money?

/// The current clock of a market; nil for an unknown market. A visit with a row keeps its instant when the market's
/// time zone changes.
typealias MarketClock = @Sendable (_ market: String) -> ZonedClock?

extension LiveMarkets {
    /// The clock of a market; see ``MarketClock``.
    func clock(of market: String) -> ZonedClock? { settings(of: market).flatMap { ZonedClock($0.timeZone) } }

    /// The price of a visit; see ``PriceOfSeries``.
    func price(of series: Series) -> Money? {
        guard let settings = settings(of: series.market) else { return nil }
        if let parcel = series.wish.parcel {
            let fee = parcel.minimumRating == nil ? 0 : settings.parcelRates.minimumRatingFee
            return Money(amount: parcel.payment + fee, currency: settings.currency)
        }
        var sum = 0
        let offered = Set(named(series.market)?.services.map(\.id) ?? [])
        for service in series.wish.services {
            guard offered.contains(service), let price = settings.servicePrices[service] else { return nil }
            sum += price
        }
        return Money(amount: sum, currency: settings.currency)
    }

    /// Whether a market accepts this payment method.
    func takes(_ method: Series.Consent.Method, in market: String) -> Bool {
        settings(of: market)?.paymentMethods.contains(method.rawValue) == true
    }
}
