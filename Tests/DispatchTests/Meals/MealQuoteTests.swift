import Contracts
import Foundation
import HTTPTypes
import Matching
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("C7, O9: quotes of meals", .timeLimit(.minutes(15)))
struct MealQuoteTests {
    static func body(_ restaurant: String, to place: GeoPoint = PlacesGround.north(2_000)) -> String {
        #"{"market":"btnc","kind":"food","restaurant":"\#(restaurant)","to":\#(PlacesGround.json(place))}"#
    }

    @Test("C7: the way from the restaurant is priced by the tariff for food, and says when the meal is likely there")
    func quoted() async throws {
        try await PlacesGround.run { ground in
            let (_, id) = try await RestaurantTests.open(ground, "Levant")
            let answer = try await ground.ask(.post, "quotes", Self.body(id), as: .timeOrdered())
            #expect(answer.status == 201, "\(answer.json)")
            let json = answer.json
            #expect(json["restaurant"]?.asText == id && json["size"] == "food")
            #expect(json["from"]?["description"] == "Levant")
            let (metres, seconds) = (json["metres"]?.asInt ?? 0, json["seconds"]?.asInt ?? 0)
            let tariff = try #require(Market.btnc.defaults.tariffs["food"])
            #expect(json["price"]?["amount"]?.asInt == Tariff(tariff).fare(metres: metres, seconds: seconds).total)
            let made = try #require(json["madeAt"]?.asText.flatMap(Timestamp.parse))
            let arrives = try #require(json["arrivesAt"]?.asText.flatMap(Timestamp.parse))
            // It cooks for twenty minutes.
            #expect(abs(arrives.timeIntervalSince(made) - Double(1_200 + seconds)) < 0.01)
        }
    }

    @Test("C5, C7: a restaurant that is closed, one's own, too far or none is not quoted")
    func refused() async throws {
        try await PlacesGround.run { ground in
            let customer = UUID.timeOrdered()
            let (owner, id) = try await RestaurantTests.open(ground, "Levant")
            let far = try await ground.ask(.post, "quotes", Self.body(id, to: PlacesGround.north(11_000)), as: customer)
            #expect(far.status == 409 && far.slug == "restaurant-too-far")
            let own = try await ground.ask(.post, "quotes", Self.body(id), as: owner)
            #expect(own.status == 422 && own.codes["/restaurant"] == "own-account")
            let none = try await ground.ask(.post, "quotes", Self.body(UUID().uuidString), as: customer)
            #expect(none.status == 404)
            let without = try await ground.ask(
                .post, "quotes", #"{"market":"btnc","kind":"food","to":\#(PlacesGround.json(PlacesGround.perth))}"#,
                as: customer)
            #expect(without.codes == ["/restaurant": "required"])
            _ = try await ground.ask(
                .put, RestaurantTests.own + "/open", #"{"open":false}"#, as: owner, ["provider"])
            let closed = try await ground.ask(.post, "quotes", Self.body(id), as: customer)
            #expect(closed.status == 409 && closed.slug == "restaurant-closed")
            #expect(try await ground.ask(.post, "quotes", Self.body(id), as: owner, ["provider"]).status == 403)
        }
    }
}
