import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiAdmin

/// What is kept of others, but for what says when a row was written and of which acceptance it is.
private struct KeptRows: Statement {
    static let sql: SQL = """
        SELECT line FROM (
            SELECT 'order ' || (to_jsonb(o) - 'heard_at' - 'accepted_version')::text AS line FROM orders AS o
            UNION ALL SELECT 'payment ' || (to_jsonb(p) - 'heard_at')::text FROM payments AS p
            UNION ALL SELECT 'rating ' || (to_jsonb(r) - 'heard_at')::text FROM ratings AS r
            UNION ALL SELECT 'event ' || to_jsonb(e)::text FROM order_events AS e
            UNION ALL SELECT 'person ' || (to_jsonb(p) - 'heard_at')::text FROM people AS p
            UNION ALL SELECT 'role ' || to_jsonb(m)::text FROM people_of_markets AS m
            UNION ALL SELECT 'report ' || to_jsonb(r)::text FROM reports AS r
        ) AS lines ORDER BY line
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// As a hand, a faulty program or a bad disk would: rows that are gone, rows that say something else, rows of nobody.
private enum Damage {
    struct LoseOrders: Statement {
        static let sql: SQL = "DELETE FROM orders WHERE id = ANY ($1::uuid[])"
        let orders: [UUID]
        func bind(_ bindings: inout Bindings) { bindings.append(orders) }
    }
    struct LosePayments: Statement {
        static let sql: SQL = "DELETE FROM payments WHERE order_id = ANY ($1::uuid[])"
        let orders: [UUID]
        func bind(_ bindings: inout Bindings) { bindings.append(orders) }
    }
    struct SpoilOrders: Statement {
        static let sql: SQL = """
            UPDATE orders SET state = 'requested', provider = NULL, market = 'btnc', accepted_at = NULL, ended_at = now(),
                companion = 'nobody', requested_at = now(), snapshot = '{}'
            """
    }
    struct SpoilPayments: Statement {
        static let sql: SQL = """
            UPDATE payments SET state = 'held', amount = 1, captured_at = now(), released_at = now(), provider_share = 5
            """
    }
    struct SpoilRatings: Statement {
        static let sql: SQL = "UPDATE ratings SET stars = 1, comment = 'no', to_account = from_account"
    }
    struct SpoilPeople: Statement {
        static let sql: SQL = """
            UPDATE people SET name = 'nobody', registered_at = NULL WHERE name <> $1
            """
        func bind(_ bindings: inout Bindings) { bindings.append(AccountSnapshot.goneName) }
    }
    struct LoseRoles: Statement { static let sql: SQL = "DELETE FROM people_of_markets" }
    /// An open order, a payment, a rating and a person that nobody has, from long ago.
    struct AddPhantoms: Statement {
        static let sql: SQL = """
            WITH ordered AS (
                INSERT INTO orders (id, market, version, state, customer, requested_at, snapshot, heard_at)
                SELECT $1, market, 1, 'accepted', customer, requested_at, snapshot, '2026-01-01' FROM orders LIMIT 1
            ), paid AS (
                INSERT INTO payments (order_id, payment, market, version, state, amount, currency, captured_at, heard_at)
                VALUES ($1, $1, 'assef', 99, 'captured', 5000, 'SAR', '2026-03-01', '2026-01-01')
            ), rated AS (
                INSERT INTO ratings (order_id, actor, market, from_account, to_account, stars, at, heard_at)
                SELECT id, 'merchant', market, id, id, 5, now(), '2026-01-01' FROM orders LIMIT 1
            )
            INSERT INTO people (account, version, name, language, heard_at) VALUES ($1, 1, 'Phantom', 'en', '2026-01-01')
            """
        let id: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(id) }
    }
}

private struct CountNames: Statement {
    static let sql: SQL = "SELECT count(*) FROM people WHERE name = $1"
    let name: String
    func bind(_ bindings: inout Bindings) { bindings.append(name) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct SumsOfMarket: Statement {
    static let sql: SQL = """
        SELECT concat_ws(' ', (SELECT count(*) FROM orders WHERE market = 'assef' AND state = 'completed'),
            (SELECT sum(amount) FROM payments WHERE market = 'assef' AND captured_at IS NOT NULL),
            (SELECT sum(platform_share) FROM payments WHERE market = 'assef' AND captured_at IS NOT NULL),
            (SELECT round(avg(stars), 3) FROM ratings WHERE market = 'assef'))
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

@Suite("What is told again", .timeLimit(.minutes(15)))
struct RebuildTests {
    private func withPool(_ body: (PostgresPool) async throws -> Void) async throws {
        try await TestDatabase.withDatabase(AdminService.migrations) { database async throws in
            try await database.withPool(maximum: 8) { pool async throws in try await body(pool) }
        }
    }

    private func meet(_ town: ToldTown, _ pool: PostgresPool) async throws {
        for person in town.people {
            try await pool.withTransaction { transaction in
                try await RecordPerson.registered(
                    AccountRegistered(account: person, at: town.stories[0].requestedAt), in: transaction)
            }
        }
    }

