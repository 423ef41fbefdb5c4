import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("I14: what people write of places", .timeLimit(.minutes(15)))
struct PlaceSealTests {
    private static let secret = Redacted(String(repeating: "k", count: 32))

    private struct ReadDescriptions: Statement {
        static let sql: SQL = """
            SELECT description FROM orders WHERE description IS NOT NULL
            UNION ALL SELECT destination_description FROM orders WHERE destination_description IS NOT NULL
            """
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }

    private struct WriteClear: Statement {
        static let sql: SQL = "UPDATE orders SET description = $2, destination_description = NULL WHERE id = $1"
        let order: UUID
        let text: String
        func bind(_ bindings: inout Bindings) { bindings.append(order, text) }
    }

    @Test("I14: a description is opened by the key that has sealed it; old ones are clear, another key's is not shown")
    func seals() throws {
        let seal = PlaceSeal(secret: Self.secret)
        for text in ["Second floor", "الدور الثاني", "sealed:by hand"] {
            let sealed = try seal.seal(text)
            #expect(sealed.hasPrefix(PlaceSeal.mark) && !sealed.contains(text) && seal.open(sealed) == text)
            #expect(try seal.seal(text) != sealed)
            #expect(PlaceSeal(secret: Redacted(String(repeating: "x", count: 32))).open(sealed) == nil)
        }
        #expect(seal.open("Second floor") == "Second floor" && seal.open("sealed:#") == nil)
    }

    private struct WriteClearRows: Statement {
        static let sql: SQL = """
            WITH made AS (
                INSERT INTO series (id, market, customer, services, latitude, longitude, description, rule, first_day, minute,
                    exceptions, state, created_at, parcel)
                VALUES ($1, 'carrepsa', $1, '{}', 57.7, 11.97, 'Gate 1', 'FREQ=DAILY', '2026-01-01', 600, '{}', 'active',
                    now(), '{"name": "Box", "destination": {"latitude": 57.7, "longitude": 11.97, "description": "Gate 2"}}')
            )
            INSERT INTO quotes (id, market, account, kind, tariff, from_latitude, from_longitude, from_description,
                to_latitude, to_longitude, to_description, terms, total, currency, made_at, expires_at)
            VALUES ($1, 'btnc', $1, 'ride', 'regular', -31.9, 115.8, 'Gate 3', -31.9, 115.8, NULL, '{}', 100, 'AUD', now(),
                now())
            """
        let id: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(id) }
    }

    private struct ReadOtherDescriptions: Statement {
        static let sql: SQL = """
            SELECT description, parcel #>> '{destination,description}', (SELECT from_description FROM quotes),
                (SELECT to_description FROM quotes)
            FROM series
            """
        static func decode(_ row: inout RowReader) throws(PostgresError) -> [String?] {
            [try row.next(), try row.next(), try row.next(), try row.next()]
        }
    }

    @Test("I14: what an earlier version has stored clear with series and quotes is sealed once, too")
    func seriesAndQuotes() async throws {
        try await OrderServer.with { server in
            let pool = server.world.pool
            let seal = PlaceSeal(secret: Self.secret)
            try await pool.execute(WriteClearRows(id: .timeOrdered()))
            var before: [String?] = []
            for _ in 0..<2 {
                try await SealPlaces(pool: pool, seal: seal, logger: TestThreads.logger).pass()
                let found = try #require(try await pool.first(ReadOtherDescriptions()))
                #expect(found.compactMap { $0 }.allSatisfy { $0.hasPrefix(PlaceSeal.mark) })
                #expect(found.map { $0.flatMap(seal.open) } == ["Gate 1", "Gate 2", "Gate 3", nil])
                #expect(before.isEmpty || before == found)
                before = found
            }
            #expect(try await pool.query(ListClearSeries(limit: 10)).isEmpty)
            #expect(try await pool.query(ListClearQuotes(limit: 10)).isEmpty)
        }
    }

    @Test("I14: an order's descriptions are in no table as they were written, and its parties read them")
    func sealed() async throws {
        try await OrderServer.with { server in
            let owner = try await server.owner()
            let order = try await server.posted(owner)
            let stored = try await server.world.pool.query(ReadDescriptions())
            #expect(!stored.isEmpty && stored.allSatisfy { $0.hasPrefix(PlaceSeal.mark) })
            let seen = try await server.get(server.path(order), as: owner)
            #expect(seen["destination", "description"]?.text == "Blue door")
        }
    }

    @Test("I14: what an earlier version has stored is sealed once, and read as before")
    func earlier() async throws {
        try await OrderServer.with { server in
            let owner = try await server.owner()
            let order = try await server.posted(owner)
            let pool = server.world.pool
            try await pool.execute(WriteClear(order: order, text: "Gate 4711"))
            for _ in 0..<2 {
                let seen = try await server.get(server.path(order), as: owner)
                #expect(seen["place", "description"]?.text == "Gate 4711")
                try await SealPlaces(
                    pool: pool, seal: PlaceSeal(secret: Self.secret), logger: TestThreads.logger
                ).pass()
                #expect(try await pool.query(ReadDescriptions()).allSatisfy { $0.hasPrefix(PlaceSeal.mark) })
                #expect(try await pool.query(ListClearPlaces(limit: 10)).isEmpty)
            }
        }
    }
}
