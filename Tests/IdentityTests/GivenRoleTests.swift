import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

private struct ForgetBirthDate: Statement {
    static let sql: SQL = "UPDATE accounts SET birth_date = NULL WHERE id = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

@Suite("Roles that admins give", .timeLimit(.minutes(15)))
struct GivenRoleTests {
    private static let provider: JSONValue = ["role": "provider", "title": "nurse"]

    private func give(
        _ world: World, _ body: JSONValue = GivenRoleTests.provider, to account: UUID, by admin: Tokens
    ) async throws -> Answer {
        try await world.post("markets/assef/people/\(account.text)/roles", body, token: admin.access)
    }

    private func client(_ world: World) async throws -> Tokens {
        var person = Person()
        person.address = ["label": "home", "name": "Home", "coordinates": ["latitude": 24.7, "longitude": 46.7]]
        return try await world.join(person)
    }

    @Test("P1, I13: an admin makes a client of the market one of its providers, where nobody asks for it himself")
    func madeProvider() async throws {
        try await World.run(onboarding: .edencare) { world async throws in
            let admin = try await world.admin(of: "assef")
            let tokens = try await client(world)
            let answer = try await give(world, to: tokens.account, by: admin)
            #expect(answer.status == 201, "\(answer)")
            let told = try #require(try await world.events(AccountChanged.self).last?.account)
            #expect(told.account == tokens.account && Set(told.roles.map(\.role)) == ["customer", "provider"])
            let areVerified = told.roles.allSatisfy(\.verified)
            #expect(areVerified)
            #expect(try await world.deliveries().last?.request.text == "provider-verified-subscribed")
            let managed = try #require(try await world.events(AccountManaged.self).last)
            #expect(managed.act == .roleGiven && managed.by == admin.account && managed.account == tokens.account)
            #expect(try await give(world, to: tokens.account, by: admin).slug == "role-exists")
            let wrong: JSONValue = ["role": "customer", "title": "nurse"]
            #expect(try await give(world, wrong, to: tokens.account, by: admin).fields == ["/title": "invalid-value"])
        }
    }

    @Test("P1, I13: whom an admin has removed from the market returns by an admin's word, with the account of before")
    func returns() async throws {
        try await World.run(onboarding: .edencare) { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person()
            let body: JSONValue = [
                "role": "provider", "title": "nurse", "name": .string(person.name), "email": .string(person.email),
                "mobile": .string(person.mobile),
            ]
            let made = try await world.post("markets/assef/people", body, token: admin.access)
            let id = try #require(made["account"].flatMap(UUID.init(uuidString:)))
            try await world.pool.execute(PutRole(account: id, role: .customer(in: "hajji"), now: world.clock.now))
            let path = "v1/markets/assef/people/\(id.text)"
            #expect(try await world.send("DELETE", path, token: admin.access).status == 204)
            // The address is still the account's, so another one is not made.
            #expect(try await world.post("markets/assef/people", body, token: admin.access).slug == "account-exists")
            #expect(try await give(world, to: id, by: admin).status == 201)
            let roles = try #require(try await world.events(AccountChanged.self).last?.account.roles)
            #expect(roles.filter { $0.role == "provider" }.map(\.verified) == [true])
            #expect(try await world.pool.first(HasLeftMarket(account: id, market: "assef")) == nil)
        }
    }

