import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import Testing
import TestKit

@testable import SeraiIdentity

@Suite("Contacts of the parties of an order, and those that people show", .timeLimit(.minutes(5)))
struct PartyContactTests {
    private struct Scene: Sendable {
        let world: World
        let owner: Tokens
        let carrier: Tokens
        let stranger: Tokens
        let order = UUID.timeOrdered()

        init(_ world: World) async throws {
            self.world = world
            func join(_ role: String, _ title: String?) async throws -> Tokens {
                let person = Person()
                let account = try await world.register(person)
                try await world.pool.execute(InsertCarrepsaRole(account: account, role: role, title: title))
                return try await world.logIn(person)
            }
            owner = try await join("customer", nil)
            carrier = try await join("provider", "carrier")
            stranger = try await join("provider", "carrier")
        }

        func snapshot(
            _ state: OrderSnapshot.State, version: Int, deposit: Int? = nil, hasCarrier: Bool = true
        ) -> OrderSnapshot {
            OrderSnapshot(
                order: order, market: "carrepsa", kind: "parcel", version: version, state: state,
                customer: .init(account: owner.account, name: "Olof"),
                provider: hasCarrier ? .init(account: carrier.account, name: "Karin") : nil, services: [],
                total: Money(amount: 5_000, currency: "SEK"), payment: .init(method: "wallet", state: .held),
                confirmedBy: [], deadline: nil, by: .provider, reason: nil, requestedAt: world.clock.now,
                changedAt: world.clock.now, deposit: deposit.map { Money(amount: $0, currency: "SEK") })
        }

        func hear(_ body: @Sendable (PostgresTransaction) -> Void) async throws {
            try await world.pool.withTransaction { body($0) }
        }

        func sees(_ reader: Tokens, _ other: Tokens) async throws -> [String] {
            let path = "v1/markets/carrepsa/people/\(other.account.text)"
            let answer = try await world.send("GET", path, token: reader.access)
            #expect(answer.status == 200, "\(answer)")
            return ["email", "mobile"].filter { answer[$0] != nil }
        }

        func bothSee() async throws -> Bool {
            let (one, two) = (try await sees(owner, carrier), try await sees(carrier, owner))
            #expect(one.count == two.count)
            return one.count == 2
        }
    }

    @Test(
        "P8, O11: owner and carrier see each other's contact from the acceptance until a day after the end, strangers never"
    )
    func parties() async throws {
        try await World.run { world async throws in
            let scene = try await Scene(world)
            #expect(try await !scene.bothSee())
            try await scene.hear {
                OpenContacts.accepted(scene.snapshot(.accepted, version: 3), isDeposited: false, in: $0)
            }
            #expect(try await scene.bothSee())
            #expect(try await scene.sees(scene.stranger, scene.owner).isEmpty)
            #expect(try await scene.sees(scene.stranger, scene.carrier).isEmpty)
            // A carrier who gives it back knows nobody any more, whatever comes late.
            let carrier = OrderSnapshot.Party(account: scene.carrier.account, name: "Karin")
            try await scene.hear {
                OpenContacts.reopened(
                    scene.snapshot(.requested, version: 4, hasCarrier: false), former: carrier, in: $0)
            }
            try await scene.hear {
                OpenContacts.accepted(scene.snapshot(.accepted, version: 3), isDeposited: false, in: $0)
            }
            #expect(try await !scene.bothSee())
            try await scene.hear {
                OpenContacts.accepted(scene.snapshot(.accepted, version: 5), isDeposited: false, in: $0)
            }
            try await scene.hear { OpenContacts.ended(scene.snapshot(.completed, version: 7), in: $0) }
            #expect(try await scene.bothSee())
            try await world.pool.execute(EndOpenTimes())
            #expect(try await !scene.bothSee())
        }
    }

