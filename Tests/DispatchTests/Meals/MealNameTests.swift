import Contracts
import Foundation
import Matching
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O9: the names of a meal", .timeLimit(.minutes(15)))
struct MealNameTests {
    /// Writes the card of the scene's restaurant anew.
    private static func call(_ world: MealWorld, _ name: String, arabic: String?) async throws {
        let card = Restaurant.Card(
            name: name, arabicName: arabic, description: nil, latitude: RideWorld.perth.latitude,
            longitude: RideWorld.perth.longitude, preparationMinutes: 20)
        try await world.pool.execute(
            StoreRestaurant(id: .timeOrdered(), market: "btnc", owner: world.owner, card: card, now: .thisMillisecond))
    }

    @Test("O9, P7: each of the three reads the restaurant's Arabic name in Arabic, as it was when the meal was ordered")
    func arabicName() async throws {
        try await OrderServer.with { server in
            let scene = try await MealRouteTests.Scene(server)
            try await Self.call(scene.world, "Levant", arabic: "بلاد الشام")
            let order = try await scene.offered()
            try await Self.call(scene.world, "Sham", arabic: nil)
            for (language, expected) in [("ar", "بلاد الشام"), ("en", "Levant")] {
                for person in [scene.customer, scene.owner, scene.courier] {
                    let seen = try await server.get(server.path(order), as: person, language: language)
                    #expect(seen["food"]?["restaurantName"]?.text == expected)
                }
            }
        }
    }
}
