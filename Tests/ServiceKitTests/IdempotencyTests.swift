import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Messaging
import NIOCore
import Postgres
import Synchronization
import TestKit
import Testing

@testable import ServiceKit

@Suite("Idempotency-Key", .timeLimit(.minutes(5)))
struct IdempotencyTests {
    static let migrations =
        IdempotencyStore.migrations + [
            Migration(component: "test", version: 1, name: "effects", sql: "CREATE TABLE effects (name text NOT NULL)")
        ]

    struct AddEffect: Statement {
        static let sql: StaticString = "INSERT INTO effects (name) VALUES ($1)"
        let name: String
        func bind(_ bindings: inout Bindings) { bindings.append(name) }
    }

    struct CountEffects: Statement {
        static let sql: StaticString = "SELECT count(*) FROM effects"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
    }

    struct CountKeys: Statement {
        static let sql: StaticString = "SELECT count(*) FROM idempotency_keys"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
    }

    struct Expire: Statement {
        static let sql: StaticString = """
            UPDATE idempotency_keys
            SET expires_at = now() - interval '1 second', lease_until = now() - interval '1 second'
            """
    }

    struct EndLeases: Statement {
        static let sql: StaticString = "UPDATE idempotency_keys SET lease_until = now() - interval '1 second'"
    }

    struct StoredBytes: Statement {
        static let sql: StaticString = "SELECT encode(answer, 'escape') || scope FROM idempotency_keys"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }

    struct LockEffects: Statement {
        static let sql: StaticString = "SELECT name FROM effects FOR UPDATE"
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

    /// All ways of being idempotent answer alike; most tests run against all.
    enum Way: String, CaseIterable, Sendable {
        case around = "/around/act"
        case within = "/within/act"
        /// Within, and the key is asked for together with what the handler asks.
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
                    router.group("around").add(middleware: IdempotencyMiddleware<SeraiRequestContext>(world.store))
                        .post("act") { _, _ in
                            try await world.pool.execute(AddEffect(name: "around"))
                            return try await world.behaviour.act()
                        }
                        .get("act") { _, _ in "read" }
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

