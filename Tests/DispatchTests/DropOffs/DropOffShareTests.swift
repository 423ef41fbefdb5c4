import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O10: who is paid for a bike that is brought", .timeLimit(.minutes(15)))
struct DropOffShareTests {
    @Test("B12, O10: of a bike's price its use is the platform's, and the driver sees and is paid the delivery alone")
    func useOfTheBike() async throws {
        try await DropOffScene.with { scene in
            let asked = try await scene.order(try await scene.quote(scene.customer.account), as: scene.customer)
            #expect(asked.services.map { $0["price"]?.int } == [900, 1_600], "\(asked.json)")
            let order = try #require(asked["order"]?.text.flatMap(UUID.init(uuidString:)))
            try await scene.server.world.pay(order)
            try await scene.world.round()
            let offer = try await scene.get(order, as: scene.driver)
            #expect(offer["total", "amount"]?.int == 1_600 && offer.services.count == 1, "\(offer.json)")
            #expect(try await scene.server.act("accept", order, as: scene.driver).status == 200)
            let event = try #require(
                try await scene.world.pool.query(ReadEvents(order: order.text)).last {
                    $0.name == OrderAccepted.name.text
                })
            let told = try JSON.wire.decode(OrderAccepted.self, Array(event.payload.utf8)).order
            #expect(told.shares?.map(\.amount) == [1_600] && told.shares?.first?.account == scene.driver.account)
            #expect(told.total.amount == 2_500)
            #expect(try await scene.get(order, as: scene.customer)["total", "amount"]?.int == 2_500)
            // Without such a tariff all is the driver's.
            try await scene.world.pool.execute(
                SetSetting(market: "btnc", key: "tariffs", value: "dropOff=1900,115,32,2500"))
            try await scene.server.world.markets.refresh()
            let whole = try await scene.order(try await scene.quote(scene.customer.account), as: scene.customer)
            #expect(whole.services.count == 1, "\(whole.json)")
        }
    }
}
