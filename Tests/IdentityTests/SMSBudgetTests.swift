import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("What may be spent on SMS", .timeLimit(.minutes(15)))
struct SMSBudgetTests {
    private func run(
        number: Int = 100, country: Int = 100, day: Int = 100, _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        try await World.run(
            [
                "SERAI_IDENTITY_SMS_PER_NUMBER": String(number), "SERAI_IDENTITY_SMS_PER_COUNTRY": String(country),
                "SERAI_IDENTITY_SMS_PER_DAY": String(day),
            ], confirmation: .sms, body)
    }

    private func person(_ mobile: String) -> Person {
        var person = Person()
        person.mobile = mobile
        return person
    }

    @Test("N2: no more SMS than the budget of a country; who registers is told, and nothing is written; others go on")
    func country() async throws {
        try await run(country: 2) { world async throws in
            for mobile in ["+46701234567", "+46701234568"] {
                #expect(try await world.post("accounts", person(mobile).json).status == 201)
            }
            let refused = person("+46701234569")
            let answer = try await world.post("accounts", refused.json)
            #expect(answer.status == 503 && answer.slug == "sms-used-up", "\(answer)")
            #expect(answer.headers["retry-after"] == "3600")
            #expect(try await world.deliveries().count == 2)
            #expect(try await world.post("accounts", person("+61412345678").json).status == 201)
            // Nobody waits for this one, and it is not sent.
            world.clock.advance(by: .seconds(61))
            #expect(try await world.ask("confirmations/resend", for: "+46701234567").status == 202)
            #expect(try await world.deliveries().count == 3)
            world.clock.advance(by: .seconds(SMSBudget.seconds))
            #expect(try await world.post("accounts", refused.json).status == 201)
        }
    }

    @Test("N2: no more SMS in a day than the budget, whatever asks for them: registrations, changes, codes again")
    func day() async throws {
        try await run(day: 3) { world async throws in
            let first = person("+46701234567")
            #expect(try await world.post("accounts", first.json).status == 201)
            let code = try #require(try await world.deliveries().last?.contents.arguments["code"])
            let confirmed = try await world.post(
                "confirmations/code", ["login": .string(first.mobile), "code": .string(code)])
            let tokens = try Tokens(confirmed)
            let change: JSONValue = ["mobile": "+61412345678", "password": .string(first.password)]
            #expect(try await world.post("accounts/me/mobile", change, token: tokens.access).status == 202)
            #expect(try await world.post("accounts", person("+966501234567").json).status == 201)
            let other: JSONValue = ["mobile": "+61412345679", "password": .string(first.password)]
            world.clock.advance(by: .seconds(61))
            #expect(try await world.post("accounts/me/mobile", other, token: tokens.access).slug == "sms-used-up")
            #expect(try await world.post("accounts", person("+13065552345").json).slug == "sms-used-up")
            #expect(try await world.deliveries().filter { $0.request.channel == .sms }.count == 3)
        }
    }

    @Test("N2: codes do not use up what is kept for notices that the law or the money needs")
    func kept() async throws {
        try await run(day: 10) { world async throws in
            for number in 0..<9 {
                #expect(try await world.post("accounts", person("+4670123450\(number)").json).status == 201)
            }
            #expect(try await world.post("accounts", person("+46701234599").json).status == 503)
            let budget = SMSBudget(
                limits: SMSBudget.Limits(perNumber: 100, perCountry: 100, perDay: 10), cipher: world.parts.cipher)
            let taken = try await world.pool.withTransaction { transaction in
                var taken: [Bool] = []
                for isNeeded in [false, true] {
                    taken.append(
                        try await budget.take(
                            "+46701234598", isNeeded: isNeeded, at: world.clock.now, in: transaction))
                }
                return taken
            }
            #expect(taken == [false, true])
        }
    }

    @Test("N2: a number has a budget of its own, however it is written")
    func number() async throws {
        try await run(number: 1) { world async throws in
            let first = person("+46701234567")
            #expect(try await world.post("accounts", first.json).status == 201)
            world.clock.advance(by: .seconds(61))
            #expect(try await world.ask("confirmations/resend", for: "+46 (0)70 123 45 67").status == 202)
            #expect(try await world.deliveries().count == 1)
            let again = try await world.post("accounts", person("+46 (0)70 123 45 67").json)
            #expect(again.status == 429 && again.slug == "sms-number-used-up", "\(again)")
        }
    }

    @Test("N2: what was counted is forgotten after a day")
    func purge() async throws {
        try await run(number: 1) { world async throws in
            #expect(try await world.post("accounts", person("+46701234567").json).status == 201)
            #expect(try await world.pool.first(CountSentSMS()) == 1)
            world.clock.advance(by: .seconds(SMSBudget.seconds + 1))
            try await PurgeExpired(
                pool: world.pool, logger: TestThreads.logger, clock: { world.clock.now }, interval: .seconds(1)
            ).purge()
            #expect(try await world.pool.first(CountSentSMS()) == 0)
        }
    }
}

private struct CountSentSMS: Statement {
    static let sql: SQL = "SELECT count(*) FROM sent_sms"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
