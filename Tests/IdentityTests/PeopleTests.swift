import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("People of a market", .timeLimit(.minutes(15)))
struct PeopleTests {
    private func body(_ person: Person, role: String = "provider", title: String? = "nurse") -> JSONValue {
        var members: [String: JSONValue] = [
            "role": .string(role), "name": .string(person.name), "email": .string(person.email),
            "mobile": .string(person.mobile),
        ]
        if let title { members["title"] = .string(title) }
        return .object(members)
    }

    private func create(_ world: World, _ person: Person, by admin: Tokens) async throws -> UUID {
        let answer = try await world.post("markets/assef/people", body(person), token: admin.access)
        try #require(answer.status == 201, "\(answer)")
        return try #require(answer["account"].flatMap(UUID.init(uuidString:)))
    }

    /// The token of the last mail.
    private func link(_ world: World, _ text: String) async throws -> String {
        let sealed = try #require(try await world.events(DeliveryRequested.self).last { $0.text == text })
        let contents = try world.parts.seal.open(sealed.sealed, delivery: sealed.delivery)
        return String(try #require(contents.arguments["link"]?.split(separator: "=").last))
    }

    @Test("I13, I7: an admin makes a verified provider, who is invited by mail to set a password and then logs in")
    func created() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person()
            let account = try await create(world, person, by: admin)
            #expect(
                try await world.post("markets/assef/people", body(person), token: admin.access).slug == "account-exists"
            )
            let told = try #require(try await world.events(AccountRegistered.self).last)
            #expect(told.account.account == account && told.account.roles.map(\.verified) == [true])
            let managed = try #require(try await world.events(AccountManaged.self).last)
            #expect(managed.act == .created && managed.by == admin.account && managed.market == "assef")
            let finish: JSONValue = [
                "token": .string(try await link(world, "invitation")), "password": .string(person.password),
            ]
            world.clock.advance(by: .seconds(2 * 86_400))
            #expect(try await world.post("password-resets/finish", finish).status == 204)
            let login: JSONValue = ["login": .string(person.mobile), "password": .string(person.password)]
            #expect(try await world.post("sessions", login).status == 201)
            let wrong = try await world.post("markets/assef/people", ["role": "admin"], token: admin.access)
            #expect(wrong.status == 422 && wrong.fields["/role"] == "not-a-choice")
        }
    }

    @Test(
        "I13, I1: whose account an admin made is asked at login for what the market asks of everybody, until it is there"
    )
    func asked() async throws {
        var onboarding = IdentityParts.onboarding("edencare")
        onboarding.terms = nil
        onboarding.billingAddressOf = ["customer"]
        onboarding.customerAges = .init(minimum: 13, adultBelow: 16)
        try await World.run(onboarding: onboarding) { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person()
            let made = try await world.post(
                "markets/assef/people", body(person, role: "customer", title: nil), token: admin.access)
            try #require(made.status == 201, "\(made)")
            let finish: JSONValue = [
                "token": .string(try await link(world, "invitation")), "password": .string(person.password),
            ]
            #expect(try await world.post("password-resets/finish", finish).status == 204)
            func logIn() async throws -> Answer {
                try await world.post(
                    "sessions", ["login": .string(person.mobile), "password": .string(person.password)])
            }
            let first = try await logIn()
            #expect(first.json?["asks"] == ["birth-date", "address", "billing-address"], "\(first)")
            let token = try Tokens(first).access
            let born = try await world.send("PATCH", "v1/accounts/me", ["birthDate": "1990-05-17"], token: token)
            #expect(born.status == 200, "\(born)")
            #expect(try await logIn().json?["asks"] == ["address", "billing-address"])
            let place = try await world.post(
                "accounts/me/places",
                [
                    "market": "assef", "label": "home", "name": "Home",
                    "coordinates": ["latitude": 24.7136, "longitude": 46.6753],
                ], token: token)
            #expect(place.status == 201, "\(place)")
            let billing = try await world.send(
                "PUT", "v1/accounts/me/markets/assef/billing-address",
                ["street": "1 Main Street", "city": "Riyadh", "postcode": "12345", "country": "SA"], token: token)
            #expect(billing.status < 300, "\(billing)")
            #expect(try await logIn().json?["asks"] == nil)
        }
    }

    @Test("I13: an admin changes name and title of somebody of the market, who stays verified")
    func changed() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let account = try await create(world, Person(), by: admin)
            let path = "v1/markets/assef/people/\(account.text)"
            let title = try #require(Market.assef.titles.map(\.id).first { $0 != "nurse" })
            let answer = try await world.send(
                "PATCH", path, ["name": "Huda Al-Amri", "title": .string(title)], token: admin.access)
            #expect(answer.status == 200, "\(answer)")
            let told = try #require(try await world.events(AccountChanged.self).last?.account)
            #expect(told.name == "Huda Al-Amri" && told.roles.map(\.title) == [title])
            #expect(told.roles.map(\.verified) == [true])
            try await world.pool.withTransaction { transaction in
                transaction.send(PutRole(account: account, role: .customer(in: "hajji"), now: world.clock.now))
            }
            let other = try await world.send("PATCH", path, ["name": "Other"], token: admin.access)
            #expect(other.slug == "other-markets")
            #expect(try await world.send("PATCH", path, ["title": "nurse"], token: admin.access).status == 200)
        }
    }

    @Test("I13, I12: an admin removes somebody: the account where there is no other market, else the roles of his own")
    func removed() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let account = try await create(world, Person(), by: admin)
            let answer = try await world.send(
                "DELETE", "v1/markets/assef/people/\(account.text)", token: admin.access)
            #expect(answer.status == 202)
            let deletion = try #require(answer["deletion"].flatMap(UUID.init(uuidString:)))
            for service in Deletion.Service.allCases { try await world.answer(deletion, of: account, from: service) }
            let told = try #require(try await world.events(AccountDeleted.self).last)
            #expect(told.account == account && told.by == admin.account && told.market == "assef")

            let person = Person()
            let both = try await world.join(person)
            try await world.pool.withTransaction { transaction in
                transaction.send(PutRole(account: both.account, role: .customer(in: "hajji"), now: world.clock.now))
            }
            let path = "v1/markets/assef/people/\(both.account.text)"
            #expect(try await world.send("DELETE", path, token: admin.access).status == 204)
            let left = try await world.logIn(person)
            #expect(
                try await world.bootstrap.tokenVerifier().verify(left.access).roles.map(\.market) == ["hajji"])
            #expect(try await world.send("DELETE", path, token: admin.access).status == 404)
        }
    }

    @Test("I13, Q7: an admin neither changes nor removes an admin, himself, or somebody of another market")
    func others() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person()
            let colleague = try await world.join(person)
            let master = try await world.admin(of: "*")
            let grant: JSONValue = ["account": .string(colleague.account.text)]
            #expect(try await world.post("markets/assef/admins", grant, token: master.access).status == 201)
            let foreign = try await world.foreignAdmin()
            for (account, status) in [(colleague.account, 403), (admin.account, 403), (master.account, 404)] {
                let path = "v1/markets/assef/people/\(account.text)"
                #expect(
                    try await world.send("PATCH", path, ["name": "Nobody Else"], token: admin.access).status == status)
            }
            let own = "v1/markets/assef/people/\(admin.account.text)"
            #expect(try await world.send("DELETE", own, token: admin.access).status == 403)
            let other = "v1/markets/assef/people/\(colleague.account.text)"
            for caller in [foreign, colleague] {
                #expect(try await world.send("DELETE", other, token: caller.access).status == 403)
            }
        }
    }

    @Test("Q10: who writes of illnesses in the reason of a relative's removal is warned where no medical data is kept")
    func warnedOfReason() async throws {
        try await World.run { world async throws in
            for (market, isWarned) in [("edencare", true), ("assef", false)] {
                let admin = try await world.admin(of: market)
                let (first, second) = (Person(), Person())
                let (relative, gone) = (try await world.join(first), try await world.join(second))
                for account in [relative.account, gone.account] where market != "assef" {
                    try await world.pool.execute(
                        InsertRoleIn(account: account, market: market, role: "customer", title: nil))
                }
                let body: JSONValue = [
                    "from": .string(relative.account.text), "to": .string(gone.account.text), "scopes": ["order"],
                ]
                let made = try await world.post("markets/\(market)/links", body, token: admin.access)
                let link = try #require(made["link"])
                let reason: JSONValue = ["reason": "Her dementia got worse and she has died."]
                let answer = try await world.post(
                    "accounts/me/links/\(link)/removal", reason, token: relative.access)
                #expect(answer.status == 202, "\(answer)")
                guard case .array(let warnings) = answer.json?["warnings"] ?? .array([]) else { return }
                #expect(warnings.compactMap { $0["code"] } == (isWarned ? [.string("medical-words")] : []), "\(answer)")
            }
        }
    }

    @Test("I12: a relative asks for somebody's removal, and an admin of the market decides")
    func relative() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let (first, second) = (Person(), Person())
            let (relative, gone) = (try await world.join(first), try await world.join(second))
            let body: JSONValue = [
                "from": .string(relative.account.text), "to": .string(gone.account.text), "scopes": ["order"],
            ]
            let link = try #require(try await world.post("markets/assef/links", body, token: admin.access)["link"])
            let ask = "accounts/me/links/\(link)/removal"
            let reason: JSONValue = ["reason": "My father has died."]
            let stranger = try await world.join(Person())
            #expect(try await world.post(ask, reason, token: stranger.access).status == 404)
            #expect(try await world.post(ask, reason, token: relative.access).status == 202)
            #expect(try await world.post(ask, reason, token: relative.access).slug == "removal-asked")
            let list = try await world.send("GET", "v1/markets/assef/removals", token: admin.access)
            let item = try #require(list.items.first)
            #expect(item["account"] == .string(gone.account.text) && item["cause"] == "relative")
            #expect(item["askedBy"] == .string(relative.account.text) && item["reason"] == "My father has died.")
            let decide = "markets/assef/removals/\(gone.account.text)/decision"
            #expect(try await world.post(decide, ["decision": "remove"], token: relative.access).status == 403)
            let answer = try await world.post(decide, ["decision": "remove"], token: admin.access)
            #expect(answer.status == 202)
            let deletion = try #require(answer["deletion"].flatMap(UUID.init(uuidString:)))
            for service in Deletion.Service.allCases {
                try await world.answer(deletion, of: gone.account, from: service)
            }
            #expect(try await world.events(AccountDeleted.self).map(\.by) == [admin.account])
            let after = try await world.send("GET", "v1/markets/assef/removals", token: admin.access)
            #expect(after.items.isEmpty)
        }
    }

    @Test(
        "I12: an account that nobody uses is warned after seventeen months, listed after eighteen, and kept by a log-in"
    )
    func inactive() async throws {
        try await World.run { world async throws in
            let person = Person()
            let kept = Person()
            let account = try await world.register(person)
            _ = try await world.register(kept)
            let watch = WatchInactive(
                pool: world.pool, deliver: world.parts.deliver, logger: TestThreads.logger,
                clock: { world.clock.now }, interval: .seconds(1))
            try await world.pool.execute(SetLastActive(daysAgo: 17 * 30))
            let admin = try await world.admin(of: "assef")
            func warned() async throws -> Int {
                try await world.events(DeliveryRequested.self).count { $0.text == "inactive-account" }
            }
            func listed() async throws -> [JSONValue?] {
                // Tokens are checked by the real time, so nobody can log in later than now.
                try await world.pool.query(
                    ListRemovals(market: "assef", now: world.clock.now, after: .beginning, limit: 10, isMaster: false)
                ).map { .string($0.account.text) }
            }
            try await watch.look()
            #expect(try await warned() == 0)
            try await world.pool.execute(SetLastActive(daysAgo: 18 * 31 - 31))
            try await watch.look()
            try await watch.look()
            #expect(try await warned() == 2)
            #expect(try await listed().isEmpty)
            _ = try await world.logIn(kept)
            world.clock.advance(by: .seconds(InactivityRule.warningSeconds))
            #expect(try await listed() == [.string(account.text)])
            let decide = "markets/assef/removals/\(account.text)/decision"
            #expect(try await world.post(decide, ["decision": "keep"], token: admin.access).status == 204)
            #expect(try await listed().isEmpty)
            try await watch.look()
            #expect(try await warned() == 2)
        }
    }

    @Test("I12, P8: one's own data is had as JSON by whoever shows that it is his, not often, and without others' data")
    func export() async throws {
        try await World.run { world async throws in
            let (first, second) = (Person(), Person())
            let (tokens, friend) = (try await world.join(first), try await world.join(second))
            let ask: JSONValue = ["kind": "friend", "mobile": .string(second.mobile)]
            let link = try #require(try await world.post("accounts/me/links", ask, token: tokens.access)["link"])
            _ = try await world.post("accounts/me/links/\(link)/agreement", [:], token: friend.access)
            let export = "accounts/me/export"
            #expect(try await world.post(export, ["password": "Wrong-password-12"], token: tokens.access).status == 422)
            let answer = try await world.post(export, ["password": .string(first.password)], token: tokens.access)
            #expect(answer.status == 200, "\(answer)")
            let text = String(decoding: answer.bytes, as: UTF8.self)
            for mine in [first.name, first.email, first.mobile, link, friend.account.text] {
                #expect(text.contains(mine), "\(mine)")
            }
            for theirs in [second.mobile, second.email] { #expect(!text.contains(theirs)) }
            #expect(answer.headers["cache-control"] == "no-store")
            #expect(text.contains("/notifications/v1/inbox") && text.contains("/wallet/v1/statement"))
            var last = answer
            for _ in 0..<5 {
                last = try await world.post(export, ["password": .string(first.password)], token: tokens.access)
            }
            #expect(last.status == 429)
            #expect(try await world.post(export, [:], token: friend.access).status == 200)
        }
    }

    @Test("I3: a change of password that is repeated with its key gets the first answer")
    func repeatedChange() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            let key = UUID().uuidString
            let body: JSONValue = ["oldPassword": .string(person.password), "newPassword": "Another-2026-word"]
            for _ in 0..<2 {
                #expect(
                    try await world.post("accounts/me/password", body, token: tokens.access, key: key).status == 204)
            }
            let fresh = try await world.post("accounts/me/password", body, token: tokens.access)
            #expect(fresh.fields == ["/oldPassword": "wrong-password"])
        }
    }
}

private struct SetLastActive: Statement {
    static let sql: SQL = "UPDATE accounts SET last_active_on = CURRENT_DATE - $1::int"
    let daysAgo: Int32
    func bind(_ bindings: inout Bindings) { bindings.append(daysAgo) }
}
