import BenchResults
import Foundation
import Hummingbird
import Postgres
import TestKit

/// How many orders a second go through matching with 1, 2 and 4 workers, processes as they are deployed, when each answer
/// about travel times takes 50 ms. Each order is in an area of its own and each worker runs one round at a time, so that
/// nothing but the workers' number decides how many run at once: four workers with four each would ask for more than the
/// two cores that they share with the database. As many orders go before, untimed: the server plans a statement anew the
/// first five times that a connection has it.
enum ScaleBenchmark {
    private static let orders = 200
    private static let workers = [1, 2, 4]
    private static let answerTime: Duration = .milliseconds(50)

    static func measure(rounds: Int, into results: inout Results) async throws {
        var figures: [Int: [Double]] = [:]
        for _ in 0..<rounds {
            for count in workers { figures[count, default: []].append(try await ordersASecond(count)) }
        }
        for count in workers {
            results.add(
                "scale_orders_per_s_\(count)", figures[count] ?? [],
                "orders/s offered by \(count) worker(s), \(orders) orders, each answer about ways takes 50 ms")
        }
        for count in workers.dropFirst() {
            let linear = zip(figures[count] ?? [], figures[1] ?? []).map { $0 / ($1 * Double(count)) }
            results.add("scale_\(count)", linear, "of linear; the goal is 0.9")
        }
    }

    private static func ordersASecond(_ count: Int) async throws -> Double {
        try await SlowMap.serve(after: answerTime) { map in
            try await TestBroker.withVirtualHost { host in
                try await TestDatabase.withDatabase { database in
                    let environment = [
                        "SERAI_DATABASE_URL": database.dsn, "SERAI_AMQP_URL": host.url, "SERAI_ROLE": "worker",
                        "SERAI_HTTP_PORT": "0", "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 32),
                        "SERAI_TOKENS_KEYS": SampleKeySet.json, "SERAI_ROUTING_URL": map, "SERAI_LOG_LEVEL": "warning",
                        "SERAI_ROUNDS_PARALLEL": "1", "SERAI_DATABASE_POOL_SIZE": "4",
                    ]
                    try await Program.run("dispatch", ["migrate"], environment: environment)
                    return try await database.withPool {
                        $0.connection.schema = "dispatch"
                    } _: { pool in
                        try await pool.execute(InsertPlaces(count: 2 * orders))
                        let processes = try (0..<count).map { _ in
                            try Program.start("dispatch", ["serve"], environment: environment, folder: nil)
                        }
                        defer { for process in processes { process.kill() } }
                        return try await time(pool, count)
                    }
                }
            }
        }
    }

    /// From the moment when all wait to the last offer.
    private static func time(_ pool: PostgresPool, _ count: Int) async throws -> Double {
        // They listen, each with a connection of its own, once they run.
        try await eventually(within: .seconds(60), "the workers run") {
            try await pool.first(CountListeners()) == count
        }
        try await offered(pool, before: 0)
        return Double(orders) / (try await offered(pool, before: orders) / .seconds(1))
    }

    /// How long some more orders take.
    @discardableResult
    private static func offered(_ pool: PostgresPool, before: Int) async throws -> Duration {
        let start = ContinuousClock.now
        try await pool.execute(InsertWaiting(count: orders))
        try await eventually(within: .seconds(120), "all are offered", poll: .milliseconds(5)) {
            try await pool.first(CountOffers()) == before + orders
        }
        return .now - start
    }
}

/// Answers like a routing engine, always after the same time.
enum SlowMap {
    static func serve<R: Sendable>(after delay: Duration, _ body: (String) async throws -> R) async throws -> R {
        let router = Router()
        router.get("**") { request, _ in
            let sources = request.uri.queryParameters["sources"]?.split(separator: ";").count ?? 1
            try await Task.sleep(for: delay)
            let row = Array(repeating: "[60.0]", count: sources).joined(separator: ",")
            return #"{"code":"Ok","durations":[\#(row)],"distances":[\#(row)]}"#
        }
        let (ports, told) = AsyncStream<Int>.makeStream()
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in told.yield(channel.localAddress?.port ?? 0) }, logger: TestThreads.logger)
        let running = Task { try await application.run() }
        defer { running.cancel() }
        var port = 0
        for await known in ports {
            port = known
            break
        }
        return try await body("http://127.0.0.1:\(port)")
    }
}

/// Drivers, two near each of so many places a tenth of a degree apart.
private struct InsertPlaces: Statement {
    static let sql: SQL = """
        WITH drivers AS (
            SELECT gen_random_uuid() AS account, -35 + (n / 2 / 20) * 0.1 + 0.053 AS latitude,
                115 + (n / 2 % 20) * 0.1 + 0.05 AS longitude
            FROM generate_series(0, $1 * 2 - 1) AS n
        ), people AS (
            INSERT INTO people (account, version, name, language) SELECT account, 1, 'Dan', 'en' FROM drivers
        ), providers AS (
            INSERT INTO providers (account) SELECT account FROM drivers RETURNING account
        ), roles AS (
            INSERT INTO provider_roles (market, account, title, verified, available, available_at)
            SELECT 'btnc', account, 'driver', true, true, now() FROM drivers
        ), places AS (
            INSERT INTO provider_positions (provider, latitude, longitude, at)
            SELECT account, latitude, longitude, now() FROM drivers
        )
        INSERT INTO orders (id, market, kind, version, state, customer, customer_name, services, total, currency,
            payment_state, payment_version, confirmed_by, deadline, changed_by, is_near, latitude, longitude,
            requested_at, changed_at, particulars)
        SELECT gen_random_uuid(), 'btnc', 'ride', 2, 'requested', gen_random_uuid(), 'Ruby', '[]', 1000, 'AUD', 'held', 2,
            '{}', now() + interval '1 hour', 'system', false, -35 + (n / 20) * 0.1 + 0.05, 115 + (n % 20) * 0.1 + 0.05,
            now(), now(), '{"ride": {"size": "regular", "metres": 1000, "seconds": 100}}'
        FROM generate_series(0, $1 - 1) AS n
        """
    let count: Int
    func bind(_ bindings: inout Bindings) { bindings.append(count) }
}

/// Some begin to wait at once, each in an area of its own.
private struct InsertWaiting: Statement {
    static let sql: SQL = """
        WITH waiting AS (
            INSERT INTO searches (order_id, market, area, kind, customer, latitude, longitude, began_at, stage, stage_since,
                round_at)
            SELECT id, market, row_number() OVER (ORDER BY id) + (SELECT count(*) FROM offers), 'ride', customer, latitude,
                longitude, now(), 0, now(), now()
            FROM orders WHERE state = 'requested' ORDER BY id LIMIT $1
        )
        SELECT pg_notify('dispatch_rounds', '')
        """
    let count: Int
    func bind(_ bindings: inout Bindings) { bindings.append(count) }
}

private struct CountListeners: Statement {
    static let sql: SQL = """
        SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %dispatch_rounds%'
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct CountOffers: Statement {
    static let sql: SQL = "SELECT count(*) FROM offers"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
