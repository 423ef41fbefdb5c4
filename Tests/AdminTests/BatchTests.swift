import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit
import Synchronization
import TestKit
import Testing

@testable import SeraiAdmin

/// Every row that events of orders leave.
private struct AllRows: Statement {
    static let sql: SQL = """
        SELECT line FROM (
            SELECT 'order ' || (to_jsonb(o) - 'heard_at')::text AS line FROM orders AS o
            UNION ALL SELECT 'payment ' || (to_jsonb(p) - 'heard_at')::text FROM payments AS p
            UNION ALL SELECT 'rating ' || (to_jsonb(r) - 'heard_at')::text FROM ratings AS r
            UNION ALL SELECT 'event ' || to_jsonb(e)::text FROM order_events AS e
        ) AS lines ORDER BY line
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Orders of half a year, one an hour. Every second one is completed.
private struct InsertManyOrders: Statement {
    static let sql: SQL = """
        INSERT INTO orders (id, market, version, state, customer, requested_at, ended_at, snapshot)
        SELECT gen_random_uuid(), 'assef', 1, CASE WHEN n % 2 = 0 THEN 'completed' ELSE 'requested' END,
            gen_random_uuid(), moment, CASE WHEN n % 2 = 0 THEN moment END, '{}'::jsonb
        FROM (
            SELECT n, timestamptz '2026-01-01 00:00:00+00' + n * interval '1 hour' AS moment
            FROM generate_series(1, 4000) AS n
        ) AS moments
        """
}

private struct AnalyzeOrders: Statement { static let sql: SQL = "ANALYZE orders" }

private struct ExplainCompleted: Statement {
    static let sql: SQL = """
        EXPLAIN SELECT count(*) FROM orders
        WHERE market = 'assef' AND ended_at >= '2026-03-01' AND ended_at < '2026-03-02' AND state = 'completed'
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// A message, or the end of an account.
private enum Heard: Sendable {
    case event(UUID, any Message)
    case end(UUID)

    var isEvent: Bool { if case .event = self { true } else { false } }
}

/// An order that its first provider takes and gives up, and the second does not finish.
private func twoProviders(
    _ story: Story, then other: OrderSnapshot.Party, companions: [String?] = ["Huda Salem", "Amal Nasser"]
) -> [any Message] {
    var later = story
    later.provider = other
    var reopened = story.snapshot(3, .requested, minutes: 3, by: .provider, reason: "ill")
    reopened.provider = nil
    return [
        OrderRequested(order: story.snapshot(1, .requested, minutes: 0)),
        OrderAccepted(order: story.snapshot(2, .accepted, minutes: 1, by: .provider), companion: companions[0]),
        OrderReopened(order: reopened, former: story.provider),
        OrderAccepted(order: later.snapshot(4, .accepted, minutes: 5, by: .provider), companion: companions[1]),
        PaymentHeld(payment: later.money(3, .held), at: story.time(6)),
        OrderEnRoute(order: later.snapshot(5, .enRoute, minutes: 7, by: .system)),
        // Of the version before.
        OrderNearby(order: later.snapshot(5, .enRoute, minutes: 20, by: .system), metresLeft: 300, secondsLeft: 60),
        OrderCancelled(order: later.snapshot(6, .cancelled, minutes: 21)),
        PaymentReleased(payment: later.money(4, .released), at: story.time(22)),
        later.rating(.customer, stars: 2, comment: "Nobody came"),
    ]
}

/// A few orders of a few people, some of whom are known and some of whom leave, in any order and with repeats.
private struct Town {
    let known: [AccountSnapshot]
    let heard: [Heard]

    init(using generator: inout SeededGenerator) {
        let people = ["Faisal", "Omar", "نورة", "Yousef", "Lina"].map {
            OrderSnapshot.Party(account: .timeOrdered(), name: $0)
        }
        var events: [any Message] = []
        for number in 0..<6 {
            var story = Story()
            story.customer = people[Int.random(in: 0...1, using: &generator)]
            let providers = people.suffix(3).shuffled(using: &generator)
            story.provider = providers[0]
            switch number % 3 {
            case 0: events += story.events
            case 1: events += twoProviders(story, then: providers[1])
            default: events += twoProviders(story, then: providers[1], companions: [nil, nil])
            }
        }
        let told = events.map { Heard.event(.timeOrdered(), $0) }
        let repeated = told.shuffled(using: &generator).prefix(12)
        var heard = (told + repeated).shuffled(using: &generator)
        // In every third town nobody leaves.
        if Int.random(in: 0..<3, using: &generator) > 0 {
            for person in people.shuffled(using: &generator).prefix(2) {
                heard.insert(.end(person.account), at: Int.random(in: 0...heard.count, using: &generator))
            }
        }
        self.heard = heard
        let strangers = Int.random(in: 0...1, using: &generator)
        known = people.shuffled(using: &generator).dropFirst(strangers).map { account($0.account, name: $0.name) }
    }

