import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Deleting an account", .timeLimit(.minutes(15)))
struct DeletionTests {
    @Test("I12: a deletion is granted when nothing is open, and nothing of the person is left")
    func granted() async throws {
        try await World.run { world async throws in
            var person = Person.provider()
            person.name = "Zubaydah Unforgotten"
            let tokens = try await world.join(person)
            _ = try await world.logIn(person)
            let deletion = try await world.askDeletion(person, tokens)
            #expect(try await world.send("GET", "v1/accounts/me/deletion", token: tokens.access)["state"] == "asked")
            try await world.answer(deletion, of: tokens.account, from: .wallet)
            #expect(try await world.events(AccountDeleted.self).isEmpty)
            try await world.answer(deletion, of: tokens.account, from: .dispatch)

            #expect(try await world.send("GET", "v1/deletions/\(deletion.text)", key: nil)["state"] == "granted")
            #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access).status == 401)
            let refresh: JSONValue = ["refreshToken": .string(tokens.refresh)]
            #expect(try await world.post("sessions/refresh", refresh, key: nil).slug == "session-ended")
            let login: JSONValue = ["login": .string(person.email), "password": .string(person.password)]
            #expect(try await world.post("sessions", login).slug == "invalid-credentials")
            #expect(try await world.pool.first(CountAccountRows(account: tokens.account)) == 0)
            let told = try #require(try await world.events(AccountDeleted.self).first)
            let versions = try await world.events(AccountRegistered.self).map(\.account.version)
            #expect(told.account == tokens.account && told.by == nil)
            #expect(versions.allSatisfy { $0 < told.version })
            #expect(try await world.events(DeliveryRequested.self).map(\.text).contains("account-deleted"))
            // The address is free again, for somebody new.
            #expect(try await world.register(person) != tokens.account)
        }
    }

