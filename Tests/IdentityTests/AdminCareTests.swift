import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("What admins see, say and leave behind", .timeLimit(.minutes(15)))
struct AdminCareTests {
    private func driver(_ world: World) async throws -> Tokens {
        let person = Person.provider()
        try #require(try await world.post("accounts", person.asDriver).status == 201)
        return try await world.logIn(person)
    }

    private func papers(_ world: World, _ tokens: Tokens) async throws -> Answer {
        try await world.send("GET", "v1/accounts/me/providers/assef", token: tokens.access)
    }

    private func version(_ world: World, _ tokens: Tokens, _ admin: Tokens) async throws -> JSONValue? {
        let list = try await world.send("GET", "v1/markets/assef/providers", token: admin.access)
        return list.items.first { $0["account"] == .string(tokens.account.text) }?["version"]
    }

    @Test(
        "I7: details and a day of birth that change while an admin looks are another version, so the word is not about them"
    )
    func swapped() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let admin = try await world.admin(of: "assef")
            let provider = try await driver(world)
            let shown = try #require(try await version(world, provider, admin))
            guard case .object(var other) = Person.driverDetails else { return }
            other["vehiclePlate"] = "9XYZ 999"
            let put = try await world.send(
                "PUT", "v1/accounts/me/providers/assef/details", ["details": .object(other)], token: provider.access)
            #expect(put.status == 200)
            let path = "markets/assef/providers/\(provider.account.text)/verification"
            let late = try await world.post(
                path, ["decision": "verify", "title": "nurse", "version": shown], token: admin.access)
            #expect(late.slug == "provider-changed")
            let next = try #require(try await version(world, provider, admin))
            #expect(next != shown)
            let born = try await world.send(
                "PATCH", "v1/accounts/me", ["birthDate": "1990-05-18"], token: provider.access)
            #expect(born.status == 200)
            let again = try await world.post(
                path, ["decision": "verify", "title": "nurse", "version": next], token: admin.access)
            #expect(again.slug == "provider-changed")
            #expect(try await world.events(AccountChanged.self).count == 2)
        }
    }

    @Test("I7: whose paper is rejected is told why by mail, or by SMS without an address; a reason shows what it says")
    func rejected() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let admin = try await world.admin(of: "assef")
            let provider = try await driver(world)
            func upload(_ kind: String) async throws -> String {
                let answer = try await world.upload(
                    "accounts/me/providers/assef/documents/\(kind)", SampleFiles.pdf, as: "application/pdf",
                    token: provider.access)
                guard case .array(let documents)? = answer.json?["documents"],
                    case .string(let id)? = documents.first(where: { $0["kind"] == .string(kind) })?["document"]
                else { throw Victim.Missing(what: "\(answer)") }
                return "markets/assef/providers/\(provider.account.text)/documents/\(id)/decision"
            }
            let licence = try await upload("licence")
            let hidden = try await world.post(
                licence, ["decision": "reject", "reason": "No \u{7}on"], token: admin.access)
            #expect(hidden.fields == ["/reason": "control-characters"])
            let body: JSONValue = ["decision": "reject", "reason": "It cannot be read."]
            #expect(try await world.post(licence, body, token: admin.access).status == 200)
            let mail = try #require(try await world.deliveries().last)
            #expect(mail.request.text == "document-rejected" && mail.request.channel == .mail)
            #expect(mail.contents.arguments["reason"] == "It cannot be read.")
            #expect(mail.contents.arguments["paper"] == "رخصة القيادة")
            try await world.pool.execute(RemoveEmail(account: provider.account))
            #expect(try await world.post(try await upload("police-clearance"), body, token: admin.access).status == 200)
            #expect(try await world.deliveries().last?.request.channel == .sms)
        }
    }

    @Test("I7: who is verified by confirming alone, or by an admin who makes the account, is told how to prepare, too")
    func prepared() async throws {
        try await World.run(confirmation: .email, onboarding: .carrepsaInAssef) { world async throws in
            let person = Person.provider()
            #expect(try await world.post("accounts", person.json).status == 201)
            let link = try #require(try await world.deliveries().last?.token)
            #expect(try await world.post("confirmations", ["token": .string(link)]).status == 204)
            #expect(try await world.deliveries().last?.request.text == "provider-verified-subscribed")
            #expect(try await world.deliveries().last?.contents.to == person.email)
        }
        try await NafathWorld.run { nafath async throws in
            _ = nafath.add("nurse", jobTitle: "Nurse")
            #expect(try await nafath.signIn("nurse").status == 201)
            let told = try #require(try await nafath.world.deliveries().last)
            #expect(told.request.text == "provider-verified-subscribed" && told.request.channel == .sms)
        }
    }

    @Test(
        "I13, I14: whom an admin removes from one of his markets leaves nothing there, and comes back by an admin's word"
    )
    func removed() async throws {
        try await World.run(onboarding: .carrepsaInAssef) { world async throws in
            let admin = try await world.admin(of: "assef")
            let tokens = try await world.join(.provider())
            let id = tokens.account
            try await world.pool.execute(
                PutRole(account: id, role: .customer(in: "hajji"), now: world.clock.now))
            let (sealed, now) = ([UInt8(1)], world.clock.now)
            for market in ["assef", "hajji"] {
                try await world.pool.withTransaction { transaction in
                    transaction.send(
                        PutRoleDetails(
                            id: .timeOrdered(), account: id, market: market, role: .provider, sealed: sealed, now: now))
                    transaction.send(
                        InsertDocument(
                            id: .timeOrdered(), account: id, market: market, kind: "licence", mediaType: "image/png",
                            size: 1, digest: [1], sealed: sealed, now: now))
                    transaction.send(
                        InsertPlace(id: .timeOrdered(), account: id, market: market, sealed: sealed, now: now))
                    transaction.send(PutAcceptedTerms(account: id, market: market, version: "1", now: now))
                }
            }
            let relative = try await world.join(Person())
            let link = try await world.post(
                "markets/assef/links",
                ["from": .string(id.text), "to": .string(relative.account.text), "scopes": ["see"]],
                token: admin.access)
            #expect(link.status == 201)
            let path = "v1/markets/assef/people/\(id.text)"
            #expect(try await world.send("DELETE", path, token: admin.access).status == 204)
            #expect(try await world.pool.query(MarketsWithRows(account: id)) == ["hajji", "hajji", "hajji", "hajji"])
            #expect(try await world.events(LinkRemoved.self).map(\.by) == [admin.account])
            // The owner, who is still somebody elsewhere, asks again.
            let role = Role.provider(in: "assef", title: "nurse")
            var verified = role
            verified.state = .verified
            let asked = verified
            let account = try await world.pool.withTransaction { transaction in
                try await world.parts.change.add(asked, to: id, at: now, in: transaction)
            }
            #expect(account.role(.provider, in: "assef")?.state == .waiting)
            #expect(try await world.verify(id, by: admin).status == 200)
            #expect(try await world.pool.first(HasLeftMarket(account: id, market: "assef")) == nil)
        }
    }

    @Test("I13, I7: whose rights were taken verifies no provider and decides no paper, whatever the token says")
    func rights() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let provider = try await world.join(.provider())
            try await world.pool.execute(DropAdmins(account: admin.account))
            #expect(try await world.verify(provider.account, by: admin).status == 403)
            let state = try await papers(world, provider)
            #expect(state.json?["provider"]?["verified"] == false)
        }
    }

    @Test("I11, I9: who is banned in a market agrees to no family there")
    func bannedRelative() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let second = Person()
            let (first, asked) = (try await world.join(Person()), try await world.join(second))
            let link = try #require(
                try await world.post(
                    "accounts/me/links",
                    ["kind": "family", "mobile": .string(second.mobile), "market": "assef", "scopes": ["see"]],
                    token: first.access)["link"])
            let ban = try await world.post(
                "markets/assef/bans", ["account": .string(asked.account.text), "reason": "Fraud."],
                token: admin.access)
            #expect(ban.status == 204 || ban.status == 200 || ban.status == 201, "\(ban)")
            let again = try await world.logIn(second)
            let path = "accounts/me/links/\(link)/agreement"
            #expect(try await world.post(path, [:], token: again.access).slug == "banned")
            let lifted = try await world.send(
                "DELETE", "v1/markets/assef/bans/\(asked.account.text)", token: admin.access)
            #expect(lifted.status == 204)
            #expect(try await world.post(path, [:], token: again.access).status == 200)
        }
    }

    @Test("I12: an account that has lost its last role is a master admin's to remove")
    func withoutRoles() async throws {
        try await World.run { world async throws in
            let account = try await world.register(Person())
            try await world.pool.execute(DeleteMarketRoles(account: account, market: "assef"))
            let now = world.clock.now
            try await world.pool.execute(
                InsertRemoval(account: account, cause: .inactive, now: now.addingTimeInterval(86_400 * 2), dueAt: now))
            let (admin, master) = (try await world.admin(of: "assef"), try await world.admin(of: "*"))
            func listed(_ tokens: Tokens) async throws -> Int {
                try await world.send("GET", "v1/markets/assef/removals", token: tokens.access).items.count
            }
            #expect(try await listed(admin) == 0)
            #expect(try await listed(master) == 1)
            let decide = "markets/assef/removals/\(account.text)/decision"
            #expect(try await world.post(decide, ["decision": "remove"], token: admin.access).status == 404)
            #expect(try await world.post(decide, ["decision": "remove"], token: master.access).status == 202)
        }
    }

    @Test("I10: a place that is shared is gone when it ends, and one that is shared on stays")
    func shared() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            func share(_ minutes: Int) async throws -> Deadline {
                let answer = try await world.send(
                    "PUT", "v1/accounts/me/shared-place",
                    ["latitude": 24.7, "longitude": 46.7, "minutes": .integer(Int64(minutes))], token: tokens.access)
                try #require(answer.status == 200)
                return Deadline(
                    kind: SharedPlace.deadline, subject: tokens.account.text,
                    dueAt: world.clock.now.addingTimeInterval(Double(minutes) * 60))
            }
            func isKept() async throws -> Bool {
                try await world.pool.first(FindOwnSharedPlace(account: tokens.account, now: .distantPast)) != nil
            }
            let first = try await share(5)
            let second = try await share(10)
            try await world.pool.withTransaction { SharedPlace.end(first, in: $0) }
            #expect(try await isKept())
            try await world.pool.withTransaction { SharedPlace.end(second, in: $0) }
            #expect(try await !isKept())
            #expect(try await world.pool.query(SharingDeadlines()).count == 1)
            #expect(
                try await world.send("DELETE", "v1/accounts/me/shared-place", token: tokens.access).status == 204)
            #expect(try await world.pool.query(SharingDeadlines()).isEmpty)
        }
    }

    @Test("I1: a young rider whose adult is named corrects the day of birth")
    func young() async throws {
        try await World.run(onboarding: .rides, clock: FixedClock(Date(timeIntervalSince1970: 1_773_300_000))) {
            world async throws in
            let person = Person()
            let account = try await world.post(
                "accounts",
                person.with(["terms": "2026-01", "birthDate": "2012-01-05", "accompaniedBy": "Sara Al-Harbi"]))
            let id = try #require(account["account"].flatMap(UUID.init(uuidString:)))
            let profile = try await world.parts.readProfile(id, at: world.clock.now)
            let rules = world.parts.roleRules
            func say(_ day: String) -> Form {
                let form = Form(["birthDate": .string(day)])
                _ = form.birthDate(of: profile, by: rules)
                return form
            }
            #expect(say("2012-05-01").isValid)
            #expect(!say("2013-05-01").isValid)
        }
    }
}

private struct MarketsWithRows: Statement {
    static let sql: SQL = """
        SELECT market FROM documents WHERE account = $1 UNION ALL SELECT market FROM role_details WHERE account = $1
        UNION ALL SELECT market FROM saved_places WHERE account = $1
        UNION ALL SELECT market FROM accepted_terms WHERE account = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

private struct DropAdmins: Statement {
    static let sql: SQL = "DELETE FROM roles WHERE account = $1 AND role = 'admin'"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

private struct SharingDeadlines: Statement {
    static let sql: SQL = "SELECT subject FROM deadlines WHERE kind = 'identity.shared-place-ends'"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