    /// The same, cut into batches. An account's end comes alone.
    func batches(using generator: inout SeededGenerator) -> [[Heard]] {
        var batches: [[Heard]] = []
        for one in heard {
            if one.isEvent, batches.last?.last?.isEvent == true, Int.random(in: 0..<15, using: &generator) > 0 {
                batches[batches.count - 1].append(one)
            } else {
                batches.append([one])
            }
        }
        return batches
    }
}

private struct FindAcceptance: Statement {
    static let sql: SQL = "SELECT accepted_at FROM orders WHERE id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Date { try row.next() }
}

/// How often transactions were begun.
private final class Attempts: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
}

@Suite("Events that come together", .timeLimit(.minutes(15)))
struct BatchTests {
    /// Does with a batch what its handlers do, in one transaction.
    private func hear(_ batch: [Heard], _ pool: PostgresPool) async throws {
        try await pool.withTransaction { transaction in
            for one in batch {
                switch one {
                case .event(let id, let event): try record(event, id, transaction)
                case .end(let account):
                    try await ForgetAccount.deleted(
                        AccountDeleted(account: account, version: 9, at: Date()), in: transaction)
                }
            }
        }
    }

    private func meet(_ people: [AccountSnapshot], _ pool: PostgresPool) async throws {
        for person in people {
            try await pool.withTransaction { try await RecordPerson.snapshot(person, in: $0) }
        }
    }

    private func withPool(_ body: (PostgresPool) async throws -> Void) async throws {
        try await TestDatabase.withDatabase(AdminService.migrations) { database async throws in
            try await database.withPool(maximum: 8) { pool async throws in try await body(pool) }
        }
    }

    @Test("A1, X13: a batch of events, in any order and repeated, leaves what its events leave one by one")
    func asOneByOne() async throws {
        try await withPool { single async throws in
            try await withPool { batched async throws in
                var generator = SeededGenerator(seed: 0xA1)
                for round in 0..<20 {
                    let town = Town(using: &generator)
                    for pool in [single, batched] { try await meet(town.known, pool) }
                    for one in town.heard { try await hear([one], single) }
                    for batch in town.batches(using: &generator) { try await hear(batch, batched) }
                    let expected = Set(try await single.query(AllRows()))
                    let found = Set(try await batched.query(AllRows()))
                    #expect(expected.count > round * 6)
                    #expect(found.symmetricDifference(expected).sorted() == [], "town \(round)")
                }
            }
        }
    }