    @Test("P1, I13: who has an account elsewhere is offered a role by address or number, and has it by the link alone")
    func offered() async throws {
        try await World.run(onboarding: .edencare) { world async throws in
            let admin = try await world.admin(of: "assef")
            var person = Person()
            person.address = ["label": "home", "name": "Home", "coordinates": ["latitude": 24.7, "longitude": 46.7]]
            let account = try await world.register(person)
            try await world.pool.execute(PutRole(account: account, role: .customer(in: "hajji"), now: world.clock.now))
            try await world.pool.execute(DeleteMarketRoles(account: account, market: "assef"))
            func offer(_ field: String, _ contact: String) async throws -> [OpenedDelivery] {
                let body: JSONValue = [
                    "role": "provider", "title": "nurse", field: .string(contact),
                ]
                let answer = try await world.post("markets/assef/role-offers", body, token: admin.access)
                #expect(answer.status == 202, "\(answer)")
                return try await world.deliveries().filter { $0.request.text == "role-offered" }
            }
            func accept(_ link: String?) async throws -> Answer {
                try await world.post("role-offers/finish", ["token": .string(link ?? "")])
            }
            // The answer is the same for whom nobody knows.
            #expect(try await offer("email", "nobody@example.com").isEmpty)
            let first = try #require(try await offer("email", person.email).last)
            #expect(first.contents.to == person.email && first.request.channel == .mail)
            #expect(try await offer("email", person.email).count == 1)
            world.clock.advance(by: .seconds(3_601))
            let second = try #require(try await offer("mobile", person.mobile).last)
            #expect(second.contents.to == person.mobile && second.request.channel == .sms)
            #expect(try await world.events(AccountChanged.self).isEmpty)
            #expect(try await accept(first.token).slug == "proof-refused")
            #expect(try await accept(second.token).status == 204)
            #expect(try await accept(second.token).slug == "proof-refused")
            let roles = try #require(try await world.events(AccountChanged.self).last?.account.roles)
            #expect(roles.filter { $0.role == "provider" && $0.market == "assef" }.map(\.verified) == [true])
            let acts = try await world.events(AccountManaged.self)
            #expect(acts.map(\.act) == [.roleGiven] && acts.allSatisfy { $0.by == admin.account })
            // Who has it is offered nothing more.
            world.clock.advance(by: .seconds(3_601))
            #expect(try await offer("email", person.email).count == 2)
        }
    }

    @Test("I5, I13: where Nafath knows everybody nobody accepts a role by another market's password")
    func nafath() async throws {
        try await NafathWorld.run(["SERAI_IDENTITY_PASSWORD_MARKETS": "none"]) { nafath async throws in
            let world = nafath.world
            let admin = try await world.admin(of: "assef")
            let person = Person()
            var elsewhere = person
            elsewhere.market = "carrepsa"
            _ = try await world.register(elsewhere)
            let body: JSONValue = ["role": "provider", "title": "nurse", "email": .string(person.email)]
            #expect(try await world.post("markets/assef/role-offers", body, token: admin.access).status == 202)
            let link = try #require(try await world.deliveries().last { $0.request.text == "role-offered" }?.token)
            let answer = try await world.post("role-offers/finish", ["token": .string(link)])
            #expect(answer.slug == "nafath-needed", "\(answer)")
            #expect(
                try await world.events(AccountChanged.self).allSatisfy {
                    $0.account.roles.map(\.market) == ["carrepsa"]
                })
        }
    }

