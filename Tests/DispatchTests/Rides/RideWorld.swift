import Contracts
import Foundation
import LiveMarkets
import Matching
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

/// Riders and drivers in Perth, and rounds. Several are as many workers on one database.
struct RideWorld: Sendable {
    static let perth = GeoPoint(latitude: -31.9523, longitude: 115.8613)

    let orders: OrderWorld
    let index: PositionIndex
    let rounds: RunRound

    var pool: PostgresPool { orders.pool }

    static func with(
        times: any TravelTimes = StreetTimes(), _ body: (RideWorld) async throws -> Void
    ) async throws {
        try await OrderWorld.with { try await body(RideWorld($0, times: times)) }
    }

    /// - Parameter index: of another worker, where both shall know the same.
    init(_ orders: OrderWorld, index: PositionIndex = PositionIndex(), times: any TravelTimes = StreetTimes()) {
        self.orders = orders
        self.index = index
        rounds = RunRound(
            pool: orders.pool, markets: orders.markets,
            candidates: RoundCandidates(pool: orders.pool, index: index, freshness: 120), travelTimes: times,
            offer: orders.operations.offer, endWindow: orders.operations.endWindow,
            clock: { .thisMillisecond })
    }

    func withAnotherWorker(
        times: any TravelTimes = StreetTimes(), _ body: (RideWorld) async throws -> Void
    ) async throws {
        try await orders.withAnotherProcess { try await body(RideWorld($0, index: index, times: times)) }
    }

    static func north(_ metres: Double, east: Double = 0) -> GeoPoint {
        let degrees = 1 / (UnitVector.earthRadiusMetres * .pi / 180)
        return GeoPoint(
            latitude: perth.latitude + metres * degrees,
            longitude: perth.longitude + east * degrees / cos(perth.latitude * .pi / 180))
    }

    // MARK: People

    /// A driver who waits for work, some metres north of the middle.
    func driver(
        north metres: Double = 0, account: UUID = .timeOrdered(), title: String = "driver", vehicle: String? = nil,
        isAvailable: Bool = true, at: Date = Date()
    ) async throws -> UUID {
        try await drivers([account], title: title, vehicle: vehicle, isAvailable: isAvailable)
        try await put(account, at: Self.north(metres), since: at)
        return account
    }

    func drivers(
        _ accounts: [UUID], title: String = "driver", vehicle: String? = nil, isAvailable: Bool = true
    ) async throws {
        try await pool.execute(
            InsertDrivers(accounts: accounts, title: title, vehicle: vehicle, isAvailable: isAvailable))
    }

    func put(_ driver: UUID, at place: GeoPoint, since: Date = Date()) async throws {
        let fix = Fix(place: place, at: since)
        let stay = Stay(since: Fix(place: place, at: since - 60), toldAt: since)
        try await pool.execute(
            StorePositions(
                reports: [PositionReport(provider: driver, fix: fix)],
                whereabouts: [driver: ProviderPositionState(last: fix, stay: stay, steady: place)]))
        index.put(CollectionOfOne((provider: driver, fix: fix)))
    }

    // MARK: Rides

    /// A quote of the rider's, kept.
    func quote(
        _ rider: UUID, from: GeoPoint = perth, size: String = "regular", total: Int = 2_000,
        lasting seconds: Double = 300, roughPrice: Int? = nil, shiftedBy degrees: Double = 0,
        at now: Date = .thisMillisecond
    ) async throws -> UUID {
        let quote = Self.quote(
            rider, from: from, size: size, total: total, lasting: seconds, roughPrice: roughPrice, shiftedBy: degrees,
            at: now)
        try await pool.execute(try InsertQuote(quote))
        return quote.id
    }

