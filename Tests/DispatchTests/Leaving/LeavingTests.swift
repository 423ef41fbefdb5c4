import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("People who leave", .timeLimit(.minutes(15)))
struct LeavingTests {
    private func ask(_ world: OrderWorld, _ account: UUID, version: Int = 5) async throws {
        let asked = DeletionAsked(deletion: .timeOrdered(), account: account, version: version, at: Date())
        try await world.pool.withTransaction {
            try await AccountDeletionHandlers.answer(asked, at: .thisMillisecond, $0)
        }
    }

    /// The orders that the answers named, oldest first.
    private func answers(_ world: OrderWorld, _ account: UUID) async throws -> [[UUID]] {
        try await world.pool.query(AnswersOf(account: account.text)).map {
            try JSON.wire.decode(DispatchAnsweredDeletion.self, $0.utf8).orders
        }
    }

    @Test("I12: open orders are named, of customers and providers; those that have ended are not")
    func open() async throws {
        try await OrderWorld.with { world in
            let (customer, provider) = (try await world.addCustomer(), try await world.addProvider())
            let order = try await world.request(customer, provider)
            try await ask(world, customer)
            try await ask(world, provider)
            #expect(try await answers(world, customer) == [[order.id]])
            #expect(try await answers(world, provider) == [[order.id]])
            _ = try await world.cancel(order)
            try await ask(world, customer, version: 6)
            #expect(try await answers(world, customer) == [[order.id], []])
        }
    }

