import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Postgres
import Synchronization
import TestKit

@testable import ServiceKit

/// What the tests of idempotency run against, and what they look at.
extension IdempotencyTests {
    static let migrations =
        IdempotencyStore.migrations + [
            Migration(component: "test", version: 1, name: "effects", sql: "CREATE TABLE effects (name text NOT NULL)")
        ]

    struct AddEffect: Statement {
        static let sql: SQL = "INSERT INTO effects (name) VALUES ($1)"
        let name: String
        func bind(_ bindings: inout Bindings) { bindings.append(name) }
    }

    struct CountEffects: Statement {
        static let sql: SQL = "SELECT count(*) FROM effects"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
    }

    struct CountKeys: Statement {
        static let sql: SQL = "SELECT count(*) FROM idempotency_keys"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
    }

    struct Expire: Statement {
        static let sql: SQL = "UPDATE idempotency_keys SET expires_at = now() - interval '1 second'"
    }

    struct StoredBytes: Statement {
        static let sql: SQL = "SELECT encode(answer, 'escape') || scope FROM idempotency_keys"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }

    struct LockEffects: Statement {
        static let sql: SQL = "SELECT name FROM effects FOR UPDATE"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }

    struct Failure: Error {}

    /// How the handler under `/act` behaves.
    final class Behaviour: Sendable {
        let runs = Mutex(0)
        let isHeld = Mutex(false)
        let failure = Mutex<HTTPResponse.Status?>(nil)
        let throwing = Mutex(false)
        /// The handler under `/asking` ends before it asks anything.
        let isClosed = Mutex(false)

        func act() async throws -> Response {
            let run = runs.withLock { count in
                count += 1
                return count
            }
            try await eventually(within: .seconds(30), "the handler may go on") { !isHeld.withLock { $0 } }
            if throwing.withLock({ $0 }) { throw Failure() }
            let status = failure.withLock { $0 } ?? .created
            return Response(
                status: status, headers: [.contentType: "application/json", .location: "/act/\(run)"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"run": \#(run), "token": "personal-answer"}"#)))
        }
    }

    struct World: Sendable {
        let pool: PostgresPool
        let store: IdempotencyStore
        let behaviour = Behaviour()

        var effects: Int { get async throws { try await pool.first(CountEffects()) ?? -1 } }
        var keys: Int { get async throws { try await pool.first(CountKeys()) ?? -1 } }
    }

    /// Both ways of being idempotent answer alike; most tests run against both.
    enum Way: String, CaseIterable, Sendable {
        case within = "/within/act"
        /// The key is asked for together with what the handler asks.
        case asking = "/asking/act"
    }

    func withWorld(_ body: @Sendable (World, any TestClientProtocol) async throws -> Void) async throws {
        try await TestDatabase.withDatabase(Self.migrations) { database in
            try await database.withPool(maximum: 8) { pool in
                let world = World(
                    pool: pool,
                    store: IdempotencyStore(pool: pool, secret: Redacted("a signing key of thirty-two bytes")))
                var settings = HTTPSettings()
                settings.callerRate = RateLimit(perSecond: 1e6, burst: 1_000_000)
                let fixture = try ServerFixture(settings) { router in
                    router.group("within").post("act") { request, context in
                        let once = try await IdempotentRequest(request, context: context)
                        return try await world.store.answer(once) { transaction in
                            transaction.send(AddEffect(name: "within"))
                            return try await world.behaviour.act()
                        }
                    }
                    router.group("asking").post("act") { request, context in
                        let once = try await IdempotentRequest(request, context: context)
                        return try await world.store.answer(once, asksFirst: true) { transaction in
                            if world.behaviour.isClosed.withLock({ $0 }) { throw Failure() }
                            _ = try await transaction.query(CountEffects())
                            transaction.send(AddEffect(name: "asking"))
                            return try await world.behaviour.act()
                        }
                    }
                }
                try await fixture.test { client async throws in try await body(world, client) }
            }
        }
    }

    func post(
        _ client: any TestClientProtocol, _ way: Way, key: String? = "key-0001", _ body: String = #"{"a": 1}"#
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.idempotencyKey] = key
        return try await client.execute(
            uri: way.rawValue, method: .post, headers: headers, body: ByteBuffer(string: body)
        ) { $0 }
    }
}