    @Test("P1, I13: nobody accepts what a person offered who is no admin any more, nor what is three days old")
    func lapsed() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person()
            let account = try await world.register(person)
            try await world.pool.execute(PutRole(account: account, role: .customer(in: "hajji"), now: world.clock.now))
            try await world.pool.execute(DeleteMarketRoles(account: account, market: "assef"))
            func offer() async throws -> String {
                let body: JSONValue = ["role": "customer", "email": .string(person.email)]
                #expect(try await world.post("markets/assef/role-offers", body, token: admin.access).status == 202)
                return try #require(try await world.deliveries().last?.token)
            }
            let old = try await offer()
            world.clock.advance(by: .seconds(ProofRule.invitationSeconds + 1))
            #expect(try await world.post("role-offers/finish", ["token": .string(old)]).slug == "proof-refused")
            try await PurgeExpired(
                pool: world.pool, logger: TestThreads.logger, clock: { world.clock.now }, interval: .seconds(1)
            ).purge()
            let link = try await offer()
            try await world.pool.execute(DeleteRank(account: admin.account, rank: .admin(of: "assef")))
            #expect(try await world.post("role-offers/finish", ["token": .string(link)]).slug == "proof-refused")
            #expect(try await world.events(AccountChanged.self).isEmpty)
        }
    }

    @Test("I1, I13: an admin gives nobody a role whose age limits the known date of birth does not meet")
    func ages() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let admin = try await world.admin(of: "assef")
            func register(_ more: [String: JSONValue]) async throws -> String {
                let body = Person().with(more.merging(["terms": "2026-01"]) { $1 })
                let made = try await world.post("accounts", body)
                let id = try #require(made["account"].flatMap(UUID.init(uuidString:)), "\(made)")
                // The account has to outlive its removal from this market.
                try await world.pool.execute(PutRole(account: id, role: .customer(in: "hajji"), now: world.clock.now))
                #expect(
                    try await world.send("DELETE", "v1/markets/assef/people/\(id.text)", token: admin.access).status
                        == 204)
                return id.text
            }
            func give(_ account: String) async throws -> Answer {
                try await world.post(
                    "markets/assef/people/\(account)/roles", ["role": "customer"], token: admin.access)
            }
            let year = CalendarDate(of: world.clock.now, in: .gmt).year
            let minor = try await register([
                "birthDate": .string("\(year - 14)-01-01"), "accompaniedBy": "Sara Al-Harbi",
            ])
            let adult = try await register(["birthDate": "1990-05-17"])
            #expect(try await give(minor).fields == ["/birthDate": "adult-needed"])
            #expect(try await give(adult).status == 201)
        }
    }

    /// An offer to somebody whom the market of rides does not know: the link of its mail, and the person.
    private func offered(
        _ world: World, _ role: [String: JSONValue], born: String?, by admin: Tokens
    ) async throws -> (link: String, person: Person) {
        let person = Person()
        var more: [String: JSONValue] = ["terms": "2026-01", "birthDate": .string(born ?? "1990-05-17")]
        if born?.hasPrefix("20") == true { more["accompaniedBy"] = "Sara Al-Harbi" }
        #expect(try await world.post("accounts", person.with(more)).status == 201)
        let tokens = try await world.logIn(person)
        try await world.pool.execute(ProveBoth(account: tokens.account))
        try await world.pool.execute(
            PutRole(account: tokens.account, role: .customer(in: "hajji"), now: world.clock.now))
        // All that the market has of the person goes.
        let path = "v1/markets/assef/people/\(tokens.account.text)"
        #expect(try await world.send("DELETE", path, token: admin.access).status == 204)
        if born == nil { try await world.pool.execute(ForgetBirthDate(account: tokens.account)) }
        var body = role
        body["email"] = .string(person.email)
        #expect(try await world.post("markets/assef/role-offers", .object(body), token: admin.access).status == 202)
        let link = try #require(try await world.deliveries().last { $0.request.text == "role-offered" }?.token)
        return (link, person)
    }

    private func accept(_ world: World, _ link: String, _ more: [String: JSONValue] = [:]) async throws -> Answer {
        try await world.post("role-offers/finish", .object(more.merging(["token": .string(link)]) { $1 }))
    }

    @Test(
        "P1, I1, I2: who accepts an offer brings what the market asks of the role, and an incomplete try loses nothing")
    func offeredIntake() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let admin = try await world.admin(of: "assef")
            let terms: [String: JSONValue] = ["terms": "2026-01"]
            let (link, _) = try await offered(world, ["role": "customer"], born: nil, by: admin)
            #expect(try await accept(world, link).fields == ["/terms": "required", "/birthDate": "required"])
            let year = CalendarDate(of: world.clock.now, in: .gmt).year
            func born(_ age: Int) -> [String: JSONValue] {
                terms.merging(["birthDate": .string("\(year - age)-01-01")]) { $1 }
            }
            #expect(try await accept(world, link, born(9)).fields == ["/birthDate": "too-young"])
            #expect(try await accept(world, link, born(14)).fields == ["/accompaniedBy": "required"])
            let withAdult = born(14).merging(["accompaniedBy": "Sara Al-Harbi"]) { $1 }
            #expect(try await accept(world, link, withAdult).status == 204)
            #expect(try await accept(world, link, withAdult).slug == "proof-refused")

            let (young, _) = try await offered(
                world, ["role": "provider", "title": "nurse"], born: "\(year - 14)-01-01", by: admin)
            let driver = terms.merging(["details": Person.driverDetails]) { $1 }
            #expect(try await accept(world, young, driver).fields == ["/birthDate": "too-young"])

            let (grown, person) = try await offered(
                world, ["role": "provider", "title": "nurse"], born: "1990-05-17", by: admin)
            #expect(try await accept(world, grown, terms).fields["/details/licenceNumber"] == "required")
            #expect(try await accept(world, grown, driver).status == 204)
            let told = try #require(try await world.events(AccountChanged.self).last?.account)
            #expect(told.roles.filter { $0.market == "assef" }.map(\.vehicle) == ["regular"])
            let tokens = try await world.logIn(person)
            let papers = try await world.send("GET", "v1/accounts/me/providers/assef", token: tokens.access)
            #expect(papers.json?["details"]?["vehicleClass"] == "regular", "\(papers)")
        }
    }

    @Test("P1, I1: a customer who accepts an offer names an address where the market asks for one")
    func offeredAddress() async throws {
        try await World.run(onboarding: .edencare) { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = try await client(world)
            try await world.pool.execute(
                PutRole(account: person.account, role: .customer(in: "hajji"), now: world.clock.now))
            let path = "v1/markets/assef/people/\(person.account.text)"
            #expect(try await world.send("DELETE", path, token: admin.access).status == 204)
            let email = try #require(try await world.parts.readProfile(person.account, at: world.clock.now)?.email)
            let offer: JSONValue = ["role": "customer", "email": .string(email)]
            #expect(try await world.post("markets/assef/role-offers", offer, token: admin.access).status == 202)
            let link = try #require(try await world.deliveries().last { $0.request.text == "role-offered" }?.token)
            let terms: [String: JSONValue] = ["terms": "2026-11"]
            #expect(try await accept(world, link, terms).fields == ["/address": "required"])
            let address: JSONValue = [
                "label": "home", "name": "Home", "coordinates": ["latitude": 24.7, "longitude": 46.7],
            ]
            #expect(try await accept(world, link, ["address": address, "terms": "2026-11"]).status == 204)
            let places = try await world.pool.query(
                ListPlaces(
                    account: person.account, market: "assef",
                    after: try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000000")), limit: 5))
            #expect(places.count == 1)
        }
    }

    @Test("I13, Q7: nobody is given a role in a market that does not know him, nor while he is banned, nor by himself")
    func refused() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let (admin, master) = (try await world.admin(of: "assef"), try await world.admin(of: "*"))
            let (person, stranger) = (Person(), Person())
            var accounts: [UUID] = []
            for one in [person, stranger] {
                let made = try await world.post(
                    "accounts", one.with(["terms": "2026-01", "birthDate": "1990-05-17"]))
                accounts.append(try #require(made["account"].flatMap(UUID.init(uuidString:))))
            }
            try await world.pool.execute(
                PutRole(account: accounts[1], role: .customer(in: "hajji"), now: world.clock.now))
            try await world.pool.execute(DeleteMarketRoles(account: accounts[1], market: "assef"))
            #expect(try await give(world, to: accounts[1], by: admin).status == 404)
            #expect(try await give(world, to: .timeOrdered(), by: admin).status == 404)
            #expect(try await give(world, to: admin.account, by: admin).status == 403)
            #expect(try await give(world, to: admin.account, by: master).status == 404)
            let ban: JSONValue = ["account": .string(accounts[0].text), "reason": "Fraud."]
            _ = try await world.post("markets/assef/bans", ban, token: admin.access)
            #expect(try await give(world, to: accounts[0], by: admin).slug == "person-banned")
            _ = try await world.send("DELETE", "v1/markets/assef/bans/\(accounts[0].text)", token: admin.access)
            #expect(try await world.events(AccountManaged.self).isEmpty)
            // Where papers are asked for the provider brings them, and is told so.
            let given = try await give(world, to: accounts[0], by: admin)
            #expect(given.status == 201, "\(given)")
            let roles = try #require(try await world.events(AccountChanged.self).last?.account.roles)
            #expect(roles.filter { $0.role == "provider" }.map(\.verified) == [false])
            #expect(try await world.deliveries().last?.request.text == "role-given")
        }
    }
}