    @Test(
        "I12, O7: during a deletion visits of a series wait; after its refusal they are ordered; the answer tells of it"
    )
    func series() async throws {
        try await PlacesGround.run { ground in
            let customer = UUID.timeOrdered()
            try await ground.pool.execute(InsertPerson(account: customer, name: "Ada"))
            func deletion(_ version: Int) async throws -> DispatchAnsweredDeletion {
                let asked = DeletionAsked(
                    deletion: .timeOrdered(), account: customer, version: version, at: Date())
                try await ground.pool.withTransaction {
                    try await AccountDeletionHandlers.answer(asked, at: .thisMillisecond, $0)
                }
                let told = try #require(try await ground.pool.query(AnswersOf(account: customer.text)).last)
                return try JSON.wire.decode(DispatchAnsweredDeletion.self, told.utf8)
            }
            func end(_ version: Int) async throws {
                try await ground.pool.withTransaction {
                    try await AccountDeletionGuard.end(customer, version: version, in: $0)
                }
            }
            let alone = try await deletion(2)
            #expect(alone.hasSeries == false && alone.orders.isEmpty)
            try await end(2)
            // Its visits of the next days are ordered at once.
            let soon = SeriesRouteTests.firstDay.advanced(by: -19)
            let made = try await SeriesRouteTests.ask(
                ground, "POST", "series",
                SeriesRouteTests.body(rule: "FREQ=DAILY;COUNT=9", first: soon, payment: #""payment":"wallet""#),
                as: customer)
            let id = try #require(made.json["series"]?.asText.flatMap { UUID(uuidString: $0) }, "\(made.json)")
            func requested() async throws -> Int {
                try await SeriesRouteTests.ask(ground, "GET", "series/\(id.text)/visits", as: customer)
                    .items.count { $0["state"] == "requested" }
            }
            let before = try await requested()
            #expect(before > 0)
            let answer = try await deletion(3)
            #expect(answer.hasSeries == true && !answer.orders.isEmpty)
            let later = Date.thisMillisecond + 86_400
            try await ground.pool.withTransaction { try await ground.parts.advanceSeries(id, at: later, in: $0) }
            #expect(try await requested() == before)
            let waits = try #require(try await ground.pool.query(ReadDeadlines(order: id.text)).first?.dueAt)
            // The database keeps microseconds; the sum of two binary fractions may lie under it.
            #expect(waits <= later + AdvanceSeries.laterPause + 0.001)
            try await end(3)
            try await ground.pool.withTransaction { try await ground.parts.advanceSeries(id, at: waits, in: $0) }
            #expect(try await requested() > before)
        }
    }

    @Test("I12: while a deletion is under way no order begins, for customer or provider; after its refusal one does")
    func blocked() async throws {
        try await OrderWorld.with { world in
            let (customer, provider) = (try await world.addCustomer(), try await world.addProvider())
            try await ask(world, customer)
            await #expect(throws: CustomerRefusal.leaving) {
                _ = try await world.request(customer, provider)
            }
            try await world.pool.withTransaction { try await AccountDeletionGuard.end(customer, version: 5, in: $0) }
            try await ask(world, provider, version: 2)
            await #expect(throws: RequestOrder.Refusal.providerUnavailable) {
                _ = try await world.request(customer, provider)
            }
            try await world.pool.withTransaction { try await AccountDeletionGuard.end(provider, version: 2, in: $0) }
            _ = try await world.request(customer, provider)
            // Heard late: the refusal of the first, the first itself.
            try await ask(world, customer, version: 7)
            try await world.pool.withTransaction { try await AccountDeletionGuard.end(customer, version: 5, in: $0) }
            try await ask(world, customer, version: 5)
            #expect(try await answers(world, customer).count == 2)
            await #expect(throws: CustomerRefusal.leaving) {
                _ = try await world.request(customer, try await world.addProvider())
            }
        }
    }

    @Test("I12: a refusal that is heard before its deletion leaves nothing blocked")
    func reordered() async throws {
        try await OrderWorld.with { world in
            let (customer, provider) = (try await world.addCustomer(), try await world.addProvider())
            try await world.pool.withTransaction { try await AccountDeletionGuard.end(customer, version: 5, in: $0) }
            try await ask(world, customer, version: 5)
            #expect(try await answers(world, customer).isEmpty)
            _ = try await world.request(customer, provider)
        }
    }

    @Test("I12: of an order and a deletion at once, either the deletion names the order or there is none, 200 times")
    func race() async throws {
        try await OrderWorld.with { world in
            let pairs = try await world.addPairs(200)
            var (begun, refused) = (0, 0)
            for (index, pair) in pairs.enumerated() {
                let leaver = index.isMultiple(of: 2) ? pair.customer : pair.provider
                async let asked: Void = ask(world, leaver)
                let order: UUID?
                do {
                    order = try await world.request(pair.customer, pair.provider).id
                } catch let error where error is RequestOrder.Refusal || error is CustomerRefusal {
                    order = nil
                }
                try await asked
                let named = try await answers(world, leaver)
                #expect(named == [order.map { [$0] } ?? []], "round \(index)")
                if order == nil { refused += 1 } else { begun += 1 }
            }
            #expect(begun + refused == 200, "\(begun) orders, \(refused) refusals")
        }
    }

    @Test("I12, O7: an order for a relative is open for the relative too, who is not named once gone, nor ordered for")
    func relatives() async throws {
        try await OrderServer.with { server in
            let (world, customer) = (server.world, try await server.owner("Ada", in: "edencare"))
            let mother = try await world.addCustomer("Edith")
            try await world.pool.execute(
                StoreLink(
                    link: .timeOrdered(), market: "edencare", from: mother, to: customer.account, scopes: ["order"]))
            let body = CareTests.body(try CareTests.noon(), more: #", "relative": "\#(mother.text)""#)
            let answer = try await server.post(CareTests.visits, as: customer, body)
            let order = try #require(answer["order"]?.text.flatMap(UUID.init(uuidString:)))
            try await ask(world, mother)
            #expect(try await answers(world, mother) == [[order]])
            // Nothing new begins for who leaves.
            let refused = try await server.post(CareTests.visits, as: customer, body)
            #expect(refused.codes == ["/relative": "not-linked"])
            #expect(try await server.act("cancel", order, as: customer).status == 200)
            try await world.pool.withTransaction {
                try await AccountDeletionHandlers.forget(
                    AccountDeleted(account: mother, version: 6, at: Date()), by: { .thisMillisecond }, $0)
            }
            let stored = try await world.details(order).order
            #expect(stored.homeCare?.relative?.name == AccountSnapshot.goneName)
            #expect(stored.customer.name == "Ada")
        }
    }

    @Test(
        "I12: words why orders of somebody who is gone ended are forgotten, whoever wrote them; slugs stay"
    )
    func reasons() async throws {
        try await OrderWorld.with { world in
            let (customer, provider) = (try await world.addCustomer("Omar"), try await world.addProvider("Huda"))
            let now = Date.thisMillisecond
            let (cancelled, declined) = (
                try await world.request(customer, provider), try await world.request(customer, provider)
            )
            try await world.pool.withTransaction { transaction in
                _ = try await world.operations.cancel(
                    cancelled.id, by: customer,
                    CancelOrder.Input(reason: "Omar is in hospital", accepted: nil, quote: nil), at: now,
                    in: transaction)
                _ = try await world.operations.change(
                    .decline(reason: "Huda is ill"), of: declined.id, by: provider, at: now, in: transaction)
            }
            let arrived = try await world.order(in: .arrived, customer, provider, at: now)
            let missed = try await world.miss(arrived, at: now + 1_000)
            func expect(_ reasons: [String?]) async throws {
                var found: [String?] = []
                for order in [cancelled, declined, missed] {
                    found.append(try await world.details(order.id).order.reason)
                }
                #expect(found == reasons)
            }
            try await expect(["Omar is in hospital", "Huda is ill", "customer-no-show"])
            // What is said of an order is about both of its people.
            try await world.pool.withTransaction {
                try await AccountDeletionHandlers.forget(
                    AccountDeleted(account: customer, version: 6, at: Date()), by: { .thisMillisecond }, $0)
            }
            try await expect([nil, nil, "customer-no-show"])
        }
    }

    @Test("I12: of somebody who is gone no name, offer or place is left, and what comes late brings none back")
    func forgotten() async throws {
        try await OrderWorld.with { world in
            let (customer, provider) = (try await world.addCustomer("Omar"), try await world.addProvider("Huda"))
            let order = try await world.order(in: .completed, customer, provider)
            for account in [customer, provider] {
                try await ask(world, account)
                try await world.pool.withTransaction {
                    try await AccountDeletionHandlers.forget(
                        AccountDeleted(account: account, version: 6, at: Date()), by: { .thisMillisecond }, $0)
                }
                let late = AccountSnapshot(
                    account: account, version: 4, name: "Late", gender: nil, language: "en",
                    roles: [.init(market: "assef", role: "provider", title: "nurse", verified: true)])
                try await world.pool.withTransaction {
                    try await PeopleProjection.keep(late, by: { .thisMillisecond }, $0)
                }
                let known = try await world.pool.first(FindOrderingCustomer(account: account, market: "assef"))
                #expect(known?.name == AccountSnapshot.goneName)
            }
            let details = try await world.details(order.id)
            #expect(details.order.customer.name == AccountSnapshot.goneName)
            #expect(details.order.provider?.name == AccountSnapshot.goneName)
            #expect(try await world.pool.first(FindProviderRole(market: "assef", account: provider)) == nil)
            await #expect(throws: CustomerRefusal.leaving) {
                _ = try await world.request(customer, try await world.addProvider())
            }
        }
    }
}

private struct AnswersOf: Statement {
    static let sql: SQL = """
        SELECT payload FROM outbox WHERE name = 'dispatch.deletion.answered.v1' AND aggregate = $1 ORDER BY seq
        """
    let account: String
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
