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