    @Test("I12, P10: a deletion is refused while something is open, and says which; afterwards it may be asked again")
    func refused() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            let order = UUID.timeOrdered()
            let deletion = try await world.askDeletion(person, tokens)
            #expect(try await world.askDeletion(person, tokens) == deletion)
            try await world.answer(deletion, of: tokens.account, from: .dispatch, ["open-order"], [order])
            try await world.answer(deletion, of: tokens.account, from: .wallet, ["balance"])
            let answer = try await world.send("GET", "v1/accounts/me/deletion", token: tokens.access)
            #expect(answer.status == 409)
            #expect(answer.slug == "deletion-refused")
            #expect(answer.json?["obstacles"] == .array(["open-order", "balance"]))
            #expect(answer.json?["orders"] == .array([.string(order.text)]))
            let told = try #require(try await world.events(DeletionRefused.self).first)
            #expect(told.obstacles == [.openOrder, .balance] && told.orders == [order])
            #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access).status == 200)
            let again = try await world.askDeletion(person, tokens)
            #expect(again != deletion)
            // What comes late, or twice, is about the first.
            try await world.answer(deletion, of: tokens.account, from: .dispatch)
            try await world.answer(again, of: tokens.account, from: .dispatch)
            try await world.answer(again, of: tokens.account, from: .dispatch)
            #expect(try await world.send("GET", "v1/accounts/me/deletion", token: tokens.access)["state"] == "asked")
            try await world.answer(again, of: tokens.account, from: .wallet)
            #expect(try await world.events(AccountDeleted.self).count == 1)
            let asked = try await world.events(DeletionAsked.self)
            #expect(asked.count == 2 && asked[0].version < asked[1].version)
        }
    }

    @Test("I12: a refusal says how much is owed, in each currency, in the problem and to the others")
    func owed() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            let deletion = try await world.askDeletion(person, tokens)
            let owed = [Deletion.Owed(amount: 12_050, currency: "SAR"), Deletion.Owed(amount: 700, currency: "AUD")]
            try await world.answer(deletion, of: tokens.account, from: .wallet, ["unpaid"], owed: owed)
            try await world.answer(deletion, of: tokens.account, from: .dispatch)
            let answer = try await world.send("GET", "v1/accounts/me/deletion", token: tokens.access)
            #expect(answer.slug == "deletion-refused", "\(answer)")
            #expect(
                answer.json?["owed"] == [
                    ["amount": 12_050, "currency": "SAR"], ["amount": 700, "currency": "AUD"],
                ], "\(answer)")
            let told = try #require(try await world.events(DeletionRefused.self).first)
            #expect(told.owed == owed.map { Money(amount: $0.amount, currency: $0.currency) })
        }
    }

    @Test("I12: whoever deletes gives the password, or has logged in just now")
    func asksFirst() async throws {
        let clock = FixedClock(Date())
        try await World.run(clock: clock) { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            func ask(_ body: JSONValue, key: String = UUID().uuidString) async throws -> Answer {
                try await world.post("accounts/me/deletion", body, token: tokens.access, key: key)
            }
            let fresh = try await world.join(Person())
            #expect(try await world.post("accounts/me/deletion", [:], token: fresh.access).status == 202)
            clock.advance(by: .seconds(360))
            #expect(try await ask([:]).slug == "login-too-old")
            let wrong = try await ask(["password": "Wrong-password-12"])
            #expect(wrong.status == 422 && wrong.fields == ["/password": "wrong-password"])
            #expect(try await world.events(DeletionAsked.self).count == 1)
            let key = UUID().uuidString
            let first = try await ask(["password": .string(person.password)], key: key)
            #expect(first.status == 202)
            #expect(try await ask(["password": .string(person.password)], key: key).bytes == first.bytes)
        }
    }

    @Test("I12: an admin's account is not deleted, and neither is one that becomes one meanwhile")
    func admins() async throws {
        try await World.run { world async throws in
            let master = try await world.admin(of: "*")
            let own = try await world.post("accounts/me/deletion", [:], token: master.access)
            #expect(own.status == 409 && own.fields == ["/account": "admin"])
            let person = Person()
            let tokens = try await world.join(person)
            let deletion = try await world.askDeletion(person, tokens)
            let grant: JSONValue = ["account": .string(tokens.account.text)]
            #expect(try await world.post("markets/assef/admins", grant, token: master.access).status == 201)
            try await world.answer(deletion, of: tokens.account, from: .dispatch)
            try await world.answer(deletion, of: tokens.account, from: .wallet)
            #expect(try await world.events(DeletionRefused.self).map(\.obstacles) == [[.admin]])
            let answer = try await world.send("GET", "v1/accounts/me/deletion", token: tokens.access)
            #expect(answer.fields == ["/account": "admin"])
        }
    }

    @Test("P3a, P12: a deletion that nobody answers is refused after a while, once")
    func unanswered() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            let deletion = try await world.askDeletion(person, tokens)
            let fired = Deadline(
                kind: DecideDeletionOfAccount.deadline, subject: deletion.text, dueAt: world.clock.now)
            for _ in 0..<2 {
                try await world.pool.withTransaction { transaction in
                    try await world.parts.decideDeletion.giveUp(fired, at: world.clock.now, in: transaction)
                }
            }
            try await world.answer(deletion, of: tokens.account, from: .dispatch)
            try await world.answer(deletion, of: tokens.account, from: .wallet)
            #expect(try await world.events(DeletionRefused.self).map(\.obstacles) == [[.noAnswer]])
            #expect(try await world.events(AccountDeleted.self).isEmpty)
        }
    }

    @Test("I12: of two answers at once one decides, and so does one of two askings", arguments: 1...5)
    func race(_ round: Int) async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            async let one = world.askDeletion(person, tokens)
            async let other = world.askDeletion(person, tokens)
            let deletion = try await one
            #expect(try await other == deletion)
            #expect(try await world.events(DeletionAsked.self).count == 1)
            async let orders: Void = world.answer(deletion, of: tokens.account, from: .dispatch)
            async let money: Void = world.answer(deletion, of: tokens.account, from: .wallet)
            _ = try await (orders, money)
            #expect(try await world.events(AccountDeleted.self).count == 1)
        }
    }

    @Test("Q7: nobody reads another's deletion; who knows its id is told how it stands and nothing more")
    func strangers() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            let deletion = try await world.askDeletion(person, tokens)
            try await world.answer(deletion, of: tokens.account, from: .dispatch, ["open-order"], [.timeOrdered()])
            try await world.answer(deletion, of: tokens.account, from: .wallet)
            let stranger = try await world.join(Person())
            #expect(try await world.send("GET", "v1/accounts/me/deletion", token: stranger.access).status == 404)
            #expect(try await world.send("GET", "v1/accounts/me/deletion").status == 401)
            let outcome = try await world.send("GET", "v1/deletions/\(deletion.text)")
            #expect(outcome["state"] == "refused")
            #expect(outcome.json?["obstacles"] == nil && outcome.json?["account"] == nil)
            #expect(try await world.send("GET", "v1/deletions/\(UUID().text)").status == 404)
        }
    }
}

extension World {
    func askDeletion(_ person: Person, _ tokens: Tokens) async throws -> UUID {
        let answer = try await post(
            "accounts/me/deletion", ["password": .string(person.password)], token: tokens.access)
        try #require(answer.status == 202, "\(answer)")
        return try #require(answer["deletion"].flatMap(UUID.init(uuidString:)))
    }

    /// As the handlers of the services' answers do.
    func answer(
        _ deletion: UUID, of account: UUID, from service: Deletion.Service, _ obstacles: [String] = [],
        _ orders: [UUID] = [], owed: [Deletion.Owed] = []
    ) async throws {
        try await pool.withTransaction { transaction in
            try await parts.decideDeletion.hear(
                Deletion.Answer(obstacles: obstacles, orders: orders, owed: owed), from: service, on: deletion,
                of: account,
                at: clock.now, in: transaction)
        }
    }
}

/// In every table that tells something of a person.
private struct CountAccountRows: Statement {
    static let sql: SQL = """
        SELECT (SELECT count(*) FROM accounts WHERE id = $1) + (SELECT count(*) FROM passwords WHERE account = $1)
            + (SELECT count(*) FROM roles WHERE account = $1) + (SELECT count(*) FROM sessions WHERE account = $1)
            + (SELECT count(*) FROM proofs WHERE account = $1) + (SELECT count(*) FROM bans WHERE account = $1)
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
