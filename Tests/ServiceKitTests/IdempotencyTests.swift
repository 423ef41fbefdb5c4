import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Messaging
import NIOCore
import Postgres
import SeraiJSON
import Synchronization
import TestKit
import Testing

@testable import ServiceKit

@Suite("Idempotency-Key", .timeLimit(.minutes(15)))
struct IdempotencyTests {
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
            // Without a key the effect could happen twice, so there is none.
            #expect(try await world.effects == 0)
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

    @Test("a missing or malformed key is a 400", arguments: Way.allCases)
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
            _ = try await post(client, .asking)
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
}