    @Test("the same key and input gets the first answer, and the effect happens once", arguments: Way.allCases)
    func replayed(way: Way) async throws {
        try await withWorld { world, client async throws in
            let first = try await post(client, way)
            let second = try await post(client, way, #"{ "a" : 1 }"#)
            #expect(first.status == .created)
            #expect(second.status == .created)
            #expect(first.text == second.text)
            #expect(second.headers[.location] == "/act/1")
            #expect(second.headers[.contentType] == "application/json")
            #expect(first.headers[.idempotencyReplayed] == nil)
            #expect(second.headers[.idempotencyReplayed] == "true")
            #expect(first.headers[.requestID] != second.headers[.requestID])
            #expect(try await world.effects == 1)
        }
    }

    @Test("the same key with another input is a 422", arguments: Way.allCases)
    func reused(way: Way) async throws {
        try await withWorld { world, client async throws in
            _ = try await post(client, way)
            let answer = try ProblemAnswer(try await post(client, way, #"{"a": 2}"#))
            #expect(answer.slug == "idempotency-key-reused")
            #expect(answer.status == 422)
            #expect(try await world.effects == 1)
        }
    }

    @Test("secrets are no part of the input: a mistyped password does not make it another", arguments: Way.allCases)
    func secrets(way: Way) async throws {
        try await withWorld { _, client async throws in
            _ = try await post(client, way, #"{"a": 1, "password": "one", "card": {"CVV": "123"}}"#)
            let again = try await post(client, way, #"{"a": 1, "password": "two", "card": {"CVV": "456"}}"#)
            #expect(again.headers[.idempotencyReplayed] == "true")
        }
    }

    @Test("while the first request runs the second is a 409 with Retry-After", arguments: Way.allCases)
    func running(way: Way) async throws {
        try await withWorld { world, client async throws in
            world.behaviour.isHeld.withLock { $0 = true }
            async let first = post(client, way)
            try await eventually("the first runs") { world.behaviour.runs.withLock { $0 } == 1 }
            let second = try await post(client, way)
            #expect(try ProblemAnswer(second).slug == "idempotency-key-in-use")
            #expect(Int(second.headers[.retryAfter] ?? "") != nil)
            world.behaviour.isHeld.withLock { $0 = false }
            #expect(try await first.status == .created)
            #expect(try await post(client, way).headers[.idempotencyReplayed] == "true")
        }
    }

    @Test("many at once have one effect and answers that agree", arguments: Way.allCases)
    func atOnce(way: Way) async throws {
        try await withWorld { world, client async throws in
            let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
                for _ in 0..<20 { group.addTask { try await post(client, way) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(try await world.effects == 1)
            #expect(answers.allSatisfy { $0.status == .created || $0.status == .conflict })
            #expect(answers.contains { $0.status == .created && $0.headers[.idempotencyReplayed] == nil })
        }
    }

    @Test("answers of 500 and above are not kept", arguments: Way.allCases)
    func serverErrors(way: Way) async throws {
        try await withWorld { world, client async throws in
            world.behaviour.failure.withLock { $0 = .badGateway }
            #expect(try await post(client, way).status == .badGateway)
            #expect(try await world.keys == 0)
            // Without a key the effect could happen twice, so in one transaction there is none.
            #expect(try await world.effects == (way == .around ? 1 : 0))
            world.behaviour.failure.withLock { $0 = .tooManyRequests }
            #expect(try await post(client, way).status == .tooManyRequests)
            world.behaviour.failure.withLock { $0 = .conflict }
            #expect(try await post(client, way).status == .conflict)
            #expect(try await post(client, way).headers[.idempotencyReplayed] == "true")
        }
    }

    @Test("an error gives the key back", arguments: Way.allCases)
    func thrown(way: Way) async throws {
        try await withWorld { world, client async throws in
            world.behaviour.throwing.withLock { $0 = true }
            #expect(try await post(client, way).status == .internalServerError)
            #expect(try await world.keys == 0)
            world.behaviour.throwing.withLock { $0 = false }
            #expect(try await post(client, way).status == .created)
        }
    }

    @Test("in the handler's transaction an error leaves neither effect nor key")
    func rolledBack() async throws {
        try await withWorld { world, client async throws in
            world.behaviour.throwing.withLock { $0 = true }
            _ = try await post(client, .within)
            #expect(try await world.effects == 0)
            #expect(try await world.keys == 0)
        }
    }

    @Test("a missing or malformed key is a 400; other methods need none", arguments: Way.allCases)
    func keys(way: Way) async throws {
        try await withWorld { world, client async throws in
            #expect(try ProblemAnswer(try await post(client, way, key: nil)).slug == "idempotency-key-missing")
            for bad in [
                "", "short", String(repeating: "k", count: 129), "with space in it", "quote\"inside",
                "\"unclosed-quote",
            ] {
                #expect(
                    try ProblemAnswer(try await post(client, way, key: bad)).slug == "idempotency-key-invalid", "\(bad)"
                )
            }
            #expect(try await world.effects == 0)
            #expect(try await post(client, way, key: "\"quoted-key-1\"").status == .created)
            #expect(try await post(client, way, key: "quoted-key-1").headers[.idempotencyReplayed] == "true")
            try await client.execute(uri: "/around/act", method: .get) { #expect($0.status == .ok) }
        }
    }

    @Test("after a crash the key is free again when its lease ends, for the same input only")
    func lease() async throws {
        try await withWorld { world, client async throws in
            let request = try await IdempotentRequest(
                Request(
                    head: HTTPRequest(
                        method: .post, scheme: "http", authority: "localhost", path: Way.around.rawValue,
                        headerFields: [.contentType: "application/json", .idempotencyKey: "key-0001"]),
                    body: RequestBody(buffer: ByteBuffer(string: #"{"a": 1}"#))), context: TestContext())
            // An attempt that never comes back.
            _ = try await world.store.claim(request)
            #expect(try await post(client, .around).status == .conflict)
            try await world.pool.execute(EndLeases())
            #expect(try await post(client, .around, #"{"a": 2}"#).status == .unprocessableContent)
            #expect(try await post(client, .around).status == .created)
        }
    }

    @Test("a key that has expired is new, and is purged", arguments: Way.allCases)
    func expired(way: Way) async throws {
        try await withWorld { world, client async throws in
            _ = try await post(client, way)
            try await world.pool.execute(Expire())
            #expect(try await post(client, way, #"{"a": 2}"#).headers[.idempotencyReplayed] == nil)
            #expect(try await world.effects == 2)
            try await world.pool.execute(Expire())
            #expect(try await world.store.purge(batch: 1) == 1)
            #expect(try await world.keys == 0)
        }
    }

    @Test("I14: neither the key nor the answer is readable in the database", arguments: Way.allCases)
    func encrypted(way: Way) async throws {
        try await withWorld { world, client async throws in
            _ = try await post(client, way, key: "a-key-of-the-client")
            let stored = try #require(try await world.pool.first(StoredBytes()))
            #expect(!stored.contains("personal-answer"))
            #expect(!stored.contains("a-key-of-the-client"))
        }
    }

    @Test("Q7: another caller's or route's key is another key")
    func scopes() async throws {
        try await withWorld { world, client async throws in
            _ = try await post(client, .around)
            #expect(try await post(client, .within).headers[.idempotencyReplayed] == nil)
            #expect(try await world.effects == 2)
        }
    }

    @Test("Q2: who waits for a row in vain may try again: that is no fault of the service's")
    func inVain() async throws {
        try await TestDatabase.withDatabase(Self.migrations) { database in
            try await database.withPool {
                $0.connection.lockTimeout = .milliseconds(50)
            } _: { pool in
                try await pool.execute(AddEffect(name: "one"))
                try await pool.withTransaction { first in
                    #expect(try await first.query(LockEffects()) == ["one"])
                    let error = await #expect(throws: PostgresError.self) { try await pool.query(LockEffects()) }
                    let problem = ProblemMiddleware.problem(
                        try #require(error), deadline: .now + .seconds(5), bodyLimitBytes: 1)
                    #expect(problem.slug == "unavailable" && problem.status == .serviceUnavailable)
                }
            }
        }
    }

    /// What a request's scope is made of: nobody signed in, and the route of ``Way/around``.
    struct TestContext: ServiceRequestContext {
        typealias Source = TestSource
        var coreContext: CoreRequestContextStorage
        var requestID: String { "request" }
        var callerAccountID: UUID? { nil }
        var deadline: ContinuousClock.Instant { .now + .seconds(5) }
        var language: Language { .english }

        init() { self.init(source: TestSource()) }

        init(source: TestSource) {
            coreContext = CoreRequestContextStorage(source: source)
            coreContext.endpointPath.value = Way.around.rawValue
        }
    }

    struct TestSource: RequestContextSource {
        var logger: Logger { Logger(label: "test") }
    }
}
