import Contracts
import Foundation
import Testing

@testable import Simulator

@Suite("The simulation of all markets")
struct MixedSimulatorTests {
    private let order = UUID()

    @Test("the same seed wishes the same, and every kind is wished for about as often as its share")
    func wishes() {
        let first = (0..<5_000).map { Wish.of($0, seed: 1) }
        #expect(first == (0..<5_000).map { Wish.of($0, seed: 1) })
        #expect(first != (0..<5_000).map { Wish.of($0, seed: 2) })
        #expect(Wish.allCases.map(\.share).reduce(0, +) == 100)
        for wish in Wish.allCases {
            let count = first.filter { $0 == wish }.count
            #expect(abs(count - wish.share * 50) < 150, "\(wish): \(count)")
        }
    }

    @Test("each wish is one troupe's, and no two have the same")
    func troupes() {
        let all = [
            AssefTroupe.wishes, PerthTroupe.wishes, GothenburgTroupe.wishes, ReginaTroupe.wishes, MakkahTroupe.wishes,
        ]
        #expect(all.map(\.count).reduce(0, +) == Wish.allCases.count)
        #expect(all.reduce(Set()) { $0.union($1) } == Set(Wish.allCases))
    }

    @Test("every setting of a simulation is one that its market takes")
    func settings() throws {
        for (market, changes) in [
            (Market.btnc, PerthTroupe.settings), (.carrepsa, GothenburgTroupe.settings),
            (.edencare, ReginaTroupe.settings),
        ] {
            var settings = market.defaults
            for (key, value) in changes { try settings.set(key, to: value) }
        }
    }

    @Test("meals are read with both places; a heading, and a record without places, are none")
    func meals() {
        let text = """
            ID,Delivery_person_ID,Age,Ratings,Restaurant_latitude,Restaurant_longitude,Delivery_latitude,Delivery_longitude
            B379,B1,34,4.5,12.913041,77.683237,13.043041,77.813237,Snack ,scooter ,33
            B380,B2,34,4.5,0.0,0.0,0.13,0.13,Snack ,scooter ,33
            """
        let meals = MealRecords.parse(text)
        #expect(meals.count == 1)
        #expect(meals.first?.home == Coordinate(latitude: 13.043041, longitude: 77.813237))
    }

    @Test("a place is moved into another town, where near places stay near, and none is outside")
    func moved() {
        let box = BoundingBox(south: 40, west: -75, north: 41, east: -73)
        let corner = box.moved(Coordinate(latitude: 40, longitude: -75), into: .perth)
        #expect(corner == Coordinate(latitude: BoundingBox.perth.south, longitude: BoundingBox.perth.west))
        let outside = box.moved(Coordinate(latitude: 50, longitude: 0), into: .perth)
        #expect(outside == Coordinate(latitude: BoundingBox.perth.north, longitude: BoundingBox.perth.east))
        let one = box.moved(Coordinate(latitude: 40.5, longitude: -74), into: .perth)
        let other = box.moved(Coordinate(latitude: 40.5, longitude: -73.9), into: .perth)
        #expect(one.latitude == other.latitude && one.longitude < other.longitude)
    }

    private func snapshot(_ state: OrderSnapshot.State, paid: OrderSnapshot.Payment.State) -> OrderSnapshot {
        OrderSnapshot(
            order: order, market: "btnc", kind: "ride", version: 3, state: state,
            customer: .init(account: UUID(), name: "C"), provider: .init(account: UUID(), name: "P"), services: [],
            total: Money(amount: 1, currency: "AUD"), payment: .init(method: "card", state: paid), confirmedBy: [],
            deadline: nil, by: .customer, reason: nil, requestedAt: Date(timeIntervalSince1970: 0),
            changedAt: Date(timeIntervalSince1970: 1))
    }

    @Test("an order is at its end when nobody goes on with it and its money is where it stays")
    func settled() {
        #expect(TownAudit.isSettled(snapshot(.completed, paid: .captured)))
        #expect(!TownAudit.isSettled(snapshot(.completed, paid: .held)))
        #expect(TownAudit.isSettled(snapshot(.cancelled, paid: .released)))
        #expect(TownAudit.isSettled(snapshot(.expired, paid: .unpaid)))
        #expect(!TownAudit.isSettled(snapshot(.cancelled, paid: .held)))
        #expect(!TownAudit.isSettled(snapshot(.disputed, paid: .held)))
        var reported = snapshot(.completed, paid: .captured)
        reported.report = UUID()
        #expect(!TownAudit.isSettled(reported))
    }

    @Test("customer and provider hear of an order's last change, and a restaurant of a meal that was brought")
    func concerned() throws {
        var order = snapshot(.cancelled, paid: .unpaid)
        let cook = UUID()
        order.shares = [.init(party: .merchant, account: cook, name: "K", amount: 1)]
        let provider = try #require(order.provider)
        #expect(TownAudit.concerns(order, order.customer.account, asCustomer: true))
        #expect(!TownAudit.concerns(order, order.customer.account, asCustomer: false))
        #expect(TownAudit.concerns(order, provider.account, asCustomer: false))
        #expect(!TownAudit.concerns(order, cook, asCustomer: false))
        order.state = .completed
        #expect(TownAudit.concerns(order, cook, asCustomer: false))
    }

    @Test("N3: what can be only once of an order is repeated when it is there twice; of two orders it is not")
    func repeated() {
        let found = [
            (order: order, topic: "order.completed.customer"), (order: UUID(), topic: "order.completed.customer"),
            (order: order, topic: "order.offered"), (order: order, topic: "order.offered"),
        ]
        #expect(TownAudit.repeated(found).isEmpty)
        #expect(TownAudit.repeated(found + [(order: order, topic: "order.completed.customer")]).count == 1)
    }

    @Test("O13: clocks that differ by intention make no overlap, and real ones are still seen")
    func skew() {
        func at(_ id: UUID, _ state: OrderSnapshot.State, _ seconds: Double) -> OrderSnapshot {
            var snapshot = snapshot(state, paid: .held)
            snapshot.order = id
            snapshot.changedAt = Date(timeIntervalSince1970: seconds)
            return snapshot
        }
        let (one, other) = (UUID(), UUID())
        let versions = [
            at(one, .accepted, 0), at(one, .completed, 95), at(other, .accepted, 6), at(other, .completed, 12),
        ]
        #expect(AssignmentAudit(versions).overlaps.count == 1)
        #expect(AssignmentAudit(versions, skew: .seconds(90)).overlaps.isEmpty)
        let late = [at(one, .accepted, 0), at(one, .completed, 200), at(other, .accepted, 6)]
        #expect(AssignmentAudit(late, skew: .seconds(90)).overlaps.count == 1)
    }
}
