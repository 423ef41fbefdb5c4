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

/// A database with people in it, and what can be done with orders. Several pools on one database are as many processes.
struct OrderWorld: Sendable {
    let database: TestDatabase
    let pool: PostgresPool
    let markets: LiveMarkets
    let operations: OrderOperations

    static func with(maximum: Int = 8, _ body: (OrderWorld) async throws -> Void) async throws {
        try await TestDatabase.withDatabase(DispatchService.migrations) { database in
            try await database.withPool(maximum: maximum) { pool in
                try await body(OrderWorld(database: database, pool: pool))
            }
        }
    }

    init(database: TestDatabase, pool: PostgresPool) {
        self.database = database
        self.pool = pool
        markets = LiveMarkets(pool: pool, logger: TestThreads.logger)
        operations = OrderOperations(markets: markets)
    }

    /// Another process on the same database.
    func withAnotherProcess(_ body: (OrderWorld) async throws -> Void) async throws {
        try await database.withPool(maximum: 8) { pool in
            let other = OrderWorld(database: database, pool: pool)
            try await other.markets.refresh()
            try await body(other)
        }
    }

    func set(_ key: MarketSettings.Key, to value: String) async throws {
        try await pool.execute(SetSetting(key: key.rawValue, value: value))
        try await markets.refresh()
    }

    // MARK: People

    func addCustomer(_ name: String = "Salem") async throws -> UUID {
        let account = UUID.timeOrdered()
        try await pool.execute(InsertPerson(account: account, name: name))
        return account
    }

    func addProvider(
        _ name: String = "Noura", isVerified: Bool = true, isAvailable: Bool = true,
        prices: [String: Int] = ["wound-care": 12_000, "vital-signs": 5_000]
    ) async throws -> UUID {
        let account = UUID.timeOrdered()
        try await pool.withTransaction { transaction in
            transaction.send(InsertPerson(account: account, name: name))
            transaction.send(InsertProviderRow(account: account))
            transaction.send(
                InsertProviderRoleRow(account: account, isVerified: isVerified, isAvailable: isAvailable))
            transaction.send(TellNearbyPlace(provider: account, at: .thisMillisecond))
            for (service, price) in prices {
                transaction.send(InsertOffering(account: account, service: service, price: price))
            }
        }
        return account
    }

    /// Customers, each with a provider who is free: many at once.
    func addPairs(
        _ count: Int, in market: String = "assef", title: String = "nurse"
    ) async throws -> [(customer: UUID, provider: UUID)] {
        let pairs = (0..<count).map { _ in (customer: UUID.timeOrdered(), provider: UUID.timeOrdered()) }
        try await pool.execute(
            InsertPairs(
                customers: pairs.map(\.customer), providers: pairs.map(\.provider), market: market, title: title))
        return pairs
    }

    // MARK: Orders

    func input(_ customer: UUID, _ provider: UUID) -> RequestOrder.Input {
        RequestOrder.Input(
            market: .assef, customer: customer, provider: provider, services: ["wound-care"],
            place: Order.Place(latitude: 24.7, longitude: 46.7, description: nil))
    }

    /// A requested order.
    func request(_ customer: UUID, _ provider: UUID, at now: Date = .thisMillisecond) async throws -> Order {
        try await pool.withTransaction { transaction in
            transaction.send(TellNearbyPlace(provider: provider, at: now))
            return try await operations.request(input(customer, provider), at: now, in: transaction).order
        }
    }

    func accept(_ order: Order, by account: UUID? = nil, at now: Date = .thisMillisecond) async throws -> Order {
        try await pool.withTransaction { transaction in
            try await operations.accept(
                order.id, by: account ?? order.assignee, AcceptOrder.Input(), at: now, in: transaction
            ).order
        }
    }

