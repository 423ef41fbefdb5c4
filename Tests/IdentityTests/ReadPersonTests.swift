import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Who sees whose contact in a market", .timeLimit(.minutes(15)))
struct ReadPersonTests {
    private struct Scene: Sendable {
        let world: World
        let shown: UUID
        let person = Person()

        init(_ world: World) async throws {
            self.world = world
            shown = try await world.register(person)
        }

        /// Another account, with this role in assef alone.
        func reader(_ role: String?, _ state: String = "active", in market: String = "assef") async throws -> UUID {
            let account = try await world.register(Person())
            try await world.pool.execute(DropRoles(account: account))
            if let role {
                try await world.pool.execute(
                    PutTestRole(account: account, market: market, role: role, state: state))
            }
            return account
        }

        func read(_ id: UUID? = nil, by reader: UUID, in market: String = "assef") async throws -> PublicPerson? {
            try await world.parts.readPerson(id ?? shown, for: reader, in: market, at: world.clock.now)
        }

        /// True if the contact is shown, all of it.
        func isOpen(to reader: UUID) async throws -> Bool {
            let found = try #require(try await read(by: reader))
            #expect((found.email == nil) == (found.mobile == nil))
            if let email = found.email { #expect(email == person.email && found.mobile == person.mobile) }
            return found.email != nil
        }
    }

    @Test("P8, I6: where a market opens contacts, its people of this moment see them, and nobody else")
    func open() async throws {
        var onboarding = Market.Onboarding()
        onboarding.opensContact = true
        try await World.run(onboarding: onboarding) { world async throws in
            let scene = try await Scene(world)
            let cases: [(role: String?, state: String, market: String, isOpen: Bool)] = [
                ("customer", "active", "assef", true), ("provider", "verified", "assef", true),
                ("provider", "waiting", "assef", false), ("provider", "rejected", "assef", false),
                ("admin", "active", "assef", true), ("admin", "active", "*", true), (nil, "", "assef", false),
                ("customer", "active", "btnc", false), ("admin", "active", "btnc", false),
            ]
            for one in cases {
                let reader = try await scene.reader(one.role, one.state, in: one.market)
                #expect(try await scene.isOpen(to: reader) == one.isOpen, "\(one)")
            }
            #expect(try await scene.isOpen(to: scene.shown))
            #expect(try await scene.isOpen(to: .timeOrdered()) == false)
            // An account that was banned since then sees nothing any more, although its token is still good.
            let admin = try await world.admin(of: "assef")
            for until in [nil, world.clock.now.addingTimeInterval(3_600)] {
                let reader = try await scene.reader("customer")
                #expect(try await scene.isOpen(to: reader))
                var body: [String: JSONValue] = ["account": .string(reader.text), "reason": "Rude"]
                body["until"] = until.map { .string(Timestamp.text($0)) }
                let banned = try await world.post("markets/assef/bans", .object(body), token: admin.access)
                #expect(banned.status < 300, "\(banned)")
                #expect(try await scene.isOpen(to: reader) == false)
            }
        }
    }

    @Test("P8, I6: where a market keeps contacts, one sees one's own alone, and an admin none")
    func closed() async throws {
        try await World.run(onboarding: Market.Onboarding()) { world async throws in
            let scene = try await Scene(world)
            for role in ["customer", "admin"] {
                #expect(try await scene.isOpen(to: try await scene.reader(role)) == false, "\(role)")
            }
            let provider = try await scene.reader("provider", "verified")
            #expect(try await scene.isOpen(to: provider) == false)
            #expect(try await scene.isOpen(to: scene.shown))
        }
    }

    @Test("P8, I11: who is no customer or provider of the market, is banned or not confirmed is not there for others")
    func absent() async throws {
        try await World.run(onboarding: Market.Onboarding()) { world async throws in
            let scene = try await Scene(world)
            let reader = try await scene.reader("customer")
            #expect(try await scene.read(.timeOrdered(), by: reader) == nil)
            #expect(try await scene.read(by: reader, in: "btnc") == nil)
            for (role, state, market) in [("admin", "active", "assef"), ("customer", "active", "btnc")] {
                let other = try await scene.reader(role, state, in: market)
                #expect(try await scene.read(other, by: reader) == nil, "\(role) \(market)")
            }
            // A person's roles in other markets and an admin's rights are not shown.
            let many = try await scene.reader("customer")
            for (market, role) in [("assef", "admin"), ("btnc", "customer"), ("*", "admin")] {
                try await world.pool.execute(PutTestRole(account: many, market: market, role: role, state: "active"))
            }
            let seen = try #require(try await scene.read(many, by: reader))
            #expect(seen.roles.map(\.kind) == [.customer] && seen.roles.map(\.market) == ["assef"])
            let admin = try await world.admin(of: "assef")
            let body: JSONValue = ["account": .string(scene.shown.text), "reason": "Rude"]
            #expect(try await scene.read(by: reader) != nil)
            #expect(try await world.post("markets/assef/bans", body, token: admin.access).status < 300)
            #expect(try await scene.read(by: reader) == nil)
            #expect(try await scene.read(by: scene.shown) == nil)
            try await world.pool.execute(Unconfirm(account: many))
            #expect(try await scene.read(many, by: reader) == nil)
        }
    }
}

private struct DropRoles: Statement {
    static let sql: SQL = "DELETE FROM roles WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

private struct PutTestRole: Statement {
    static let sql: SQL = """
        INSERT INTO roles (account, market, role, title, state, requested_at)
        VALUES ($1, $2, $3, CASE WHEN $3 = 'provider' THEN 'nurse' END, $4, now())
        """
    let account: UUID
    let market: String
    let role: String
    let state: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market, role, state) }
}

private struct Unconfirm: Statement {
    static let sql: SQL = "UPDATE accounts SET confirmed_at = NULL WHERE id = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
