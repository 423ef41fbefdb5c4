import Contracts
import Foundation
import Matching
import Postgres
import SeraiJSON
import Synchronization
import TestKit
import Testing

@testable import SeraiDispatch

/// Rounds and deadlines by real processes, of which one is killed and one added again and again.
@Suite("O13, P4: workers that come and go", .serialized, .timeLimit(.minutes(30)))
struct WorkerTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// `SERAI_WORKER_ORDERS=5000 SERAI_WORKER_SECONDS=10` is the long run; see CONTRIBUTING.md.
    private static let orders = environment["SERAI_WORKER_ORDERS"].flatMap { Int($0) } ?? 80
    private static let secondsToLive = environment["SERAI_WORKER_SECONDS"].flatMap { Double($0) } ?? 2
    private static let counts = environment["SERAI_WORKER_ORDERS"] == nil ? [2, 4] : [1, 2, 4, 8]
    private static let drivers = 60
    /// In two areas, so that workers have what to share: a cell is some eleven kilometres, and begins between these.
    private static let places = [RideWorld.perth, RideWorld.north(6_000)]

    @Test(
        "O13: while workers are killed with -9 and others are added, each order is done once, and nobody is asked twice",
        arguments: counts)
    func comeAndGo(_ count: Int) async throws {
        try await TestBroker.withVirtualHost { host in
            try await HeardEvents.with(host) { try await comeAndGo(count, host, $0) }
        }
    }

    private func comeAndGo(_ count: Int, _ host: VirtualHost, _ heard: HeardEvents) async throws {
        try await TestDatabase.withDatabase { database in
            try await WorkerProcess.migrate(database: database.dsn, broker: host.url)
            try await database.withPool {
                $0.connection.schema = "dispatch"
            } _: { pool in
                let world = RideWorld(OrderWorld(database: database, pool: pool))
                // Whoever says nothing is passed over soon.
                try await world.set(.offerWindowSeconds, to: "5")
                for number in 0..<Self.drivers { _ = try await world.driver(north: Double(number) * 100) }
                #expect(Set(Self.places.map(Self.area)).count == 2)
                let crowd = Crowd(world: world)
                try await withWorkers(count, database, host.url) {
                    for number in 0..<Self.orders {
                        _ = try await world.ride(from: Self.places[number % 2])
                        if number % 20 == 19 { try await crowd.answer() }
                    }
                    try await eventually(within: .seconds(1_200), "every ride is completed") {
                        try await crowd.answer()
                        return try await pool.first(CountOpenRides()) == 0
                    }
                    try await eventually("all is told") { try await pool.first(CountUntold()) == 0 }
                }
                let ended = try await pool.query(ListRideEnds())
                #expect(ended.count == Self.orders && ended.allSatisfy { $0.state == "completed" })
                #expect(ended.allSatisfy { $0.acceptances == 1 })
                // No order with two, and no driver asked for two, at any moment.
                #expect(try await pool.query(FindOverlappingOffers()) == [])
                try await world.expectConsistency(isQuiet: false)
                // Whatever was killed, each change is heard, in its order.
                try await eventually("all is heard") {
                    ended.allSatisfy { heard.versions(of: $0.order).count >= $0.version }
                }
                #expect(ended.allSatisfy { heard.versions(of: $0.order) == Array(1...$0.version) })
                let late = try await pool.first(FindLatestOffer(window: 5)) ?? 0
                print("\(count) workers, \(Self.orders) rides: an offer ended at most \(late) s after its window")
                if Self.environment["SERAI_WORKER_ORDERS"] != nil { #expect(late <= 1) }
            }
        }
    }

    private static func area(_ place: GeoPoint) -> RoundArea {
        RoundArea(market: "btnc", latitude: place.latitude, longitude: place.longitude)
    }

    /// So many at a time; every some seconds the oldest is killed and a new one started.
    private func withWorkers(
        _ count: Int, _ database: TestDatabase, _ broker: String, _ body: () async throws -> Void
    ) async throws {
        let workers = Mutex<[Program]>([])
        func add() throws {
            let worker = try WorkerProcess.start(database: database.dsn, broker: broker)
            workers.withLock { $0.append(worker) }
        }
        for _ in 0..<count { try add() }
        let coming = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(Self.secondsToLive))
                let oldest = workers.withLock { $0.removeFirst() }
                oldest.kill()
                try add()
            }
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        coming.cancel()
        _ = await coming.result
        for worker in workers.withLock({ $0 }) { worker.kill() }
        try result.get()
    }
}

