import Foundation
@testable import Messaging
import Testing

@Suite("RelayPlan")
struct RelayPlanTests {
    private func row(_ seq: Int, _ aggregate: String, to exchange: String = "orders") -> OutboxRow {
        OutboxRow(
            seq: seq,
            record: OutboxRecord(
                id: UUID(), exchange: exchange, name: "orders.order.placed.v1", aggregate: aggregate, causation: nil,
                traceparent: nil, requestID: nil, isMandatory: true, payload: "{}", occurredAt: Date()))
    }

    @Test("a wave holds no aggregate twice and keeps the order")
    func waves() {
        let rows = [row(1, "a"), row(2, "b"), row(3, "a"), row(4, "c"), row(5, "a")]
        #expect(RelayPlan.waves(rows).map { $0.map(\.seq) } == [[1, 2, 4], [3], [5]])
        #expect(RelayPlan.waves([]).isEmpty)
    }

    @Test("a refused message holds its aggregate back for longer each time, and a confirmed one frees it")
    func holds() {
        var plan = RelayPlan()
        let start = ContinuousClock.now
        plan.failed("a", now: start)
        #expect(plan.heldAggregates(now: start) == ["a"])
        #expect(plan.nextTry(after: start) == start + .milliseconds(200))
        #expect(plan.heldAggregates(now: start + .milliseconds(200)) == [])
        plan.failed("a", now: start)
        #expect(plan.nextTry(after: start) == start + .milliseconds(400))
        for _ in 0..<30 { plan.failed("a", now: start) }
        #expect(plan.nextTry(after: start) == start + .seconds(30))
        plan.confirmed("a", name: "orders.order.placed.v1", exchange: "orders")
        #expect(plan.holds.isEmpty)
    }

    @Test("an exchange that is not there holds back what goes to it, and is tried by one message alone")
    func exchanges() {
        var plan = RelayPlan()
        let start = ContinuousClock.now
        // Those of one batch count once.
        let areNew = (0..<5).map { _ in plan.failed(exchange: "gone", now: start) }
        #expect(areNew == [true, false, false, false, false])
        #expect(plan.heldExchanges(now: start) == ["gone"] && plan.heldAggregates(now: start) == [])
        #expect(plan.nextTry(after: start) == start + .milliseconds(200))
        #expect(plan.heldExchanges(now: start + .milliseconds(200)) == [])
        let rows = [
            row(1, "a"), row(2, "b", to: "gone"), row(3, "b"), row(4, "c", to: "gone"), row(5, "c"), row(6, "a"),
        ]
        let (plain, probes) = plan.probing(rows)
        #expect(plain.map(\.seq) == [1, 6] && probes.map(\.seq) == [2])
        let isNew = plan.failed(exchange: "gone", now: start + .seconds(1))
        #expect(isNew)
        #expect(plan.nextTry(after: start + .seconds(1)) == start + .milliseconds(1_400))
        plan.confirmed("b", name: "orders.order.placed.v1", exchange: "gone")
        #expect(plan.heldExchanges(now: start + .seconds(1)) == [] && plan.probing(rows).rows.count == 6)
    }

    @Test("an event that no queue takes waits for a reader, and when none comes it and later ones are done with")
    func unheard() {
        var plan = RelayPlan()
        let start = ContinuousClock.now
        let (name, patience) = ("orders.order.archived.v1", Duration.seconds(60))
        func isDone(_ aggregate: String, _ name: String, after seconds: Int) -> Bool {
            plan.returned(aggregate, name: name, now: start + .seconds(seconds), patience: patience)
        }
        let early = isDone("a", name, after: 0)
        #expect(!early)
        #expect(plan.heldAggregates(now: start) == ["a"])
        let outcomes = [
            isDone("b", name, after: 59), isDone("a", name, after: 60), isDone("c", name, after: 61),
            isDone("c", "another", after: 61),
        ]
        #expect(outcomes == [false, true, true, false])
        #expect(!plan.heldAggregates(now: start + .seconds(61)).contains("a"))
        // Once a queue has taken one there is a reader, and an event that is returned waits anew.
        plan.confirmed("d", name: name, exchange: "orders")
        let later = isDone("d", name, after: 90)
        #expect(!later)
    }
}
