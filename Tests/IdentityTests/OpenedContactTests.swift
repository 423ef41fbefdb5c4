import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Contacts that a dispute opens", .timeLimit(.minutes(15)))
struct OpenedContactTests {
    private struct Scene: Sendable {
        let world: World
        let customer: Tokens
        let driver: Tokens
        let stranger: Tokens
        let order = UUID.timeOrdered()

        /// Who is customer and driver in Perth.
        init(_ world: World) async throws {
            self.world = world
            func join(_ role: String, _ title: String?) async throws -> Tokens {
                let person = Person()
                let account = try await world.register(person)
                try await world.pool.execute(InsertRole(account: account, role: role, title: title))
                return try await world.logIn(person)
            }
            customer = try await join("customer", nil)
            driver = try await join("provider", "driver")
            stranger = try await join("provider", "driver")
        }

        func snapshot(
            _ state: OrderSnapshot.State, version: Int, by: OrderSnapshot.Actor = .customer,
            reason: String? = "not-received", kind: String = "bikeDropOff"
        ) -> OrderSnapshot {
            let paid = Money(amount: 2_500, currency: "AUD")
            return OrderSnapshot(
                order: order, market: "btnc", kind: kind, version: version, state: state,
                customer: .init(account: customer.account, name: "Ruby"),
                provider: .init(account: driver.account, name: "Dan"), services: [], total: paid,
                payment: .init(method: "card", state: .held), confirmedBy: [], deadline: nil, by: by, reason: reason,
                requestedAt: world.clock.now, changedAt: world.clock.now, report: .timeOrdered())
        }

        func disputed(_ order: OrderSnapshot) async throws {
            try await world.pool.withTransaction { OpenContacts.disputed(order, in: $0) }
        }

        func ended(_ order: OrderSnapshot) async throws {
            try await world.pool.withTransaction { OpenContacts.ended(order, in: $0) }
        }

        /// Whether one sees the other's address and number.
        func sees(_ reader: Tokens, _ other: Tokens) async throws -> Bool {
            let path = "v1/markets/btnc/people/\(other.account.text)"
            let answer = try await world.send("GET", path, token: reader.access)
            #expect(answer.status == 200, "\(answer)")
            #expect((answer["email"] == nil) == (answer["mobile"] == nil))
            return answer["email"] != nil
        }

        func bothSee() async throws -> [Bool] { [try await sees(customer, driver), try await sees(driver, customer)] }
    }

    @Test("P8, O10: what was not received shows both the other's contact, and nobody else, until it is decided")
    func opened() async throws {
        try await World.run { world async throws in
            let scene = try await Scene(world)
            #expect(try await scene.bothSee() == [false, false])
            try await scene.disputed(scene.snapshot(.disputed, version: 8))
            #expect(try await scene.bothSee() == [true, true])
            #expect(try await scene.sees(scene.stranger, scene.customer) == false)
            #expect(try await scene.sees(scene.stranger, scene.driver) == false)
            #expect(try await scene.sees(scene.customer, scene.stranger) == false)
            try await scene.ended(scene.snapshot(.cancelled, version: 9, by: .admin))
            #expect(try await scene.bothSee() == [false, false])
            // What comes late or again opens nothing.
            try await scene.disputed(scene.snapshot(.disputed, version: 8))
            #expect(try await scene.bothSee() == [false, false])
        }
    }

    @Test("P8, O10: neither other reasons and other parties' reports open contacts, nor other kinds of orders")
    func closed() async throws {
        try await World.run { world async throws in
            let scene = try await Scene(world)
            let unsafe = scene.snapshot(.disputed, version: 8, reason: "unsafe")
            let silent = scene.snapshot(.disputed, version: 8, reason: nil)
            let byDriver = scene.snapshot(.disputed, version: 8, by: .provider)
            let bySystem = scene.snapshot(.disputed, version: 8, by: .system)
            let ride = scene.snapshot(.disputed, version: 8, kind: "ride")
            for order in [unsafe, silent, byDriver, bySystem, ride] {
                try await scene.disputed(order)
                #expect(try await scene.bothSee() == [false, false], "\(order)")
            }
            // The end may be heard first.
            try await scene.ended(scene.snapshot(.completed, version: 9, by: .admin))
            try await scene.disputed(scene.snapshot(.disputed, version: 8))
            #expect(try await scene.bothSee() == [false, false])
            // Of somebody who is gone nothing is kept.
            var gone = scene.snapshot(.disputed, version: 10)
            gone.customer.account = .timeOrdered()
            try await scene.disputed(gone)
            #expect(try await scene.bothSee() == [false, false])
        }
    }

