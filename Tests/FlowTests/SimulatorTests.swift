import Contracts
import Foundation
import SeraiJSON
import Testing

@testable import Simulator

@Suite("The simulator's judgement")
struct SimulatorTests {
    private let order = UUID()

    private func said(_ entries: [(String?, StreamAudit.Said)]) -> [(id: String?, said: StreamAudit.Said)] {
        entries.map { (id: $0.0, said: $0.1) }
    }

    @Test("N3: a stream that says everything once is right, also when newer versions overtake older ones")
    func right() {
        let audit = StreamAudit(
            said([
                (nil, .other), ("1", .order(order, version: 1, event: "a")), ("2", .inbox("x")),
                ("3", .order(order, version: 3, event: "c")),
            ]), finals: [order: 3], inbox: ["x"])
        #expect(audit.duplicates.isEmpty && audit.lost.isEmpty)
        #expect(audit.leftOut == 1)
    }

    @Test("N3: what is said twice is a duplicate: an event id, a version with its event, an inbox item")
    func duplicates() {
        let audit = StreamAudit(
            said([
                ("1", .order(order, version: 1, event: "a")), ("1", .other),
                ("2", .order(order, version: 1, event: "a")), ("3", .order(order, version: 1, event: "b")),
                ("4", .inbox("x")), ("5", .inbox("x")),
            ]), finals: [order: 1], inbox: ["x"])
        #expect(audit.duplicates.count == 3)
        #expect(audit.lost.isEmpty)
    }

    @Test("N3: an end that was not said is lost, and so is an inbox item")
    func lost() {
        let audit = StreamAudit(
            said([("1", .order(order, version: 1, event: "a"))]), finals: [order: 2, UUID(): 1], inbox: ["x"])
        #expect(audit.lost.count == 3)
    }

    @Test(
        "Q3, N3: after something was missed a stream may say again what it had said, under other numbers, and only once"
    )
    func saidAgain() {
        let earlier: [(String?, StreamAudit.Said)] = [("1", .order(order, version: 2, event: "b")), ("2", .inbox("x"))]
        let later: [(String?, StreamAudit.Said)] = [
            (nil, .missed), ("1000000003", .order(order, version: 2, event: "b")), ("1000000004", .inbox("x")),
        ]
        let again = StreamAudit(said(earlier + later), finals: [order: 2], inbox: ["x"])
        #expect(again.duplicates.isEmpty && again.lost.isEmpty)
        let twice = StreamAudit(said(earlier + later + later.dropFirst()), finals: [order: 2], inbox: ["x"])
        #expect(twice.duplicates.count == 4)
    }

    @Test("Q3, N3: of an order that was set back the last version counts that was said or read afterwards")
    func setBack() {
        let earlier: [(String?, StreamAudit.Said)] = [("1", .order(order, version: 7, event: "g")), (nil, .missed)]
        let read = StreamAudit(
            said(earlier + [(nil, .read(order, version: 4)), (nil, .readItem("x"))]), finals: [order: 4], inbox: ["x"])
        #expect(read.lost.isEmpty)
        let end = StreamAudit(said(earlier + [(nil, .read(order, version: 4))]), finals: [order: 5], inbox: [])
        #expect(end.lost.count == 1)
        // Nothing of it was undone.
        #expect(StreamAudit(said(earlier), finals: [order: 7], inbox: []).lost.isEmpty)
    }

    private typealias Happening = ExpectedItems.Happening

    private func happened(_ names: [String]) -> [Happening] { names.map { Happening(name: $0) } }

    private static let visit = [
        "dispatch.order.requested.v1", "dispatch.order.accepted.v1", "wallet.payment.held.v1",
        "dispatch.order.en_route.v1", "dispatch.order.nearby.v1", "dispatch.order.arrived.v1",
        "dispatch.order.completed.v1", "wallet.payment.captured.v1",
    ]
    private static let customerItems = [
        "order.accepted", "order.on-the-way", "order.arrived", "order.completed.customer",
    ]

    private func audit(
        _ party: ExpectedItems.Party, _ happened: [Happening], paidBy method: String = "card", has topics: [String]
    ) -> InboxAudit {
        let items = ExpectedItems(of: snapshot(order, .completed, at: 0), paidBy: method, happened)
        return InboxAudit(party, expected: [order: items], found: topics.map { (order: order, topic: $0) })
    }

    @Test("N1: one item for each thing that its owner is told of is right; that somebody is near may be left out")
    func inbox() {
        let events = happened(Self.visit)
        for topics in [Self.customerItems, Self.customerItems + ["order.nearby", "wallet.topped-up"]] {
            let audit = audit(.customer, events, has: topics)
            #expect(audit.expected == 4 && audit.missing.isEmpty && audit.surplus.isEmpty, "\(audit)")
        }
        let own = ["order.requested", "order.paid", "order.completed.provider", "payment.earned"]
        let provider = audit(.provider, events, has: own)
        #expect(provider.expected == 4 && provider.missing.isEmpty && provider.surplus.isEmpty, "\(provider)")
        let cash = ["order.requested", "order.paid-in-cash", "order.completed.provider", "payment.earned-in-cash"]
        let paid = audit(.provider, events, paidBy: "cash", has: cash)
        #expect(paid.expected == 4 && paid.missing.isEmpty && paid.surplus.isEmpty, "\(paid)")
    }

