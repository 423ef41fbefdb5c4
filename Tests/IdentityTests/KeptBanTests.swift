import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Bans of people who are gone", .timeLimit(.minutes(15)))
struct KeptBanTests {
    private func ban(_ world: World, _ account: UUID, by admin: Tokens, until: Date? = nil) async throws {
        var body: [String: JSONValue] = ["account": .string(account.text), "reason": "Rude"]
        if let until { body["until"] = .string(Timestamp.text(until)) }
        let answer = try await world.post("markets/assef/bans", .object(body), token: admin.access)
        try #require(answer.status == 201, "\(answer)")
    }

    private func grant(_ world: World, _ deletion: UUID, of account: UUID) async throws {
        for service in Deletion.Service.allCases { try await world.answer(deletion, of: account, from: service) }
    }

    @Test(
        "I11, I12: who is banned may leave; keyed hashes alone keep the ban, for whoever comes back, until it is lifted"
    )
    func owner() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person()
            let gone = try await world.register(person)
            try await ban(world, gone, by: admin)
            try await grant(world, try await world.askDeletion(person, try await world.logIn(person)), of: gone)
            #expect(try await world.events(AccountDeleted.self).map(\.account) == [gone])
            let dump = try #require(try await world.pool.first(DumpTables())).lowercased()
            #expect(!dump.contains(person.email.lowercased()) && !dump.contains(person.mobile))

            // Whoever types it reads what he read before, and of no ban.
            let again = try await world.post("accounts", person.json)
            #expect(again.slug == "account-exists", "\(again)")
            #expect(again.fields == ["/email": "taken", "/mobile": "taken"])
            var elsewhere = person
            elsewhere.market = "carrepsa"
            let tokens = try await world.join(elsewhere)
            let role: JSONValue = ["market": "assef", "role": "customer", "terms": "2026-11"]
            let refused = try await world.post("accounts/me/roles", role, token: tokens.access)
            #expect(refused.slug == "banned" && refused["reason"] == "Rude")

            let bans = try await world.send("GET", "v1/markets/assef/bans", token: admin.access).items
            #expect(bans.map { $0["account"] } == [.string(gone.text)] && bans.map { $0["name"] } == [""])
            let path = "v1/markets/assef/bans/\(gone.text)"
            let foreign = try await world.foreignAdmin()
            #expect(try await world.send("DELETE", path, token: foreign.access).status == 403)
            #expect(try await world.send("DELETE", path, token: admin.access).status == 204)
            #expect(try await world.send("DELETE", path, token: admin.access).status == 404)
            #expect(try await world.events(AccountUnbanned.self).map(\.account) == [gone])
            #expect(try await world.post("accounts/me/roles", role, token: tokens.access).status == 201)
        }
    }

    @Test("I11, I12: a ban that comes while a deletion is under way is kept, and forgotten when it ends")
    func meanwhile() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person()
            let tokens = try await world.join(person)
            let deletion = try await world.askDeletion(person, tokens)
            try await ban(world, tokens.account, by: admin, until: world.clock.now.addingTimeInterval(3_600))
            try await grant(world, deletion, of: tokens.account)
            #expect(try await world.events(DeletionRefused.self).isEmpty)
            #expect(try await world.post("accounts", person.json).slug == "account-exists")
            world.clock.advance(by: .seconds(3_601))
            try await PurgeExpired(
                pool: world.pool, logger: TestThreads.logger, clock: { world.clock.now }, interval: .seconds(1)
            ).purge()
            #expect(try await world.pool.first(LockKeptBan(account: tokens.account, market: "assef")) == nil)
            #expect(try await world.post("accounts", person.json).status == 201)
        }
    }

    @Test(
        "I12, I13: an admin's removal of somebody banned goes through, and a stranger's address is not banned with him")
    func removal() async throws {
        try await World.run(confirmation: .sms) { world async throws in
            let admin = try await world.admin(of: "assef")
            let (person, stranger) = (Person(), Person())
            var squatter = person
            squatter.email = stranger.email
            let made = try await world.post("accounts", squatter.json)
            let account = try #require(made["account"].flatMap(UUID.init(uuidString:)), "\(made)")
            // By the code of an SMS: the address is merely written down.
            let code = try #require(try await world.deliveries().last?.contents.arguments["code"])
            let login: JSONValue = ["login": .string(squatter.mobile), "code": .string(code)]
            #expect(try await world.post("confirmations/code", login).status == 201)
            try await ban(world, account, by: admin)
            let answer = try await world.send(
                "DELETE", "v1/markets/assef/people/\(account.text)", token: admin.access)
            let deletion = try #require(answer["deletion"].flatMap(UUID.init(uuidString:)), "\(answer)")
            try await grant(world, deletion, of: account)
            #expect(try await world.events(AccountDeleted.self).map(\.by) == [admin.account])
            #expect(try await world.post("accounts", squatter.json).fields == ["/mobile": "taken"])
            #expect(try await world.post("accounts", stranger.json).status == 201)
        }
    }

    @Test("I5, I11: whom Nafath names and who was banned and went gets no new account in the market")
    func nafath() async throws {
        try await NafathWorld.run { nafath async throws in
            let world = nafath.world
            let admin = try await world.admin(of: "assef")
            _ = nafath.add("noura")
            let account = try Tokens(try await nafath.signIn("noura")).account
            try await ban(world, account, by: admin)
            let tokens = try Tokens(try await nafath.signIn("noura"))
            let asked = try await world.post("accounts/me/deletion", [:], token: tokens.access)
            let deletion = try #require(asked["deletion"].flatMap(UUID.init(uuidString:)), "\(asked)")
            try await grant(world, deletion, of: account)
            let back = try await nafath.signIn("noura")
            #expect(back.slug == "banned" && back["reason"] == "Rude")
            #expect(try await world.events(AccountRegistered.self).map(\.account.account).contains(account))
        }
    }
}