    @Test(
        "P8, O7: the partner of a visit and whoever is visited see each other's contact from the yes to a day after it")
    func visits() async throws {
        try await World.run { world async throws in
            func join(_ role: String, _ title: String?) async throws -> Tokens {
                let person = Person()
                let account = try await world.register(person)
                try await world.pool.execute(
                    InsertRoleIn(account: account, market: "edencare", role: role, title: title))
                return try await world.logIn(person)
            }
            let (customer, mother) = (try await join("customer", nil), try await join("customer", nil))
            let partner = try await join("provider", "care-partner")
            let other = try await join("provider", "care-partner")
            let order = UUID.timeOrdered()
            func snapshot(_ state: OrderSnapshot.State, _ version: Int, provider: UUID? = nil) -> OrderSnapshot {
                var snapshot = OrderSnapshot(
                    order: order, market: "edencare", kind: "homeCare", version: version, state: state,
                    customer: .init(account: customer.account, name: "Dora"),
                    provider: provider.map { .init(account: $0, name: "Paul") }, services: [],
                    total: Money(amount: 4_000, currency: "CAD"), payment: .init(method: "card", state: .held),
                    confirmedBy: [], deadline: nil, by: .provider, reason: nil, requestedAt: world.clock.now,
                    changedAt: world.clock.now)
                snapshot.recipient = .init(account: mother.account, name: "Edith", sees: false)
                return snapshot
            }
            /// Whether the partner sees customer and mother, and they the partner; and whether the other partner does.
            func seen(by provider: Tokens) async throws -> [Bool] {
                var seen: [Bool] = []
                for (reader, person) in [
                    (provider, customer), (provider, mother), (customer, provider), (mother, provider),
                ] {
                    let path = "v1/markets/edencare/people/\(person.account.text)"
                    let answer = try await world.send("GET", path, token: reader.access)
                    #expect(answer.status == 200, "\(answer)")
                    seen.append(answer["mobile"] != nil)
                }
                return seen
            }
            let (all, none) = ([true, true, true, true], [false, false, false, false])
            func tell(_ body: @escaping @Sendable (PostgresTransaction) -> Void) async throws {
                try await world.pool.withTransaction { body($0) }
            }
            let accepted = snapshot(.accepted, 4, provider: partner.account)
            try await tell { OpenContacts.accepted(accepted, isDeposited: false, in: $0) }
            #expect(try await seen(by: partner) == all)
            #expect(try await seen(by: other) == none)
            // The desk sends somebody else.
            let (reopened, former) = (snapshot(.requested, 5), accepted.provider)
            try await tell { OpenContacts.reopened(reopened, former: former, in: $0) }
            #expect(try await seen(by: partner) == none)
            let again = snapshot(.accepted, 7, provider: other.account)
            try await tell { OpenContacts.accepted(again, isDeposited: false, in: $0) }
            #expect(try await seen(by: other) == all)
            #expect(try await seen(by: partner) == none)
            let done = snapshot(.completed, 9, provider: other.account)
            try await tell { OpenContacts.ended(done, in: $0) }
            #expect(try await seen(by: other) == all)
            world.clock.advance(by: .seconds(86_401))
            #expect(try await seen(by: other) == none)
        }
    }

    @Test("P8: identity hears of disputes and of their end, and forgets what ended long ago")
    func heard() async throws {
        try await World.run { world async throws in
            let handlers = try world.handlers
            #expect(Set(handlers.names).isSuperset(of: [OrderDisputed.name, OrderCompleted.name, OrderCancelled.name]))
            let scene = try await Scene(world)
            try await scene.ended(scene.snapshot(.cancelled, version: 9))
            #expect(try await world.pool.first(CountOpenedContacts()) == 1)
            var later = scene.snapshot(.disputed, version: 1)
            (later.order, later.changedAt) = (.timeOrdered(), later.changedAt + 31 * 86_400)
            try await scene.disputed(later)
            #expect(try await world.pool.first(CountOpenedContacts()) == 1)
            #expect(try await scene.bothSee() == [true, true])
        }
    }
}

private struct InsertRole: Statement {
    static let sql: SQL = """
        INSERT INTO roles (account, market, role, title, state, requested_at)
        VALUES ($1, 'btnc', $2, $3, CASE WHEN $2 = 'provider' THEN 'verified' ELSE 'active' END, now())
        """
    let account: UUID
    let role: String
    let title: String?
    func bind(_ bindings: inout Bindings) { bindings.append(account, role, title) }
}

private struct CountOpenedContacts: Statement {
    static let sql: SQL = "SELECT count(*) FROM opened_contacts"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct InsertRoleIn: Statement {
    static let sql: SQL = """
        INSERT INTO roles (account, market, role, title, state, requested_at)
        VALUES ($1, $2, $3, $4, CASE WHEN $3 = 'provider' THEN 'verified' ELSE 'active' END, now())
        """
    let account: UUID
    let market: String
    let role: String
    let title: String?
    func bind(_ bindings: inout Bindings) { bindings.append(account, market, role, title) }
}
