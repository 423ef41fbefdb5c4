import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

private struct ListToldOrders: Statement {
    static let sql: SQL = "SELECT payload FROM outbox WHERE name = 'dispatch.orders.told.v1' ORDER BY seq"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

@Suite("Orders that are told again", .timeLimit(.minutes(15)))
struct RepublishTests {
    /// As it is after its way through JSON, which has milliseconds.
    private func wire<Value: Codable>(_ value: Value) throws -> Value {
        try JSON.wire.decode(Value.self, try JSON.wire.encode(value))
    }

    @Test("P12: each order is told as it stands, with its times, ratings and reports, and no event with it")
    func orders() async throws {
        try await OrderWorld.with { world in
            let (customer, provider) = (try await world.addCustomer(), try await world.addProvider())
            let start = try wire(Date.thisMillisecond)
            let done = try await world.order(in: .completed, customer, provider, at: start)
            _ = try await world.pool.withTransaction { transaction in
                try await RateOrder()(
                    done.id, by: customer, RateOrder.Input(stars: 5, serviceStars: 4, comment: "On time"),
                    at: start + 60, in: transaction)
            }
            let arrived = try await world.order(in: .arrived, customer, provider, at: start)
            let (report, disputed) = try await world.report(arrived, by: customer, note: "He shouted")
            try await world.decide(disputed, .split, toCustomer: 500)
            let open = try await world.request(try await world.addCustomer("Huda"), try await world.addProvider())
            let orders = [done.id, arrived.id, open.id]
            var events: [[String]] = []
            for order in orders { events.append(try await world.events(order)) }
            var pace = Republication.Pace()
            pace.pause = .milliseconds(1)
            pace.outboxLimit = 10_000
            _ = try await Republication(
                pool: world.pool, kinds: [RepublishOrders.kind], pace: pace, logger: TestThreads.logger
            ).run()
            let messages = try await world.pool.query(ListToldOrders()).map {
                try JSON.wire.decode(OrdersTold.self, $0.utf8)
            }
            #expect(messages.count == 1)
            let told = Dictionary(messages.flatMap(\.orders).map { ($0.order.order, $0) }) { first, _ in first }
            #expect(Set(told.keys) == Set(orders))
            for (order, before) in zip(orders, events) {
                #expect(told[order]?.order == (try wire(OrderSnapshot(try await world.details(order).order))))
                #expect(try await world.events(order) == before)
            }
            let completed = try #require(told[done.id])
            #expect(completed.acceptedAt == start && completed.endedAt == start && completed.arrivedAt == start)
            let rating = OrdersTold.Rating(
                from: customer, to: provider, by: .customer, stars: 5, serviceStars: 4, comment: "On time",
                at: start + 60)
            #expect(completed.ratings == [try wire(rating)] && completed.reports == [])
            let decided = try #require(told[arrived.id]?.reports.first)
            #expect(decided.report == report.id && decided.by == .customer && decided.account == customer)
            #expect(decided.awaitsDecision && decided.note == "He shouted")
            #expect(decided.outcome?.decision == .split && decided.outcome?.toCustomer.amount == 500)
            #expect(decided.closedAt != nil && decided.answer == nil)
            #expect(told[open.id]?.acceptedAt == nil && told[open.id]?.endedAt == nil)
        }
    }
}