    @Test("N1: an item that was never written is missing, and one that is there twice or of nothing is too many")
    func wrongInbox() {
        let none = audit(.customer, happened(Self.visit), has: [])
        #expect(none.missing.count == 4 && none.surplus.isEmpty)
        let twice = audit(.customer, happened(Self.visit), has: Self.customerItems + ["order.accepted"])
        #expect(twice.missing.isEmpty && twice.surplus.count == 1)
        let other = audit(.customer, happened(Self.visit), has: Self.customerItems + ["payment.released"])
        #expect(other.missing.isEmpty && other.surplus.count == 1)
        let two = audit(.customer, happened(Self.visit), has: Self.customerItems + ["order.nearby", "order.nearby"])
        #expect(two.surplus.count == 1)
    }

    @Test("N1: who did it, and why, says who is told: of what was cancelled, expired, refused, rated and given back")
    func whoIsTold() {
        let cases: [(Happening, ExpectedItems.Party, [String])] = [
            (.init(name: "dispatch.order.cancelled.v1", by: "customer"), .provider, ["order.cancelled-by-other"]),
            (.init(name: "dispatch.order.cancelled.v1", by: "customer"), .customer, []),
            (
                .init(name: "dispatch.order.cancelled.v1", by: "system", reason: "no-show"), .customer,
                ["order.no-show.customer"]
            ),
            (
                .init(name: "dispatch.order.expired.v1", reason: "payment-window-over"), .provider,
                ["order.unpaid.provider"]
            ),
            (.init(name: "dispatch.order.refused.v1", by: "provider"), .customer, ["order.refused"]),
            (.init(name: "dispatch.order.confirmed.v1", by: "customer"), .provider, ["order.confirm"]),
            (.init(name: "dispatch.rating.given.v1", by: "provider"), .customer, ["order.rated"]),
            (
                .init(name: "wallet.payment.refused.v1", reason: "card-declined"), .customer,
                ["payment.refused.card-declined"]
            ),
            (.init(name: "wallet.payment.refused.v1", reason: "abandoned"), .customer, []),
            (.init(name: "wallet.payment.released.v1"), .customer, ["payment.released-to-wallet"]),
        ]
        for (happening, party, topics) in cases {
            let audit = audit(party, [happening], has: topics)
            let isRight = audit.missing.isEmpty && audit.surplus.isEmpty
            #expect(isRight && audit.expected == topics.count, "\(happening): \(audit)")
        }
    }

    private func snapshot(_ order: UUID, _ state: OrderSnapshot.State, at seconds: Double) -> OrderSnapshot {
        OrderSnapshot(
            order: order, market: "assef", kind: "visit", version: 1, state: state,
            customer: .init(account: UUID(), name: "C"), provider: nil, services: [],
            total: Money(amount: 1, currency: "SAR"), payment: .init(method: nil, state: .unpaid), confirmedBy: [],
            deadline: nil, by: .customer, reason: nil, requestedAt: Date(timeIntervalSince1970: 0),
            changedAt: Date(timeIntervalSince1970: seconds))
    }

    @Test("O13: two orders that run at the same time are seen, and two that follow each other are not")
    func overlaps() {
        let other = UUID()
        let after = [
            snapshot(order, .requested, at: 0), snapshot(order, .accepted, at: 1), snapshot(order, .completed, at: 5),
            snapshot(other, .requested, at: 2), snapshot(other, .accepted, at: 5), snapshot(other, .expired, at: 9),
        ]
        #expect(AssignmentAudit(after).overlaps.isEmpty)
        let during = after + [snapshot(other, .accepted, at: 4)]
        #expect(AssignmentAudit(during).overlaps.count == 1)
        let declined = [
            snapshot(order, .accepted, at: 1), snapshot(other, .requested, at: 2), snapshot(other, .refused, at: 3),
        ]
        #expect(AssignmentAudit(declined).overlaps.isEmpty)
    }

    @Test("the same seed decides the same, and another one otherwise")
    func seeds() {
        let first = (0..<200).map { CustomerBehaviour(seed: 1, order: $0) }
        #expect(first == (0..<200).map { CustomerBehaviour(seed: 1, order: $0) })
        #expect(first != (0..<200).map { CustomerBehaviour(seed: 2, order: $0) })
        for course in [
            CustomerBehaviour.Course.straight, .cancelsWhileRequested, .cancelsWhileAccepted, .letsPaymentExpire,
            .firstCardRefused, .onlyCardRefused, .neverConfirms, .paysLate,
        ] {
            #expect((0..<2_000).contains { CustomerBehaviour(seed: 1, order: $0).course == course })
        }
    }

    @Test("pickups are read in both ways that their time is written in; a heading is none")
    func pickups() {
        let text =
            "Date/Time,Lat,Lon,Base\n2014/4/1 00:11:00,40.769,-73.9549,B02512\n\"4/1/2014 0:11:00\",40.769,-73.9549,\"B02512\"\r\nnonsense\n"
        let pickups = Pickups.parse(text)
        #expect(pickups.count == 2)
        #expect(Set(pickups.map(\.at)) == [Date(timeIntervalSince1970: 1_396_311_060)])
        #expect(pickups.first?.place == Coordinate(latitude: 40.769, longitude: -73.9549))
    }

    @Test("an area around places is one that the setting takes")
    func area() throws {
        let box = try #require(
            BoundingBox([.init(latitude: 40.2, longitude: -74.7), .init(latitude: 41.3, longitude: -72.9)]))
        var settings = Market.assef.defaults
        try settings.set(.serviceArea, to: box.area)
        #expect(settings.serviceArea.count == 4)
        #expect(BoundingBox([]) == nil)
    }

    @Test("percentiles are by the nearest rank")
    func percentiles() {
        let times = Percentiles((1...100).map { Duration.milliseconds($0) })
        #expect((times.p50, times.p95, times.p99) == (50, 95, 99))
        #expect(Percentiles([]).p99 == 0)
    }
}