    func cancel(
        _ order: Order, accepting amount: Int? = nil, quote: CancellationQuote? = nil, at now: Date = .thisMillisecond
    ) async throws -> Order {
        let input = CancelOrder.Input(
            reason: nil, accepted: amount.map { Money(amount: $0, currency: "SAR") }, quote: quote)
        return try await pool.withTransaction { transaction in
            try await operations.cancel(
                order.id, by: order.customer.account, input, at: now, in: transaction
            ).order
        }
    }

    /// A provider's phone tells that it is so far north of a place, and has been there for so many seconds.
    func stand(
        _ provider: UUID, at place: Order.Place, north metres: Double = 0, since: Date = .thisMillisecond,
        stayed: TimeInterval = 60
    ) async throws {
        try await pool.execute(Self.standing(provider, at: place, north: metres, since: since, stayed: stayed))
    }

    static func standing(
        _ provider: UUID, at place: Order.Place, north metres: Double = 0, since: Date, stayed: TimeInterval = 60
    ) -> StorePositions {
        let degrees = metres / (UnitVector.earthRadiusMetres * .pi / 180)
        let fix = Fix(place: GeoPoint(latitude: place.latitude + degrees, longitude: place.longitude), at: since)
        let stay = Stay(since: Fix(place: fix.place, at: since - stayed), toldAt: since)
        return StorePositions(
            reports: [PositionReport(provider: provider, fix: fix)],
            whereabouts: [provider: ProviderPositionState(last: fix, stay: stay, steady: fix.place)])
    }

    /// As the provider's position does.
    func comeNear(_ order: UUID, at now: Date = .thisMillisecond) async throws {
        try await pool.withTransaction { transaction in
            _ = try await operations.comeNear(order, metresLeft: 200, secondsLeft: 20, at: now, in: transaction)
        }
    }

    /// Its provider is there, and says that the customer is not.
    func miss(_ order: Order, at now: Date = .thisMillisecond) async throws -> Order {
        try await stand(order.assignee, at: order.meetingPlace, since: now)
        return try await missFromAnywhere(order, at: now)
    }

    func missFromAnywhere(_ order: Order, at now: Date = .thisMillisecond) async throws -> Order {
        try await pool.withTransaction { transaction in
            try await operations.missCustomer(
                order.id, by: order.assignee, at: now, in: transaction
            ).order
        }
    }

    @discardableResult
    func report(
        _ order: Order, by account: UUID, _ reason: String = "unsafe", note: String? = nil, cancels: Bool = true
    ) async throws -> (report: StoredReport, order: Order) {
        let input = ReportOrder.Input(reason: reason, note: note, cancels: cancels)
        let (report, details) = try await pool.withTransaction { transaction in
            try await operations.report(order.id, by: account, input, at: .thisMillisecond, in: transaction)
        }
        return (report, details.order)
    }

    /// As the admin service's event does.
    func decide(_ order: Order, _ decision: ReportDecided.Decision, toCustomer: Int? = nil) async throws {
        let decided = ReportDecided(
            report: try #require(order.report), order: order.id, market: order.market, decision: decision,
            toCustomer: toCustomer.map { Money(amount: $0, currency: "SAR") }, reason: "Both were heard",
            by: .timeOrdered(), at: .thisMillisecond)
        try await pool.withTransaction { transaction in
            try await operations.decide(decided, at: .thisMillisecond, in: transaction)
        }
    }

    /// Sets an order's odometer. Nobody knows where it began, so all of its metres are fined.
    func drive(_ order: UUID, metres: Double) async throws {
        let base = Fix(place: GeoPoint(latitude: 24.7, longitude: 46.7), at: .thisMillisecond)
        let version = try await details(order).order.version
        let odometer = Odometer(metres: metres, start: nil, earlier: [], here: Odometer.Mark(base))
        try await pool.execute(try StoreOdometers(readings: [(order, version, odometer)]))
    }

    /// Its provider is there, and says so.
    func arrive(_ order: Order) async throws -> Order {
        try await stand(order.assignee, at: order.place)
        return try await pool.withTransaction { transaction in
            try await operations.arrive(
                order.id, by: order.assignee, at: .thisMillisecond, in: transaction
            ).order
        }
    }