    private func take(_ told: (OrdersTold, PaymentsTold), _ pool: PostgresPool) async throws {
        try await pool.withTransaction { try await StoreRepublishedOrders.told(told.0, in: $0) }
        try await pool.withTransaction { try await StoreRepublishedPayments.told(told.1, in: $0) }
    }

    private func take(_ told: AccountsTold, _ pool: PostgresPool) async throws {
        try await pool.withTransaction { try await StoreRepublishedAccounts.told(told, in: $0) }
    }

    private func fill(_ town: ToldTown, _ pool: PostgresPool) async throws {
        try await meet(town, pool)
        for story in town.stories {
            for (id, event) in town.events(story) {
                try await pool.withTransaction { try record(event, id, $0) }
            }
        }
    }

    @Test("P12: rows that were lost, spoiled or made up are as their owners tell them, and so are the sums")
    func damaged() async throws {
        try await withPool { pool async throws in
            let town = ToldTown(8)
            try await fill(town, pool)
            let expected = try await pool.query(KeptRows())
            let sums = try await pool.query(SumsOfMarket())
            let orders = town.stories.map(\.order)
            let phantom = UUID.timeOrdered()
            try await pool.execute(Damage.AddPhantoms(id: phantom))
            try await pool.execute(Damage.LoseOrders(orders: Array(orders.prefix(3))))
            try await pool.execute(Damage.LosePayments(orders: Array(orders.suffix(3))))
            try await pool.execute(Damage.SpoilOrders())
            try await pool.execute(Damage.SpoilPayments())
            try await pool.execute(Damage.SpoilRatings())
            try await pool.execute(Damage.SpoilPeople())
            try await pool.execute(Damage.LoseRoles())
            #expect(try await pool.query(SumsOfMarket()) != sums)
            for _ in 0..<2 {
                try await take(town.accountsTold, pool)
                try await take(town.told { _ in .max }, pool)
                let found = try await pool.query(KeptRows()).filter { !$0.contains(phantom.text) }
                #expect(Set(found).symmetricDifference(expected).sorted() == [])
                #expect(try await pool.query(SumsOfMarket()) == sums)
            }
            // Of the person that identity does not know a tombstone is left.
            #expect(try await pool.query(CountNames(name: "Phantom")) == [0])
            let left = try await pool.query(KeptRows()).filter { $0.contains(phantom.text) }
            #expect(left.count == 1 && left.allSatisfy { $0.contains(AccountSnapshot.goneName) })
        }
    }

    @Test(
        "P12: emptied while nothing else goes on, all comes back but what is admin's own; a lost timeline says the least"
    )
    func emptied() async throws {
        try await withPool { pool async throws in
            let town = ToldTown(5)
            try await fill(town, pool)
            let expected = try await pool.query(KeptRows())
            // All of them are younger than orders are kept.
            try await RebuildReadModels(pool: pool)(
                RebuildReadModels.Part.allCases, empties: true, at: town.stories[0].requestedAt)
            let empty = try await pool.query(KeptRows())
            #expect(!empty.isEmpty && empty.allSatisfy { $0.hasPrefix("event ") })
            try await take(town.accountsTold, pool)
            try await take(town.told { _ in .max }, pool)
            #expect(try await pool.query(KeptRows()) == expected)
            try await pool.execute(Damage.LoseTimelines())
            try await take(town.told { _ in .max }, pool)
            try await take(town.told { _ in .max }, pool)
            for story in town.stories {
                let timeline = try await pool.query(ListOrderEvents(order: story.order))
                #expect(timeline.map(\.state) == ["requested", "accepted", "completed"])
                #expect(timeline.map(\.at) == [story.time(0), story.time(1), story.time(55)])
            }
        }
    }

    @Test(
        "P12: told again at any point among live events, in any order and repeated, changes nothing of what they leave")
    func racing() async throws {
        var generator = SeededGenerator(seed: 0xB5)
        for round in 0..<25 {
            let town = ToldTown(4)
            let heard = town.stories.flatMap(town.events)
            try await withPool { plain async throws in
                try await meet(town, plain)
                for (id, event) in heard { try await plain.withTransaction { try record(event, id, $0) } }
                let expected = try await plain.query(KeptRows())
                try await withPool { pool async throws in
                    try await meet(town, pool)
                    var steps = (heard + heard.shuffled(using: &generator).prefix(10)).shuffled(using: &generator)
                        .map { Optional($0) }
                    for _ in 0..<6 { steps.insert(nil, at: Int.random(in: 0...steps.count, using: &generator)) }
                    for step in steps {
                        if let (id, event) = step {
                            try await pool.withTransaction { try record(event, id, $0) }
                        } else {
                            let known = town.stories.map { _ in Int.random(in: 0...13, using: &generator) }
                            try await take(town.told({ known[$0] }, readAt: town.stories[0].requestedAt), pool)
                        }
                    }
                    let found = try await pool.query(KeptRows())
                    #expect(Set(found).symmetricDifference(expected).sorted() == [], "round \(round)")
                }
            }
        }
    }