    @Test("P8, O11: who owes a deposit reads no number before it is locked, and not when the order ends first")
    func deposit() async throws {
        try await World.run { world async throws in
            let scene = try await Scene(world)
            let accepted = scene.snapshot(.accepted, version: 3, deposit: 9_000)
            try await scene.hear { OpenContacts.accepted(accepted, isDeposited: false, in: $0) }
            #expect(try await !scene.bothSee())
            try await scene.hear { OpenContacts.ended(scene.snapshot(.cancelled, version: 4, deposit: 9_000), in: $0) }
            #expect(try await !scene.bothSee())
            let deposited = scene.snapshot(.accepted, version: 5, deposit: 9_000)
            try await scene.hear { OpenContacts.accepted(deposited, isDeposited: true, in: $0) }
            #expect(try await scene.bothSee())
            let names = try world.handlers.names
            #expect(Set(names).isSuperset(of: [OrderAccepted.name, OrderDeposited.name, OrderReopened.name]))
        }
    }

    @Test("P8, I6: a person shows e-mail or mobile to a market or takes it back; only its people read what is shown")
    func published() async throws {
        try await World.run { world async throws in
            let scene = try await Scene(world)
            let path = "v1/accounts/me/markets/carrepsa/contact"
            let before = try await world.send("GET", path, token: scene.owner.access)
            #expect(before.json?["email"] == false && before.json?["mobile"] == false)
            let shown = try await world.send(
                "PUT", path, ["email": true, "mobile": false], token: scene.owner.access)
            #expect(shown.status == 200, "\(shown)")
            #expect(try await scene.sees(scene.stranger, scene.owner) == ["email"])
            #expect(try await scene.sees(scene.owner, scene.stranger).isEmpty)
            _ = try await world.send("PUT", path, ["email": false, "mobile": true], token: scene.owner.access)
            #expect(try await scene.sees(scene.stranger, scene.owner) == ["mobile"])
            _ = try await world.send("PUT", path, ["email": false, "mobile": false], token: scene.owner.access)
            #expect(try await scene.sees(scene.stranger, scene.owner).isEmpty)
            #expect(try await world.send("PUT", path, [:], token: scene.owner.access).status == 422)
            let foreign = "v1/accounts/me/markets/edencare/contact"
            #expect(try await world.send("GET", foreign, token: scene.owner.access).status == 403)
            #expect(try await world.send("GET", path).status == 401)
            // The market itself opens nothing any more.
            #expect(!Market.Onboarding.carrepsa.opensContact)
        }
    }

    @Test("P8: nobody shows a number to all of a market that keeps contacts inside, whatever was chosen earlier")
    func unpublished() async throws {
        #expect(Market.all.filter(\.onboarding.publishesContact).map(\.id) == ["carrepsa"])
        try await World.run { world async throws in
            let (nurse, reader) = (Person(), Person())
            let account = try await world.register(nurse)
            try await world.register(reader)
            let (own, other) = (try await world.logIn(nurse), try await world.logIn(reader))
            let path = "v1/accounts/me/markets/assef/contact"
            #expect(try await world.send("GET", path, token: own.access).status == 404)
            let put = try await world.send("PUT", path, ["email": true, "mobile": true], token: own.access)
            #expect(put.status == 404, "\(put)")
            // As if a row were left from before.
            try await world.pool.execute(
                PutPublishedContact(
                    account: account, market: "assef", contact: PublishedContact(email: true, mobile: true),
                    now: world.clock.now))
            let seen = try await world.send("GET", "v1/markets/assef/people/\(account.text)", token: other.access)
            #expect(seen.status == 200 && seen.json?["mobile"] == nil && seen.json?["email"] == nil, "\(seen)")
        }
    }
}

private struct InsertCarrepsaRole: Statement {
    static let sql: SQL = """
        WITH accepted AS (
            INSERT INTO accepted_terms (account, market, version, accepted_at) VALUES ($1, 'carrepsa', $4, now())
        )
        INSERT INTO roles (account, market, role, title, state, requested_at)
        VALUES ($1, 'carrepsa', $2, $3, CASE WHEN $2 = 'provider' THEN 'verified' ELSE 'active' END, now())
        """
    let account: UUID
    let role: String
    let title: String?
    func bind(_ bindings: inout Bindings) {
        bindings.append(account, role, title, Market.carrepsa.onboarding.terms?.version)
    }
}

private struct EndOpenTimes: Statement {
    static let sql: SQL = "UPDATE opened_contacts SET closes_at = closes_at - interval '2 days'"
}
