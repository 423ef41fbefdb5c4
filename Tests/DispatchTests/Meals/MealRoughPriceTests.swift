import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

/// What a courier sees of a meal's price.
extension MealRouteTests {
    @Test("P8: until the yes a courier sees the price of the rough way, then the exact one; the others never")
    func roughPrice() async throws {
        // Two doors of one cell, with other prices.
        for (metres, total) in [(1_000.0, 712), (1_060.0, 733)] {
            try await with { scene in
                let quote = try await scene.world.quote(
                    scene.customer.account, north: metres, total: total, roughPrice: 650)
                let asked = try await scene.request(quote, as: scene.customer)
                let order = try #require(asked["order"]?.text.flatMap(UUID.init(uuidString:)), "\(asked.json)")
                #expect(asked["total"]?["amount"]?.int == 2_750 + total && asked["isTotalRough"] == nil)
                try await scene.server.world.pay(order)
                #expect(try await scene.server.act("accept", order, as: scene.owner, #"{"minutes": 1}"#).status == 200)
                #expect(try await scene.world.rides.round().offered == 1)
                let offer = try await scene.get(order, as: scene.courier)
                #expect(offer["total"]?["amount"]?.int == 650 && offer["isTotalRough"] == .bool(true), "\(offer.json)")
                #expect(offer.services.map { $0["price"]?.int } == [650])
                let kitchen = try await scene.get(order, as: scene.owner)
                #expect(kitchen["total"]?["amount"]?.int == 2_750 && kitchen["isTotalRough"] == nil)
                let home = try await scene.get(order, as: scene.customer)
                #expect(home["total"]?["amount"]?.int == 2_750 + total && home["isTotalRough"] == nil)
                let event = try #require(
                    try await scene.world.pool.query(ReadEvents(order: order.text))
                        .last { $0.name == OrderOffered.name.text })
                let told = try JSON.wire.decode(OrderOffered.self, event.payload.utf8).order
                #expect(told.part(of: .provider).total.amount == 650 && told.part(of: .provider).roughPrice == nil)
                #expect(told.part(of: .merchant).total.amount == 2_750)
                #expect(told.part(of: .customer).total.amount == 2_750 + total)
                let taken = try await scene.server.act("accept", order, as: scene.courier)
                #expect(taken["total"]?["amount"]?.int == total && taken["isTotalRough"] == nil, "\(taken.json)")
            }
        }
    }
}
