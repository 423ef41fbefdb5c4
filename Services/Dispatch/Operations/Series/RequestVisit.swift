import Contracts
import Foundation
import LiveMarkets
import Postgres

/// What becomes of a visit of a series when its order is asked for.
enum VisitRequestOutcome: Sendable, Equatable {
    case requested(order: UUID)
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

/// The clock of a market at this moment; nil for a market that there is not. A visit that has a row keeps its instant, whatever
/// the clock is later.
typealias MarketClock = @Sendable (_ market: String) -> ZonedClock?

extension LiveMarkets {
    /// See ``MarketClock``.
    func clock(of market: String) -> ZonedClock? { settings(of: market).flatMap { ZonedClock($0.timeZone) } }
}