    /// A provider is where it goes.
    func confirm(_ order: Order, by account: UUID, at now: Date = .thisMillisecond) async throws -> Order {
        if account != order.customer.account {
            try await stand(account, at: order.destination ?? order.place, since: now)
        }
        return try await pool.withTransaction { transaction in
            try await operations.confirm(order.id, by: account, at: now, in: transaction).order
        }
    }

    /// As the wallet's event does.
    func pay(_ order: UUID, _ trigger: OrderTrigger = SampleOrder.held()) async throws {
        try await pool.withTransaction { transaction in
            try await operations.recordPayment(trigger, of: order, at: .thisMillisecond, in: transaction)
        }
    }

    /// An order in a state on the usual way, brought there in one transaction.
    func order(
        in state: OrderState, _ customer: UUID? = nil, _ provider: UUID? = nil, at now: Date = .thisMillisecond
    ) async throws -> Order {
        let customer = if let customer { customer } else { try await addCustomer() }
        let provider = if let provider { provider } else { try await addProvider() }
        let order = try await pool.withTransaction { transaction async throws -> Order in
            transaction.send(TellNearbyPlace(provider: provider, at: now))
            let order = try await operations.request(input(customer, provider), at: now, in: transaction).order
            let id = order.id
            if state == .requested { return order }
            let accepted = try await operations.accept(id, by: provider, AcceptOrder.Input(), at: now, in: transaction)
                .order
            if state == .accepted { return accepted }
            try await operations.recordPayment(SampleOrder.held(), of: id, at: now, in: transaction)
            if state == .enRoute { return order }
            // A later place than this moment's is not of the past in which the test is.
            transaction.send(DeletePosition(account: provider))
            transaction.send(Self.standing(provider, at: order.place, since: now))
            let arrived = try await operations.arrive(id, by: provider, at: now, in: transaction).order
            if state == .arrived { return arrived }
            _ = try await operations.confirm(id, by: customer, at: now, in: transaction)
            return try await operations.confirm(id, by: provider, at: now, in: transaction).order
        }
        return state == .enRoute ? try await details(order.id).order : order
    }

    func details(_ order: UUID) async throws -> OrderDetails {
        try #require(try await pool.first(FindOrder(order: order))?.details())
    }

    func state(_ order: UUID) async throws -> OrderState? {
        try await pool.first(ReadOrderState(order: order)).flatMap(OrderState.init)
    }

    func held(_ provider: UUID) async throws -> UUID? { try await pool.first(ReadHeldOrder(account: provider)) ?? nil }

    /// The last parts of the events' names: `requested`, `accepted`, …
    func events(_ order: UUID) async throws -> [String] {
        try await pool.query(ReadEvents(order: order.text)).map { event in
            event.name.split(separator: ".").dropFirst(2).first.map(String.init) ?? event.name
        }
    }

    func deadlines(_ order: UUID) async throws -> [String] {
        try await pool.query(ReadDeadlines(order: order.text)).map(\.kind)
    }

    /// Of every order.
    func traces() async throws -> [UUID: OrderTrace] {
        Dictionary(try await pool.query(ReadOrderTraces()).map { ($0.order, $0.trace) }) { first, _ in first }
    }

    func expectConsistency(_ comment: String = "", at place: SourceLocation = #_sourceLocation) async throws {
        let found = try await pool.query(FindInconsistencies())
        #expect(found == [], "\(comment)", sourceLocation: place)
    }

    /// Fires deadlines while `body` runs.
    func whileFiring(_ body: () async throws -> Void) async throws {
        let runner = DeadlineRunner(
            pool: pool,
            handlers: OrderDeadlines.handlers(operations.endWindow, operations.endBanned) { .thisMillisecond },
            logger: TestThreads.logger)
        let running = Task { try await runner.run() }
        defer { running.cancel() }
        try await body()
        running.cancel()
        _ = await running.result
    }
}
