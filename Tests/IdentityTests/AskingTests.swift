import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("What nobody learns by asking", .timeLimit(.minutes(5)))
struct AskingTests {
    @Test(
        "I3: asking for a link or a code reads no account and writes the same row, whether there is one or not",
        arguments: ["password-resets", "confirmations/resend"])
    func unread(path: String) async throws {
        try await World.run(confirmation: .email) { world async throws in
            let person = Person()
            #expect(try await world.post("accounts", person.json).status == 201)
            let before = try #require(try await world.pool.first(CountWritten()))
            // Whoever looks for an account now waits for the test's end.
            let answers = try await world.pool.withTransaction { transaction in
                try await transaction.execute(LockTables())
                return [
                    try await world.post(path, ["login": .string(person.email)], key: nil),
                    try await world.post(path, ["login": .string(Person().email)], key: nil),
                    try await world.post(path, ["login": .string(person.mobile)], key: nil),
                    try await world.post(path, ["login": "nobody at all"], key: nil),
                ]
            }
            #expect(answers.map(\.status) == [202, 202, 202, 202])
            #expect(Set(answers.map(\.bytes)).count == 1)
            let after = try #require(try await world.pool.first(CountWritten()))
            #expect(after.deadlines - before.deadlines == 4)
            #expect(after.outbox == before.outbox)
            for subject in try await world.pool.query(AskedProofs()) {
                #expect(!subject.lowercased().contains(person.email.lowercased()))
                #expect(!subject.contains(person.mobile.dropFirst()))
            }
            world.clock.advance(by: .seconds(61))
            try await world.answerProofs()
            // One of the two that were asked for; the other is too soon.
            #expect(try await world.events(DeliveryRequested.self).count == after.outbox + 1)
            #expect(try await world.pool.first(CountWritten())?.deadlines == before.deadlines)
        }
    }

    @Test("I2: a code that is tried writes a row for a name that nobody has, as it does for one that somebody has")
    func codes() async throws {
        try await World.run(confirmation: .sms) { world async throws in
            let person = Person()
            #expect(try await world.post("accounts", person.json).status == 201)
            for mobile in [person.mobile, Person().mobile] {
                let before = try #require(try await world.pool.first(CountRows())).failures
                let answer = try await world.post(
                    "confirmations/code", ["login": .string(mobile), "code": "nonsense"])
                #expect(answer.slug == "proof-refused")
                #expect(try await world.pool.first(CountRows())?.failures == before + 1)
            }
        }
    }

    @Test("I6: another's address is asked for as any other is, and the asking counts")
    func contacts() async throws {
        try await World.run { world async throws in
            let (person, other) = (Person(), Person())
            let tokens = try await world.join(person)
            try await world.register(other)
            var seen: [(Int, Int)] = []
            for address in [other.email, Person().email, other.email] {
                let before = try await world.deliveries().count
                let answer = try await world.post(
                    "accounts/me/email", ["email": .string(address), "password": .string(person.password)],
                    token: tokens.access)
                seen.append((answer.status, try await world.deliveries().count - before))
                #expect(
                    try await world.post(
                        "accounts/me/email", ["email": .string(address), "password": .string(person.password)],
                        token: tokens.access
                    ).status == 429)
                world.clock.advance(by: .seconds(61))
            }
            #expect(seen.map(\.0) == [202, 202, 202] && seen.map(\.1) == [1, 1, 1])
        }
    }
}

private struct LockTables: Statement {
    static let sql: StaticString = "LOCK TABLE accounts, passwords, proofs, roles IN ACCESS EXCLUSIVE MODE"
}

private struct CountWritten: Statement {
    static let sql: StaticString = """
        SELECT (SELECT count(*) FROM deadlines WHERE kind = 'identity.proof-asked'),
            (SELECT count(*) FROM outbox WHERE name = 'identity.delivery.requested.v1')
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (deadlines: Int, outbox: Int) {
        (try row.next(), try row.next())
    }
}