    @Test("P12: an owner that was set back to an older state replaces what is newer only after `admin rebuild`")
    func setBack() async throws {
        try await withPool { pool async throws in
            let town = ToldTown(2)
            try await fill(town, pool)
            let newest = try await pool.query(KeptRows())
            // As far as the arrival.
            let older = town.told { _ in 6 }
            try await take(older, pool)
            #expect(try await pool.query(KeptRows()) == newest)
            try await RebuildReadModels(pool: pool)(RebuildReadModels.Part.allCases, empties: false, at: Date())
            try await take(older, pool)
            for story in town.stories {
                let row = try #require(try await pool.first(ShowOrder(order: story.order)))
                let order = try JSON.wire.decode(OrderSnapshot.self, row.snapshot.text)
                #expect(order.state == .arrived && order.version == 4)
                let payment = try #require(try await pool.first(ShowPayment(order: story.order)))
                #expect(payment.state == "held" && payment.capturedAt == nil && payment.providerShare == nil)
            }
        }
    }

    @Test("I12: who is gone stays gone, whatever is told again; who is not told is forgotten, unless heard of lately")
    func gone() async throws {
        try await withPool { pool async throws in
            let town = ToldTown(4)
            try await fill(town, pool)
            let before = town.accountsTold
            let orders = town.told { _ in .max }
            let left = town.people[0]
            try await pool.withTransaction {
                try await ForgetAccount.deleted(
                    AccountDeleted(account: left.account, version: 7, at: Date()), in: $0)
            }
            // What was read before the deletion comes after it.
            try await take(before, pool)
            try await take(orders, pool)
            #expect(try await pool.query(CountNames(name: left.name)) == [0])
            let kept = try await pool.query(KeptRows())
            #expect(kept.allSatisfy { !$0.contains(left.name) })
            let words = kept.filter { $0.contains("\"from_account\": \"\(left.account.text)\"") }
            #expect(words.count == 2 && words.allSatisfy { !$0.contains("=SUM(1)") })
            // The event of another one's end was lost.
            let lost = town.people[1]
            var without = before
            without.accounts.removeAll { [left.account, lost.account].contains($0.account.account) }
            try await take(without, pool)
            #expect(try await pool.query(CountNames(name: lost.name)) == [1])
            without.range.readAt += 3_600
            try await take(without, pool)
            #expect(try await pool.query(CountNames(name: lost.name)) == [0])
            #expect(try await pool.query(CountNames(name: AccountSnapshot.goneName)) == [2])
            #expect(try await pool.query(KeptRows()).allSatisfy { !$0.contains(lost.name) })
        }
    }

    @Test(
        "A1, Q9: reports come back with what was decided; what admin knows better stays; old orders that are over stay")
    func reports() async throws {
        try await withPool { pool async throws in
            let town = ToldTown(2)
            try await fill(town, pool)
            let story = town.stories[0]
            var told = town.told { _ in .max }
            var open = OrdersTold.Report(
                report: .timeOrdered(), by: .customer, account: story.customer.account, reason: "other", note: "Late",
                cancels: true, awaitsDecision: true, at: story.time(80))
            let answered = UUID.timeOrdered()
            var other = OrdersTold.Report(
                report: answered, by: .provider, account: story.provider.account, reason: "no-show", note: nil,
                cancels: false, awaitsDecision: false, at: story.time(81))
            (other.answer, other.closedAt) = ("We saw", story.time(90))
            told.0.orders[0].reports = [open, other]
            try await take(told, pool)
            let reports = try await pool.query(ListReportsOfOrder(order: story.order))
            #expect(reports.map(\.state) == ["open", "answered"])
            #expect(reports.map(\.reply) == [nil, "We saw"])
            // Admin decides, and dispatch has not heard of it when it tells again; then admin loses it.
            try await pool.execute(
                CloseReport(
                    report: open.report, state: .decided, decision: "split", toCustomer: 500, reply: "Half",
                    admin: .timeOrdered(), at: story.time(95)))
            try await take(told, pool)
            #expect(
                try await pool.query(ListReportsOfOrder(order: story.order)).map(\.state) == ["decided", "answered"])
            try await pool.execute(Damage.LoseReports())
            open.outcome = OrderSnapshot.Outcome(
                decision: .split, toCustomer: Money(amount: 500, currency: "SAR"), reason: "Half")
            open.closedAt = story.time(96)
            told.0.orders[0].reports = [open, other]
            try await take(told, pool)
            let back = try await pool.query(ListReportsOfOrder(order: story.order))
            #expect(back.map(\.state) == ["decided", "answered"] && back[0].toCustomer == 500)
            // Dispatch has removed an old order that is over, and admin keeps it for its sums.
            told.0.orders.removeLast()
            told.0.range.readAt += 3_600
            try await take(told, pool)
            #expect(try await pool.first(ShowOrder(order: town.stories[1].order)) != nil)
        }
    }
}

extension Damage {
    fileprivate struct LoseTimelines: Statement { static let sql: SQL = "DELETE FROM order_events" }
    fileprivate struct LoseReports: Statement { static let sql: SQL = "DELETE FROM reports" }
}
