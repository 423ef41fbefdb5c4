import Contracts
import Foundation
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
