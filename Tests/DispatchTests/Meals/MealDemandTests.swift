import Foundation
import Matching
import Postgres
import Testing

@testable import SeraiDispatch

@Suite("C7: the demand that meals make", .timeLimit(.minutes(5)))
struct MealDemandTests {
    @Test("C7: a meal that is being cooked is no demand for couriers; it is once one could be found for it")
    func cooking() async throws {
        try await MealWorld.with { world in
            func waiting() async throws -> Int {
                try await world.orders.pool.query(
                    ListWaitingPlaces(
                        market: "btnc", kind: "food", isLarge: false, latitudes: -90...90, longitudes: -180...180)
                ).count
            }
            let order = try await world.requested()
            #expect(try await waiting() == 0)
            _ = try await world.accept(order, minutes: 45)
            #expect(try await waiting() == 0)
            try await world.ready(order)
            #expect(try await waiting() == 1)
        }
    }
}
