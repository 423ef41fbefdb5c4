import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// The parts that the features share.
struct DispatchParts: Sendable {
    let base: ServiceBase
    /// The time of orders and of all that is told about them, cut to the millisecond.
    let clock: @Sendable () -> Date
    let markets: LiveMarkets
    let orders: OrderOperations
    let orderRoutes: OrderRoutes
    let providers: ProviderParts
    let places: PlaceParts
    let rounds: RunRound
    let seal: PlaceSeal

    var pool: PostgresPool { base.pool }

    init(_ base: ServiceBase) throws {
        let (bootstrap, pool, logger) = (base.bootstrap, base.pool, base.bootstrap.logger)
        let clock: @Sendable () -> Date = { base.clock().cutToMillisecond }
        let markets = LiveMarkets(pool: pool, logger: logger)
        let settings = try ProviderParts.Settings(bootstrap.configuration)
        let orders = OrderOperations(
            markets: markets, freshness: settings.freshness / .seconds(1), logger: logger)
        let seal = try PlaceSeal(bootstrap.configuration)
        let outside = try PlaceParts.Outside(bootstrap.configuration, logger: logger)
        let providers = try ProviderParts(
            pool: pool, markets: markets, travelTimes: outside.travelTimes, cursors: base.cursors,
            words: bootstrap.catalogue, settings: settings,
            clock: base.clock, logger: logger, broker: bootstrap.broker(purpose:)
        ) { order, metresLeft, secondsLeft, transaction in
            try await orders.comeNear(
                order, metresLeft: metresLeft, secondsLeft: secondsLeft, at: clock(), in: transaction)
        }
        let visits = OrderVisit(orderCare: orders.orderCare)
        let parcels = OrderSeriesParcel(post: orders.postParcel)
        self.base = base
        self.seal = seal
        self.clock = clock
        self.markets = markets
        self.orders = orders
        self.providers = providers
        orderRoutes = OrderRoutes(
            operations: orders, reader: OrderReader(pool: pool), idempotency: base.idempotency, cursors: base.cursors,
            seal: seal, clock: clock)
        places = PlaceParts(
            pool: pool, markets: markets, candidates: providers.candidates, outside: outside,
            idempotency: base.idempotency, cursors: base.cursors, seal: seal, catalogue: bootstrap.catalogue,
            clock: clock,
            requestVisit: { series, visit, now, transaction in
                if series.wish.parcel != nil { return try await parcels.request(series, now: now, in: transaction) }
                return try await visits.request(series, visit, now: now, in: transaction)
            },
            checkVisit: { series, startsAt, now, transaction in
                if series.wish.parcel != nil { return try parcels.check(series) }
                try await visits.check(series, at: startsAt, now: now, in: transaction)
            })
        rounds = RunRound(
            pool: pool, markets: markets,
            candidates: RoundCandidates(
                pool: pool, index: providers.index, freshness: providers.candidates.freshness),
            travelTimes: places.travelTimes, offer: orders.offer, endWindow: orders.endWindow, clock: clock)
    }
}