    @Test("A1, O1: of an order that is accepted twice the second acceptance counts, in whatever order they are heard")
    func acceptedAgain() async throws {
        try await withPool { pool async throws in
            var generator = SeededGenerator(seed: 0xA3)
            for round in 0..<24 {
                var story = Story()
                story.order = .timeOrdered()
                let other = OrderSnapshot.Party(account: .timeOrdered(), name: "Lina")
                try await meet(
                    [story.customer, story.provider, other].map { account($0.account, name: $0.name) }, pool)
                let companion = round.isMultiple(of: 2) ? nil : "Amal Nasser"
                let events = twoProviders(story, then: other, companions: ["Huda Salem", companion])
                for event in events.shuffled(using: &generator) {
                    try await hear([.event(.timeOrdered(), event)], pool)
                }
                let row = try #require(
                    try await pool.query(
                        ExportOrders(filter: OrderFilter(market: "assef"), after: .oldest, limit: 1_000)
                    ).first { $0.order.position.id == story.order })
                #expect(row.order.companion == companion)
                #expect(try await pool.first(FindAcceptance(order: story.order)) == story.time(5))
            }
        }
    }

    @Test("A1: a batch of many orders of the same people has each of them whole")
    func manyOrders() async throws {
        try await withPool { pool async throws in
            let stories = (0..<30).map { number in
                var story = Story()
                story.customer.account = Story.sameCustomer
                story.provider.account = Story.sameProvider
                story.amount = 1_000 + number
                return story
            }
            try await meet(
                [account(Story.sameCustomer, name: "Salem"), account(Story.sameProvider, name: "نورة")], pool)
            var generator = SeededGenerator(seed: 0xA2)
            let events = stories.flatMap(\.events).shuffled(using: &generator)
            try await hear(events.map { .event(.timeOrdered(), $0) }, pool)
            let rows = try await pool.query(
                ExportOrders(filter: OrderFilter(market: "assef"), after: .oldest, limit: 1_000))
            #expect(rows.count == stories.count)
            for story in stories {
                let row = try #require(rows.first { $0.order.position.id == story.order })
                let order = try row.order.order()
                #expect(order.version == 7 && order.total.amount == story.amount)
                #expect(row.order.companion == "Huda Salem" && row.endedAt == story.time(55))
                #expect(row.paymentState == "captured" && row.platformShare == story.amount * 15 / 100)
                #expect(try await pool.query(ListRatings(order: story.order)).count == 2)
                #expect(
                    try await pool.query(ListOrderEvents(order: story.order)).map(\.name)
                        == story.events.map { type(of: $0).name.text })
            }
        }
    }

    @Test("I12: a batch names nobody who left before it, or after some of its events were heard")
    func forgotten() async throws {
        try await withPool { pool async throws in
            let people = ["Faisal", "نورة", "Yousef"].map { OrderSnapshot.Party(account: .timeOrdered(), name: $0) }
            let stories = (0..<3).map { _ in
                var story = Story()
                story.customer = people[0]
                story.provider = people[1]
                return story
            }
            try await meet(people.map { account($0.account, name: $0.name) }, pool)
            let told = stories.flatMap { twoProviders($0, then: people[2]) }.map { Heard.event(.timeOrdered(), $0) }
            func expectNo(_ words: [String]) async throws {
                let rows = try await pool.query(AllRows()).joined(separator: "\n")
                #expect(rows.contains(AccountSnapshot.goneName))
                for word in words { #expect(!rows.contains(word), "\(word)") }
            }
            try await hear([.end(people[0].account)], pool)
            // Of the second order only the half.
            try await hear(Array(told.prefix(15)), pool)
            try await expectNo(["Faisal", "Nobody came"])
            try await hear([.end(people[1].account)], pool)
            try await expectNo(["Faisal", "نورة"])
            try await hear(Array(told.dropFirst(15)) + told, pool)
            try await expectNo(["Faisal", "نورة", "Nobody came"])
            try await hear([.end(people[2].account)], pool)
            try await hear(told.reversed(), pool)
            try await expectNo(["Faisal", "نورة", "Yousef", "Huda", "Amal", "Nobody came"])
            let rows = try await pool.query(
                ExportOrders(filter: OrderFilter(market: "assef"), after: .oldest, limit: 1_000))
            #expect(try rows.map { try $0.order.order().version } == [6, 6, 6])
        }
    }

    @Test("I12, X13: batches and the ends of accounts at once wait for each other in no circle, and leave no name")
    func atOnce() async throws {
        try await withPool { pool async throws in
            let stories = (0..<12).map { _ in
                var story = Story()
                story.customer.account = Story.sameCustomer
                story.provider.account = Story.sameProvider
                return story
            }
            let people = [Story.sameCustomer, Story.sameProvider]
            try await meet(people.map { account($0, name: "Salem") }, pool)
            let told = stories.flatMap(\.events).map { (UUID.timeOrdered(), $0) }
            var generator = SeededGenerator(seed: 0xA4)
            let batches = (0..<40).map { _ in Array(told.shuffled(using: &generator).prefix(60)) }
            let attempts = Attempts()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, batch) in batches.enumerated() {
                    group.addTask {
                        try await pool.withTransaction { transaction in
                            attempts.add()
                            for (id, event) in batch { try record(event, id, transaction) }
                        }
                    }
                    guard number == 10 || number == 20 else { continue }
                    let gone = AccountDeleted(account: people[number / 10 - 1], version: 9, at: Date())
                    group.addTask {
                        try await pool.withTransaction { transaction in
                            attempts.add()
                            try await ForgetAccount.deleted(gone, in: transaction)
                        }
                    }
                }
                try await group.waitForAll()
            }
            // The database would have broken a circle, and the transaction been tried again.
            #expect(attempts.count == batches.count + 2)
            let rows = try await pool.query(AllRows()).joined(separator: "\n")
            #expect(rows.contains(AccountSnapshot.goneName))
            for word in ["Salem", "نورة"] { #expect(!rows.contains(word), "\(word)") }
        }
    }

    @Test("A2: the orders completed on a day are found by an index that has only those which have ended")
    func index() async throws {
        try await withPool { pool async throws in
            try await pool.execute(InsertManyOrders())
            try await pool.execute(AnalyzeOrders())
            let plan = try await pool.query(ExplainCompleted()).joined(separator: "\n")
            #expect(plan.contains("orders_ended"), "\(plan)")
        }
    }
}

extension Story {
    fileprivate static let sameCustomer = UUID.timeOrdered()
    fileprivate static let sameProvider = UUID.timeOrdered()
}
