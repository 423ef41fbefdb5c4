import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("What nobody learns by asking", .timeLimit(.minutes(15)))
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
            // A million to one that it is the code.
            for mobile in [person.mobile, Person().mobile] {
                let before = try #require(try await world.pool.first(CountRows())).failures
                let answer = try await world.post(
                    "confirmations/code", ["login": .string(mobile), "code": "000000"])
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

    @Test("I6: however many accounts name one number, it gets so many codes in a day; the next day it does again")
    func strangersNumber() async throws {
        try await World.run { world async throws in
            let (stranger, before) = (Person(), try await world.deliveries().count)
            var askers: [(Person, Tokens)] = []
            for _ in 0..<4 {
                let person = Person()
                askers.append((person, try await world.join(person)))
            }
            func ask(_ person: Person, _ tokens: Tokens, _ mobile: String) async throws -> Int {
                try await world.post(
                    "accounts/me/mobile", ["mobile": .string(mobile), "password": .string(person.password)],
                    token: tokens.access
                ).status
            }
            let joined = try await world.deliveries().count - before
            var statuses: [Int] = []
            for round in 0..<4 {
                for (person, tokens) in askers { statuses.append(try await ask(person, tokens, stranger.mobile)) }
                world.clock.advance(by: .seconds(61))
                // To name another one in between wipes nothing out.
                guard round == 1 else { continue }
                for (person, tokens) in askers { #expect(try await ask(person, tokens, Person().mobile) == 202) }
                world.clock.advance(by: .seconds(61))
            }
            let sent = try await world.deliveries().count - before - joined - askers.count
            #expect(sent == ProofRule.maximumSentToOne)
            #expect(statuses == Array(repeating: 202, count: 10) + Array(repeating: 429, count: 6))
            // Another number is nobody else's matter.
            #expect(try await ask(askers[3].0, askers[3].1, Person().mobile) == 202)
            world.clock.advance(by: .seconds(86_400))
            let nextDay = try await ask(askers[1].0, askers[1].1, stranger.mobile)
            #expect(nextDay == 202)
        }
    }
}

private struct LockTables: Statement {
    static let sql: SQL = "LOCK TABLE accounts, passwords, proofs, roles IN ACCESS EXCLUSIVE MODE"
}

private struct CountWritten: Statement {
    static let sql: SQL = """
        SELECT (SELECT count(*) FROM deadlines WHERE kind = 'identity.proof-asked'),
            (SELECT count(*) FROM outbox WHERE name = 'identity.delivery.requested.v1')
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (deadlines: Int, outbox: Int) {
        (try row.next(), try row.next())
    }
}