/// The drivers: most say yes and drive, some say no, some say nothing.
private actor Crowd {
    /// Phones at once.
    private static let atOnce = 6

    private let world: RideWorld
    private var answered: Set<OpenOffer> = []
    private var generator = SeededGenerator()

    init(world: RideWorld) { self.world = world }

    /// Whoever is asked and has not answered yet does.
    func answer() async throws {
        let asked = try await world.pool.query(ListOpenOffers()).filter { answered.insert($0).inserted }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, offer) in asked.enumerated() {
                if index >= Self.atOnce { try await group.next() }
                let choice = Int.random(in: 0..<20, using: &generator)
                group.addTask { try await self.answer(offer, choice) }
            }
            try await group.waitForAll()
        }
    }

    private nonisolated func answer(_ offer: OpenOffer, _ choice: Int) async throws {
        switch choice {
        case 0: return
        case 1, 2:
            try await act { try await world.decline(try await world.details(offer.order), by: offer.provider) }
        default: try await act { try await drive(offer) }
        }
    }

    /// The window may be over by now.
    private nonisolated func act(_ body: () async throws -> Void) async throws {
        do { try await body() } catch is OrderRefusal {} catch is OrderNotFound {} catch is Presence.NotAtPlace {}
    }

    private nonisolated func drive(_ offer: OpenOffer) async throws {
        let orders = world.orders
        var order = try await orders.accept(try await world.details(offer.order), by: offer.provider)
        try await expectHeld(offer)
        order = try await orders.arrive(order)
        order = try await world.pool.withTransaction { transaction in
            try await orders.operations.start(offer.order, by: offer.provider, at: .thisMillisecond, in: transaction)
                .order
        }
        try await expectHeld(offer)
        order = try await orders.confirm(order, by: offer.provider)
        _ = try await orders.confirm(order, by: order.customer.account)
    }

    /// Who drives is asked for nothing else.
    private nonisolated func expectHeld(_ offer: OpenOffer) async throws {
        let held = try await world.orders.held(offer.provider)
        let asked = try await world.pool.first(CountOpenOffers(provider: offer.provider))
        #expect(held == offer.order && asked == 0)
    }
}

private struct OpenOffer: Hashable, Sendable {
    let order: UUID
    let provider: UUID
}

private struct ListOpenOffers: Statement {
    static let sql: SQL = "SELECT order_id, provider FROM offers WHERE outcome IS NULL"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> OpenOffer {
        OpenOffer(order: try row.next(), provider: try row.next())
    }
}

private struct CountOpenOffers: Statement {
    static let sql: SQL = "SELECT count(*) FROM offers WHERE provider = $1 AND outcome IS NULL"
    let provider: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(provider) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct CountOpenRides: Statement {
    static let sql: SQL = "SELECT count(*) FROM orders WHERE NOT is_final"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct CountUntold: Statement {
    static let sql: SQL = "SELECT count(*) FROM outbox WHERE published_at IS NULL"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct ListRideEnds: Statement {
    static let sql: SQL = """
        SELECT id, version, state,
            (SELECT count(*) FROM offers WHERE offers.order_id = orders.id AND outcome = 'accept')
        FROM orders
        """
    struct Row: Sendable {
        let order: UUID
        let version: Int
        let state: String
        let acceptances: Int
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(order: try row.next(), version: try row.next(), state: try row.next(), acceptances: try row.next())
    }
}

/// Two offers of one order, or to one driver, that were open at the same time.
private struct FindOverlappingOffers: Statement {
    static let sql: SQL = """
        SELECT concat_ws(' ', one.order_id, one.provider, one.offered_at, one.outcome, one.ended_at, 'and',
            other.order_id, other.provider, other.offered_at, other.outcome, other.ended_at)
        FROM offers AS one
        JOIN offers AS other ON (one.order_id = other.order_id OR one.provider = other.provider)
            AND (one.order_id, one.provider) < (other.order_id, other.provider)
            AND one.offered_at < other.ended_at AND other.offered_at < one.ended_at
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// How long after its window the latest offer ended; seconds.
private struct FindLatestOffer: Statement {
    static let sql: SQL = """
        SELECT extract(epoch FROM max(ended_at - offered_at))::double precision - $1 FROM offers
        WHERE outcome = 'offerWindowOver'
        """
    let window: Double
    func bind(_ bindings: inout Bindings) { bindings.append(window) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Double {
        let seconds: Double? = try row.next()
        return seconds ?? 0
    }
}
