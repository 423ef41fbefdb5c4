import Foundation
import Matching
import Messaging
import Postgres
import SeraiJSON
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("O6: following the way", .timeLimit(.minutes(15)))
struct TrackingTests {
    private func store(_ provider: UUID, metresNorth: Double, _ ground: ProvidersGround) async throws {
        let fix = Fix(place: ProvidersGround.north(metresNorth), at: Date())
        try await ground.pool.execute(StorePositions(reports: [PositionReport(provider: provider, fix: fix)]))
    }

    @Test("O6: the customer sees the provider and what is left; the provider the destination too; nobody else anything")
    func parties() async throws {
        try await ProvidersGround.run { ground in
            let (customer, provider) = (UUID.timeOrdered(), try await ground.tell())
            let order = try await ground.order(state: "accepted", customer: customer, provider: provider)
            let path = "orders/\(order.lower)/tracking"
            var answer = try await ground.get(path, as: customer)
            #expect(answer.status == 200 && answer.json["position"] == nil && answer.json["metresLeft"] == nil)

            try await store(provider, metresNorth: 3_000, ground)
            for state in ["accepted", "enRoute", "arrived"] {
                _ = try await ground.order(order, state: state, customer: customer, provider: provider)
                answer = try await ground.get(path, as: customer)
                #expect(answer.json["position"]?["latitude"]?.asDouble == ProvidersGround.north(3_000).latitude)
                #expect(answer.json["metresLeft"] == 3_000 && answer.json["secondsLeft"] == 468)
                #expect(answer.json["destination"] == nil)
            }
            answer = try await ground.get(path, as: provider, "provider")
            #expect(answer.json["destination"]?["latitude"]?.asDouble == ProvidersGround.riyadh.latitude)
            #expect(answer.json["metresLeft"] == 3_000)

            #expect(try await ground.get(path).status == 401)
            for (caller, role) in [(UUID(), "customer"), (UUID(), "provider"), (UUID(), "admin")] {
                answer = try await ground.get(path, as: caller, role)
                #expect(answer.status == 404 && answer.slug == "not-found")
            }
            for id in [UUID().lower, "none", "1"] {
                #expect(try await ground.get("orders/\(id)/tracking", as: customer).status == 404)
            }
        }
    }

    @Test("O6, I9: a relative who may see the customer's orders follows the way as the customer does, another not")
    func relatives() async throws {
        try await ProvidersGround.run { ground in
            let (customer, provider) = (UUID.timeOrdered(), try await ground.tell())
            let (sister, brother) = (UUID.timeOrdered(), UUID.timeOrdered())
            for (relative, scope) in [(sister, "see"), (brother, "order")] {
                try await ground.pool.execute(
                    StoreLink(
                        link: .timeOrdered(), market: "assef", from: relative, to: customer, scopes: [scope]))
            }
            let order = try await ground.order(state: "accepted", customer: customer, provider: provider)
            try await store(provider, metresNorth: 3_000, ground)
            let path = "orders/\(order.lower)/tracking"
            let answer = try await ground.get(path, as: sister)
            #expect(answer.status == 200 && answer.json["metresLeft"] == 3_000 && answer.json["destination"] == nil)
            #expect(try await ground.get(path, as: brother).status == 404)
        }
    }

    @Test("O6: while one waits for the answer the chosen provider is seen roughly")
    func waiting() async throws {
        try await ProvidersGround.run { ground in
            let (customer, provider) = (UUID.timeOrdered(), try await ground.tell())
            let order = try await ground.order(
                state: "requested", customer: customer, provider: provider, isHeld: false)
            try await store(provider, metresNorth: 1_234, ground)
            let answer = try await ground.get("orders/\(order.lower)/tracking", as: customer)
            let coarse = ProvidersGround.north(1_234).coarse
            #expect(answer.json["position"]?["latitude"]?.asDouble == coarse.latitude)
            #expect(answer.json["position"]?["longitude"]?.asDouble == coarse.longitude)
        }
    }

    @Test("an order that is over is followed no more, and says so", arguments: ["completed", "cancelled", "expired"])
    func over(state: String) async throws {
        try await ProvidersGround.run { ground in
            let (customer, provider) = (UUID.timeOrdered(), try await ground.tell())
            let order = try await ground.order(state: state, customer: customer, provider: provider, isHeld: false)
            for (caller, role) in [(customer, "customer"), (provider, "provider")] {
                let answer = try await ground.get("orders/\(order.lower)/tracking", as: caller, role)
                #expect(answer.status == 409 && answer.slug == "order-not-tracked")
                #expect(answer.json["state"]?.asText == state)
            }
        }
    }
}
