import Foundation
import Matching
import Messaging
import Postgres
import SeraiJSON
import Testing

@testable import SeraiDispatch

@Suite("C7: the demand that meals make", .timeLimit(.minutes(5)))
struct MealDemandTests {
    @Test("C7: a meal that is being cooked is no demand for couriers; it is once one could be found for it")
    func cooking() async throws {
        try await MealWorld.with { world in
            func waiting(around place: GeoPoint = RideWorld.perth, metres: Double = 30_000_000) async throws -> Int {
                try await world.orders.pool.query(
                    ListWaitingPlaces(
                        market: "btnc", kind: "food", isLarge: false, box: DegreeBox(around: place, metres: metres))
                ).count
            }
            let order = try await world.requested()
            #expect(try await waiting() == 0)
            _ = try await world.accept(order, minutes: 45)
            #expect(try await waiting() == 0)
            try await world.ready(order)
            #expect(try await waiting() == 1)
            // As if it were on Taveuni, which lies on both sides of the 180th meridian.
            try await world.orders.pool.execute(MoveOrders(latitude: -16.8, longitude: -179.98))
            try await world.orders.pool.execute(MoveSearches(latitude: -16.8, longitude: -179.98))
            let (near, far) = (
                GeoPoint(latitude: -16.8, longitude: 179.98), GeoPoint(latitude: -16.8, longitude: 179)
            )
            for (place, count) in [(near, 1), (far, 0)] {
                #expect(try await waiting(around: place, metres: 10_000) == count)
                let open = ListOpenSearches(
                    market: "btnc", account: .timeOrdered(), kinds: ["food"],
                    box: DegreeBox(around: place, metres: 10_000), place: place)
                #expect(try await world.orders.pool.query(open).count == count)
            }
        }
    }
}

private struct MoveOrders: Statement {
    static let sql: SQL = "UPDATE orders SET latitude = $1, longitude = $2"
    let latitude: Double
    let longitude: Double
    func bind(_ bindings: inout Bindings) { bindings.append(latitude, longitude) }
}

private struct MoveSearches: Statement {
    static let sql: SQL = "UPDATE searches SET latitude = $1, longitude = $2"
    let latitude: Double
    let longitude: Double
    func bind(_ bindings: inout Bindings) { bindings.append(latitude, longitude) }
}