    private static func quote(
        _ rider: UUID, from: GeoPoint, size: String, total: Int, lasting seconds: Double, roughPrice: Int? = nil,
        shiftedBy degrees: Double = 0, at now: Date
    ) -> Quote {
        let fare = Tariff(base: total, perKilometre: 0, perMinute: 0, minimum: 0).fare(metres: 7_000, seconds: 700)
        return Quote(
            id: .timeOrdered(), market: "btnc", account: rider, kind: "ride", tariff: size,
            from: Order.Place(latitude: from.latitude, longitude: from.longitude, description: "At the corner"),
            to: Order.Place(latitude: from.latitude + 0.05 + degrees, longitude: from.longitude, description: nil),
            terms: Quote.Terms(
                metres: 7_000, seconds: 700, waitSeconds: nil, fare: fare,
                surge: Quote.SurgeTerms(percent: 100, waiting: 0, free: 0, isCapped: false, radiusMetres: 3_000),
                roughPrice: roughPrice),
            total: total, currency: "AUD", promo: nil, madeAt: now, expiresAt: now + seconds, order: nil)
    }

    /// A ride that is paid, so that it is searched for; or on offer to a driver. Brought there in one transaction.
    func ride(
        _ rider: UUID? = nil, from: GeoPoint = perth, size: String = "regular", offeredTo driver: UUID? = nil,
        at now: Date = .thisMillisecond
    ) async throws -> Order {
        let rider = if let rider { rider } else { try await orders.addCustomer("Ruby") }
        let quote = Self.quote(rider, from: from, size: size, total: 2_000, lasting: 300, at: now)
        let input = RequestRide.Input(market: .btnc, rider: rider, quote: quote.id)
        return try await pool.withTransaction { transaction in
            transaction.send(try InsertQuote(quote))
            let order = try await orders.operations.requestRide(input, at: now, in: transaction).order.id
            try await orders.operations.recordPayment(SampleOrder.held(), of: order, at: now, in: transaction)
            if let driver {
                let made = try await orders.operations.offer(
                    [.init(order: order, provider: driver)], in: .btnc, needsSubscription: false, at: { now },
                    in: transaction)
                #expect(made.count == 1)
            }
            return try #require(try await transaction.first(FindOrder(order: order))?.details()).order
        }
    }

    func details(_ order: UUID) async throws -> Order { try await orders.details(order).order }

    @discardableResult
    func round(_ place: GeoPoint = perth) async throws -> RunRound.Outcome {
        try await rounds(RoundArea(market: "btnc", latitude: place.latitude, longitude: place.longitude))
    }

    /// Offers it to a driver without a round.
    func offer(_ order: Order, to driver: UUID, at now: Date = .thisMillisecond) async throws -> Bool {
        try await pool.withTransaction { transaction in
            try await orders.operations.offer(
                [.init(order: order.id, provider: driver)], in: .btnc, needsSubscription: false, at: { now },
                in: transaction)
        }.isEmpty == false
    }

    func decline(_ order: Order, by driver: UUID) async throws {
        _ = try await pool.withTransaction { transaction in
            try await orders.operations.change(
                .decline(reason: nil), of: order.id, by: driver, at: .thisMillisecond, in: transaction)
        }
    }

    func take(_ order: Order, by driver: UUID) async throws -> Order {
        try await pool.withTransaction { transaction in
            try await orders.operations.take(order.id, by: driver, at: .thisMillisecond, in: transaction).order
        }
    }

    func reasonings(_ order: UUID) async throws -> [RoundReasoning] {
        try await pool.query(ListExplanations(order: order, after: 0, limit: 1_000)).map {
            try JSONDecoder().decode(RoundReasoning.self, from: Data($0.reasoning.text))
        }
    }

    func set(_ key: MarketSettings.Key, to value: String) async throws {
        try await pool.execute(PutMarketSetting(market: "btnc", key: key.rawValue, value: value))
        try await orders.markets.refresh()
    }

    /// What never may be, at any moment: a driver held by two, an order that is offered to nobody, a search too many.
    ///
    /// - Parameter isQuiet: whether no relay has taken the events away.
    func expectConsistency(isQuiet: Bool = true, at place: SourceLocation = #_sourceLocation) async throws {
        let found = try await pool.query(FindRideInconsistencies(hasEvents: isQuiet))
        #expect(found == [], sourceLocation: place)
    }
}

