import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Bans and admins", .timeLimit(.minutes(15)))
struct BanTests {
    private func ban(
        _ world: World, _ account: UUID, by admin: Tokens, in market: String = "assef", until: Date? = nil,
        key: String = UUID().uuidString
    ) async throws -> Answer {
        var body: [String: JSONValue] = ["account": .string(account.text), "reason": "Did not come three times."]
        if let until { body["until"] = .string(Timestamp.text(until)) }
        return try await world.post("markets/\(market)/bans", .object(body), token: admin.access, key: key)
    }

    @Test("I11, X9: with a ban the tokens of the account's keys are refused at once, those of the banned market alone")
    func keys() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let tokens = try await world.join(Person())
            let body: JSONValue = ["market": "assef", "name": "Shop", "scopes": ["orders:read"], "days": 30]
            let made = try await world.post("accounts/me/api-keys", body, token: tokens.access)
            let key = try #require(made["key"].flatMap(UUID.init(uuidString:)))
            let elsewhere = try await world.pool.query(
                ListBannedKeys(account: tokens.account, market: "edencare", now: world.clock.now))
            #expect(elsewhere == [])
            #expect(!world.parts.ended.contains(key))
            #expect(try await ban(world, tokens.account, by: admin).status == 201)
            #expect(world.parts.ended.contains(key))
        }
    }

    private func markets(_ world: World, _ person: Person) async throws -> Set<String> {
        let tokens = try await world.logIn(person)
        return Set(try await world.bootstrap.tokenVerifier().verify(tokens.access).roles.map(\.market))
    }

    @Test("I11: a ban in a market ends the sessions, and takes the roles there and no others, until it is lifted")
    func inOneMarket() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person.provider()
            let tokens = try await world.join(person)
            try await world.pool.withTransaction { transaction in
                transaction.send(PutRole(account: tokens.account, role: .customer(in: "hajji"), now: world.clock.now))
            }
            #expect(try await world.verify(tokens.account, by: admin).status == 200)
            let answer = try await ban(world, tokens.account, by: admin)
            #expect(answer.status == 201)
            #expect(answer["reason"] == "Did not come three times.")
            #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access).slug == "token-expired")
            let refresh: JSONValue = ["refreshToken": .string(tokens.refresh)]
            #expect(try await world.post("sessions/refresh", refresh, key: nil).slug == "session-ended")
            #expect(try await markets(world, person) == ["hajji"])
            // Others are told of an account without the roles.
            let told = try #require(try await world.events(AccountChanged.self).last)
            #expect(told.account.roles.map(\.market) == ["hajji"])
            let event = try #require(try await world.events(AccountBanned.self).first)
            #expect(event.by == admin.account)
            #expect(event.until == nil)
            let again = try await world.logIn(person)
            let role: JSONValue = ["market": "assef", "role": "customer", "terms": "2026-11"]
            let refused = try await world.post("accounts/me/roles", role, token: again.access)
            #expect(refused.status == 403)
            #expect(refused.slug == "banned")
            #expect(refused["reason"] == "Did not come three times.")
            let list = try await world.send("GET", "v1/markets/assef/bans", token: admin.access)
            #expect(list.items.map { $0["account"] } == [.string(tokens.account.text)])
            let path = "v1/markets/assef/bans/\(tokens.account.text)"
            #expect(try await world.send("DELETE", path, token: admin.access).status == 204)
            #expect(try await world.send("DELETE", path, token: admin.access).status == 404)
            #expect(try await markets(world, person) == ["assef", "hajji"])
            #expect(try await world.events(AccountUnbanned.self).count == 1)
            #expect(try await world.events(AccountChanged.self).last?.account.roles.count == 2)
        }
    }

    @Test("I11: words about a ban have the account's version, by which the later one is known whatever a clock says")
    func versions() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let account = try await world.register(Person())
            for _ in 0..<2 {
                #expect(try await ban(world, account, by: admin).status == 201)
                // Another process, whose clock is behind.
                world.clock.advance(by: .seconds(-5))
                let path = "v1/markets/assef/bans/\(account.text)"
                #expect(try await world.send("DELETE", path, token: admin.access).status == 204)
            }
            let (bans, lifts) = (
                try await world.events(AccountBanned.self), try await world.events(AccountUnbanned.self)
            )
            let versions = zip(bans, lifts).flatMap { [$0.version ?? 0, $1.version ?? 0] }
            #expect(versions.count == 4 && versions == versions.sorted() && Set(versions).count == 4)
            #expect(try await world.events(AccountChanged.self).map(\.account.version) == versions)
        }
    }

    @Test("I11: who is banned everywhere cannot log in until the time is over, and is told why only with the password")
    func everywhere() async throws {
        try await World.run(clock: FixedClock(Date() - 400)) { world async throws in
            let master = try await world.admin(of: "*")
            let person = Person()
            let tokens = try await world.join(person)
            let end = world.clock.now.addingTimeInterval(300)
            #expect(try await ban(world, tokens.account, by: master, in: "*", until: end).status == 201)
            let login: JSONValue = ["login": .string(person.email), "password": .string(person.password)]
            let refused = try await world.post("sessions", login)
            #expect(refused.status == 403)
            #expect(refused.slug == "banned-until")
            #expect(refused["until"] == Timestamp.text(end))
            let wrong: JSONValue = ["login": .string(person.email), "password": "Wrong-password-12"]
            #expect(try await world.post("sessions", wrong).slug == "invalid-credentials")
            #expect(try await world.events(AccountChanged.self).last?.account.roles.isEmpty == true)
            // The deadline of a ban that was prolonged changes nothing; the right one does, by a clock that is behind too.
            for (due, roles) in [(end - 1, 0), (end + 1, 1)] {
                let deadline = Deadline(
                    kind: BanAccount.deadline, subject: "\(tokens.account.text) *", dueAt: due)
                let now = world.clock.now
                try await world.pool.withTransaction { transaction in
                    try await BanAccount.end(deadline, at: now, in: transaction)
                }
                #expect(try await world.events(AccountChanged.self).last?.account.roles.count == roles)
            }
            world.clock.advance(by: .seconds(301))
            #expect(try await world.post("sessions", login).status == 201)
            #expect(try await world.send("GET", "v1/markets/*/bans", token: master.access).items.isEmpty)
        }
    }

    @Test("I11: nobody bans himself, strangers of the market or, without being a master admin, its admins")
    func wrongTarget() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let other = try await world.admin(of: "assef")
            let master = try await world.admin(of: "*")
            let foreign = try await world.foreignAdmin()
            for (account, status) in [
                (admin.account, 403), (other.account, 403), (master.account, 404), (UUID.timeOrdered(), 404),
            ] {
                #expect(try await ban(world, account, by: admin).status == status)
            }
            // The foreign admin is a customer here, too.
            #expect(try await ban(world, foreign.account, by: admin).status == 201)
            #expect(try await ban(world, other.account, by: admin, in: "*").status == 403)
            #expect(try await ban(world, other.account, by: master).status == 201)
            #expect(try await ban(world, master.account, by: master, in: "*").status == 403)
            #expect(try await ban(world, other.account, by: master, in: "mars").status == 404)
            let past = try await ban(world, foreign.account, by: admin, until: world.clock.now.addingTimeInterval(-1))
            #expect(past.fields == ["/until": "not-in-the-future"])
            #expect(try await world.events(AccountBanned.self).count == 2)
        }
    }

    @Test("I11: a ban that is repeated with its key is one; another one changes reason and end")
    func repeated() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let account = try await world.register(Person())
            let key = UUID().uuidString
            let first = try await ban(world, account, by: admin, key: key)
            #expect(try await ban(world, account, by: admin, key: key).bytes == first.bytes)
            #expect(try await world.events(AccountBanned.self).count == 1)
            let end = world.clock.now.addingTimeInterval(3_600)
            #expect(try await ban(world, account, by: admin, until: end)["until"] == Timestamp.text(end))
            #expect(try await world.send("GET", "v1/markets/assef/bans", token: admin.access).items.count == 1)
        }
    }

    @Test("I11: a ban and a login at once leave no session that may go on", arguments: 1...3)
    func race(_ round: Int) async throws {
        try await World.run { world async throws in
            let master = try await world.admin(of: "*")
            let person = Person()
            let account = try await world.register(person)
            let login: JSONValue = ["login": .string(person.email), "password": .string(person.password)]
            async let banned = ban(world, account, by: master, in: "*")
            async let late = world.post("sessions", login)
            #expect(try await banned.status == 201)
            let answer = try await late
            guard answer.status == 201 else {
                #expect(answer.slug == "banned")
                return
            }
            let tokens = try Tokens(answer)
            #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access).status == 401)
            let refresh: JSONValue = ["refreshToken": .string(tokens.refresh)]
            #expect(try await world.post("sessions/refresh", refresh, key: nil).status == 401)
        }
    }

    @Test("I13: a master admin makes an admin and unmakes one, whose sessions end; nobody else does, nor about himself")
    func admins() async throws {
        try await World.run { world async throws in
            let master = try await world.admin(of: "*")
            let person = Person()
            let tokens = try await world.join(person)
            let body: JSONValue = ["account": .string(tokens.account.text)]
            let admin = try await world.admin(of: "assef")
            #expect(try await world.post("markets/assef/admins", body, token: admin.access).status == 403)
            let granted = try await world.post("markets/assef/admins", body, token: master.access)
            #expect(granted.status == 201)
            #expect(granted["account"] == tokens.account.text)
            let twice = try await world.post("markets/assef/admins", body, token: master.access)
            #expect(twice.slug == "role-exists")
            let now = try await world.logIn(person)
            #expect(try await world.send("GET", "v1/markets/assef/providers", token: now.access).status == 200)
            let list = try await world.send("GET", "v1/markets/assef/admins", token: master.access)
            let texts = list.items.compactMap { if case .string(let id)? = $0["account"] { id } else { nil } }
            #expect(texts.sorted() == [admin.account.text, tokens.account.text].sorted())
            let path = "v1/markets/assef/admins/\(tokens.account.text)"
            #expect(try await world.send("DELETE", path, token: master.access).status == 204)
            #expect(try await world.send("DELETE", path, token: master.access).status == 404)
            #expect(try await world.send("GET", "v1/markets/assef/providers", token: now.access).status == 401)
            let left = try await world.logIn(person)
            #expect(try await world.send("GET", "v1/markets/assef/providers", token: left.access).status == 403)
            let own = "v1/markets/*/admins/\(master.account.text)"
            #expect(try await world.send("DELETE", own, token: master.access).status == 403)
            #expect(try await world.events(AdminChanged.self).filter { $0.by != nil }.map(\.isAdmin) == [true, false])
        }
    }
}
