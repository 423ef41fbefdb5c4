import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Friends and families", .timeLimit(.minutes(15)))
struct LinkTests {
    private func ask(
        _ world: World, _ tokens: Tokens, _ mobile: String, kind: String = "friend"
    ) async throws -> Answer {
        var body: [String: JSONValue] = ["kind": .string(kind), "mobile": .string(mobile)]
        if kind == "family" {
            body["market"] = "assef"
            body["scopes"] = ["order", "see"]
        }
        return try await world.post("accounts/me/links", .object(body), token: tokens.access)
    }

    private func links(_ world: World, _ tokens: Tokens) async throws -> [JSONValue] {
        try await world.send("GET", "v1/accounts/me/links", token: tokens.access).items
    }

    private func agree(_ world: World, _ tokens: Tokens, _ link: String) async throws -> Answer {
        try await world.post("accounts/me/links/\(link)/agreement", [:], token: tokens.access)
    }

    @Test("I9, P8: friends are made by mobile number and both sides' word; until then neither is told more than needed")
    func friends() async throws {
        try await World.run { world async throws in
            let (first, second) = (Person(), Person())
            let (asking, asked) = (try await world.join(first), try await world.join(second))
            let answer = try await ask(world, asking, second.mobile)
            #expect(answer.status == 201 && answer["state"] == "asked")
            let link = try #require(answer["link"])
            let mine = try #require(try await links(world, asking).first)
            #expect(mine["other"]?["name"] == nil && mine["other"]?["mobile"] == nil && mine["asksMe"] == false)
            // Not even the id, by which others of the market see name and picture.
            #expect(mine["other"]?["account"] == nil)
            let theirs = try #require(try await links(world, asked).first)
            #expect(theirs["other"]?["name"] == .string(first.name) && theirs["other"]?["mobile"] == nil)
            #expect(theirs["asksMe"] == true)
            #expect(try await ask(world, asked, first.mobile).slug == "link-exists")
            #expect(try await agree(world, asking, link).status == 403)
            let third = try await world.join(Person())
            #expect(try await agree(world, third, link).status == 404)
            #expect(try await world.send("DELETE", "v1/accounts/me/links/\(link)", token: third.access).status == 404)
            #expect(try await links(world, third).isEmpty)
            #expect(try await world.events(LinkConfirmed.self).isEmpty)
            #expect(try await agree(world, asked, link)["state"] == "confirmed")
            #expect(try await agree(world, asked, link).slug == "link-state")
            let friend = try #require(try await links(world, asking).first)
            #expect(friend["other"]?["mobile"] == .string(second.mobile))
            let told = try #require(try await world.events(LinkConfirmed.self).first)
            #expect(told.kind == .friend && told.from == asking.account && told.to == asked.account && told.by == nil)
            let path = "v1/accounts/me/links/\(link)"
            #expect(try await world.send("DELETE", path, token: asked.access).status == 204)
            #expect(try await world.send("DELETE", path, token: asking.access).status == 404)
            #expect(try await links(world, asking).isEmpty)
            #expect(try await world.events(LinkRemoved.self).map(\.link.text) == [link])
            let moves = try await world.events(LinkMoved.self)
            #expect(moves.map(\.step) == [.asked, .confirmed, .removed])
            #expect(moves.map(\.by) == [asking.account, asked.account, asked.account])
            #expect(moves.allSatisfy { $0.from.name == first.name && $0.to.name == second.name })
        }
    }