struct InsertDrivers: Statement {
    static let sql: SQL = """
        WITH people AS (
            INSERT INTO people (account, version, name, language) SELECT account, 1, 'Dan', 'en'
            FROM unnest($1::uuid[]) AS given (account) ON CONFLICT DO NOTHING
        ), methods AS (
            INSERT INTO payment_methods (account, has_method, version) SELECT unnest($1::uuid[]), true, 1
            ON CONFLICT DO NOTHING
        ), providers AS (
            INSERT INTO providers (account) SELECT unnest($1::uuid[])
        )
        INSERT INTO provider_roles (market, account, title, verified, available, available_at, vehicle)
        SELECT 'btnc', account, $2, true, $4, now(), $3 FROM unnest($1::uuid[]) AS given (account)
        """
    let accounts: [UUID]
    let title: String
    let vehicle: String?
    let isAvailable: Bool
    func bind(_ bindings: inout Bindings) { bindings.append(accounts, title, vehicle, isAvailable) }
}

struct InsertRiders: Statement {
    static let sql: SQL = """
        WITH told AS (
            INSERT INTO payment_methods (account, has_method, version) SELECT unnest($1::uuid[]), true, 1
        )
        INSERT INTO people (account, version, name, language)
        SELECT account, 1, 'Ruby', 'en' FROM unnest($1::uuid[]) AS given (account)
        """
    let accounts: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(accounts) }
}

/// Rides of which something does not fit together: who is held against the state, the search, the offers, the
/// deadlines, or the versions of the events.
struct FindRideInconsistencies: Statement {
    static let sql: SQL = """
        SELECT o.id::text || ' ' || o.state || ' v' || o.version || ': held ' || coalesce(held.count, 0)
            || ', search ' || coalesce((search.round_at IS NOT NULL)::text, 'none') || ', open offers '
            || coalesce(open.count, 0) || ', events ' || coalesce(events.versions::text, 'none')
        FROM orders AS o
        LEFT JOIN (
            SELECT current_order, count(*) AS count FROM providers GROUP BY current_order
        ) AS held ON held.current_order = o.id
        LEFT JOIN searches AS search ON search.order_id = o.id
        LEFT JOIN (
            SELECT order_id, count(*) AS count FROM offers WHERE outcome IS NULL GROUP BY order_id
        ) AS open ON open.order_id = o.id
        LEFT JOIN (
            SELECT aggregate, array_agg((payload::jsonb -> 'order' ->> 'version')::bigint ORDER BY seq) AS versions
            FROM outbox WHERE name LIKE 'dispatch.order.%' GROUP BY aggregate
        ) AS events ON events.aggregate = o.id::text
        WHERE o.kind IN ('ride', 'bikeDropOff') AND (
            coalesce(held.count, 0) <> CASE WHEN o.state IN ('offered', 'accepted', 'arrived')
                OR o.state = 'inProgress' AND NOT 'provider' = ANY (o.confirmed_by)
                    AND (o.kind = 'ride' OR cardinality(o.confirmed_by) = 0) THEN 1 ELSE 0 END
            OR (search.order_id IS NOT NULL) <> (o.state IN ('requested', 'offered'))
            OR (search.round_at IS NOT NULL) <> (o.state = 'requested')
            OR coalesce(open.count, 0) <> (o.state = 'offered')::integer
            OR $1 AND events.versions IS DISTINCT FROM (SELECT array_agg(n) FROM generate_series(1, o.version) AS n)
            OR (o.deadline IS NULL) <> o.is_final
            OR NOT o.is_final AND NOT EXISTS (
                SELECT FROM deadlines WHERE subject = o.id::text AND due_at >= o.deadline))
        """
    /// Whether the events are still in the outbox.
    let hasEvents: Bool
    func bind(_ bindings: inout Bindings) { bindings.append(hasEvents) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