    @Test("I9: an unknown number has the words of the source, and numbers cannot be tried out in numbers")
    func enumeration() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            let other = Person()
            _ = try await world.register(other)
            let unknown = try await ask(world, tokens, "+966509999999999")
            #expect(unknown.status == 422 && unknown.fields == ["/mobile": "unknown-mobile"])
            #expect(String(decoding: unknown.bytes, as: UTF8.self).contains("خاطئ أو غير موجود"))
            for number in 1..<LinkRule.askedPerDay {
                #expect(try await ask(world, tokens, "+96650888\(1_000 + number)").status == 422)
            }
            let over = try await ask(world, tokens, other.mobile)
            #expect(over.status == 429 && over.slug == "links-asked" && over.headers["retry-after"] != nil)
            world.clock.advance(by: .seconds(86_400))
            #expect(try await ask(world, tokens, other.mobile).status == 201)
        }
    }

    @Test("I9: a number of somebody who has not confirmed it, and one's own, link nobody")
    func nobody() async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            #expect(try await ask(world, tokens, person.mobile).fields == ["/mobile": "own-mobile"])
            let waiting = Person()
            let id = try await world.register(waiting)
            try await world.pool.execute(Unconfirm(account: id))
            #expect(try await ask(world, tokens, waiting.mobile).fields == ["/mobile": "unknown-mobile"])
        }
    }

    @Test("I9: a family needs both sides' word and an admin's of its market, in this order")
    func families() async throws {
        try await World.run { world async throws in
            let (first, second) = (Person(), Person())
            let (asking, asked) = (try await world.join(first), try await world.join(second))
            let admin = try await world.admin(of: "assef")
            let foreign = try await world.foreignAdmin()
            let link = try #require(try await ask(world, asking, second.mobile, kind: "family")["link"])
            let approval = "markets/assef/links/\(link)/approval"
            #expect(try await world.post(approval, [:], token: admin.access).slug == "link-state")
            #expect(try await agree(world, asked, link)["state"] == "agreed")
            #expect(try await world.events(LinkConfirmed.self).isEmpty)
            let list = try await world.send("GET", "v1/markets/assef/links", token: admin.access)
            #expect(list.items.map { $0["link"] } == [.string(link)])
            #expect(try await world.post(approval, [:], token: foreign.access).status == 403)
            #expect(try await world.post(approval, [:], token: asked.access).status == 403)
            #expect(try await world.post(approval, [:], token: admin.access)["state"] == "confirmed")
            let told = try #require(try await world.events(LinkConfirmed.self).first)
            #expect(told.scopes == ["order", "see"] && told.market == "assef" && told.by == admin.account)
            // No friend: neither number nor place.
            let seen = try #require(try await links(world, asking).first)
            #expect(seen["other"]?["mobile"] == nil && seen["other"]?["name"] == .string(second.name))
            let path = "v1/markets/assef/links/\(link)"
            #expect(try await world.send("DELETE", path, token: asked.access).status == 403)
            #expect(try await world.send("DELETE", path, token: admin.access).status == 204)
            #expect(try await world.events(LinkRemoved.self).map(\.by) == [admin.account])
            let moves = try await world.events(LinkMoved.self)
            #expect(moves.map(\.step) == [.asked, .agreed, .confirmed, .removed])
            #expect(moves.map(\.by) == [asking.account, asked.account, admin.account, admin.account])
        }
    }

    @Test("I9: an admin makes a family for two people of the market, and for nobody else")
    func made() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let one = try await world.register(Person())
            let other = try await world.register(Person())
            func make(_ from: UUID, _ to: UUID) async throws -> Answer {
                let body: JSONValue = ["from": .string(from.text), "to": .string(to.text), "scopes": ["see"]]
                return try await world.post("markets/assef/links", body, token: admin.access)
            }
            #expect(try await make(one, other)["state"] == "confirmed")
            #expect(try await make(other, one).slug == "link-exists")
            #expect(try await make(one, one).status == 422)
            let master = try await world.admin(of: "*")
            #expect(try await make(one, master.account).status == 404)
            // Nor for themselves: what a family may do is others' to give.
            #expect(try await make(one, admin.account).status == 403)
            #expect(try await make(admin.account, one).status == 403)
            #expect(try await world.events(LinkConfirmed.self).map(\.by) == [admin.account])
        }
    }

    @Test("I9, P1: an admin does not approve a family of their own; another one does")
    func ownFamily() async throws {
        try await World.run { world async throws in
            let (admin, other) = (try await world.admin(of: "assef"), try await world.admin(of: "assef"))
            let family = Link(
                id: .timeOrdered(), kind: .family, market: "assef", from: admin.account,
                to: try await world.register(Person()), scopes: [.see], state: .agreed)
            #expect(try await world.pool.first(InsertLink(link: family, now: world.clock.now)) == family.id)
            let approval = "markets/assef/links/\(family.id.text)/approval"
            #expect(try await world.post(approval, [:], token: admin.access).status == 403)
            #expect(try await world.events(LinkConfirmed.self).isEmpty)
            #expect(try await world.post(approval, [:], token: other.access)["state"] == "confirmed")
        }
    }

    @Test("I9, I11: of two of whom one is banned in the market an admin neither makes a family nor approves one")
    func banned() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let (first, second) = (Person(), Person())
            let (asking, asked) = (try await world.join(first), try await world.join(second))
            let link = try #require(try await ask(world, asking, second.mobile, kind: "family")["link"])
            #expect(try await agree(world, asked, link)["state"] == "agreed")
            func ban(_ account: UUID) async throws {
                let body: JSONValue = ["account": .string(account.text), "reason": "Did not come."]
                let answer = try await world.post("markets/assef/bans", body, token: admin.access)
                #expect(answer.status == 201)
            }
            func lift(_ account: UUID) async throws {
                let path = "v1/markets/assef/bans/\(account.text)"
                #expect(try await world.send("DELETE", path, token: admin.access).status == 204)
            }
            func approve() async throws -> Answer {
                try await world.post("markets/assef/links/\(link)/approval", [:], token: admin.access)
            }
            let third = try await world.register(Person())
            func make(_ from: UUID, _ to: UUID) async throws -> Answer {
                let body: JSONValue = ["from": .string(from.text), "to": .string(to.text), "scopes": ["see"]]
                return try await world.post("markets/assef/links", body, token: admin.access)
            }
            for account in [asking.account, asked.account] {
                try await ban(account)
                let refused = try await approve()
                #expect(refused.status == 409 && refused.slug == "link-banned")
                #expect(try await make(account, third).slug == "link-banned")
                #expect(try await make(third, account).slug == "link-banned")
                try await lift(account)
            }
            #expect(try await world.events(LinkConfirmed.self).isEmpty)
            #expect(try await approve()["state"] == "confirmed")
            #expect(try await make(third, asking.account)["state"] == "confirmed")
        }
    }

    @Test("I10, I14: a shared place is seen by confirmed friends alone, encrypted, and ends by itself or by its owner")
    func place() async throws {
        try await World.run { world async throws in
            let (first, second) = (Person(), Person())
            let (owner, friend) = (try await world.join(first), try await world.join(second))
            let relative = try await world.join(Person())
            func places(_ tokens: Tokens) async throws -> [JSONValue?] {
                try await links(world, tokens).map { $0["other"]?["place"] }
            }
            func share(_ minutes: JSONValue = 60) async throws -> Answer {
                try await world.send(
                    "PUT", "v1/accounts/me/shared-place",
                    ["latitude": 21.4225, "longitude": 39.8262, "minutes": minutes], token: owner.access)
            }
            #expect(try await share(0).status == 422)
            #expect(try await share().status == 200)
            let link = try #require(try await ask(world, friend, first.mobile)["link"])
            #expect(try await places(friend) == [nil])
            #expect(try await agree(world, owner, link).status == 200)
            let seen = try #require(try await places(friend).first ?? nil)
            #expect(seen["latitude"] == 21.4225 && seen["longitude"] == 39.8262)
            #expect(try await places(owner) == [nil])
            #expect(try await places(relative).isEmpty)
            let dump = try #require(try await world.pool.first(DumpPlaces()))
            #expect(!dump.contains("21.4225"))
            world.clock.advance(by: .seconds(3_600))
            #expect(try await places(friend) == [nil])
            try await PurgeExpired(
                pool: world.pool, logger: TestThreads.logger, clock: { world.clock.now }, interval: .seconds(1)
            ).purge()
            #expect(try await world.pool.first(DumpPlaces()) == "")
            #expect(try await share().status == 200)
            #expect(try await world.send("DELETE", "v1/accounts/me/shared-place", token: owner.access).status == 204)
            #expect(try await places(friend) == [nil])
            #expect(try await share().status == 200)
            _ = try await world.send("DELETE", "v1/accounts/me/links/\(link)", token: owner.access)
            #expect(try await places(friend).isEmpty)
        }
    }

    @Test("I9: of two who ask each other at once one is the asking", arguments: 1...5)
    func race(_ round: Int) async throws {
        try await World.run { world async throws in
            let (first, second) = (Person(), Person())
            let (one, other) = (try await world.join(first), try await world.join(second))
            async let left = ask(world, one, second.mobile)
            async let right = ask(world, other, first.mobile)
            #expect(try await [left.status, right.status].sorted() == [201, 409])
            #expect(try await links(world, one).count == 1)
        }
    }

    @Test("I9, I12: the links of somebody who is gone are gone, and others are told")
    func gone() async throws {
        try await World.run { world async throws in
            let (first, second) = (Person(), Person())
            let (leaving, left) = (try await world.join(first), try await world.join(second))
            let link = try #require(try await ask(world, leaving, second.mobile)["link"])
            #expect(try await agree(world, left, link).status == 200)
            let deletion = try await world.askDeletion(first, leaving)
            for service in Deletion.Service.allCases {
                try await world.answer(deletion, of: leaving.account, from: service)
            }
            #expect(try await links(world, left).isEmpty)
            #expect(try await world.events(LinkRemoved.self).map(\.link.text) == [link])
        }
    }
}

private struct Unconfirm: Statement {
    static let sql: SQL = "UPDATE accounts SET confirmed_at = NULL WHERE id = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

private struct DumpPlaces: Statement {
    static let sql: SQL = """
        SELECT coalesce(string_agg(p::text || encode(place, 'escape'), ' '), '')
        FROM shared_places p
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
