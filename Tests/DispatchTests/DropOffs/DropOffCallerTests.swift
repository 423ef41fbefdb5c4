import Contracts
import Foundation
import HTTPTypes
import Matching
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O10: who may have a bike brought, and at which price", .timeLimit(.minutes(15)))
struct DropOffCallerTests {
    @Test("O10, Q7: only customers of the market order, with a quote of their own for it; only its driver has a code")
    func callers() async throws {
        try await DropOffScene.with(bikes: 3) { scene in
            let server = scene.server
            let other = try await server.owner("Ron", in: "btnc")
            let foreign = try await server.owner("Olof", in: "carrepsa")
            let second = try await server.person(
                try await scene.world.driver(north: 5_000), roles: ["provider"], in: "btnc")
            let quote = try await scene.quote(scene.customer.account)
            #expect(try await scene.order(quote, as: nil).status == 401)
            for person in [scene.driver, scene.admin, foreign] {
                #expect(try await scene.order(quote, as: person).status == 403)
            }
            #expect(try await scene.order(quote, as: other).status == 404)
            let rides = try await scene.quote(scene.customer.account, kind: "ride")
            #expect(try await scene.order(rides, as: scene.customer).status == 404)
            let old = try await scene.quote(scene.customer.account, age: 301)
            #expect(try await scene.order(old, as: scene.customer).problem == "quote-expired")
            let empty = try await server.post(DropOffScene.orders, as: scene.customer, "{}")
            #expect(empty.codes == ["/quote": "required"])
            let nurses = try await server.customer()
            let body = #"{"quote": "\#(quote.text)"}"#
            #expect(try await server.post("/dispatch/v1/markets/assef/drop-offs", as: nurses, body).status == 404)
            #expect(try await scene.free() == 3)
            #expect(try await scene.order(quote, as: scene.customer).status == 201)
            #expect(try await scene.order(quote, as: scene.customer).problem == "quote-used")

            let order = try await scene.driven("accept", "arrive")
            #expect(try await scene.code(order, as: nil).status == 401)
            for person in [other, second, scene.admin, foreign] {
                #expect(try await scene.code(order, as: person).status == 404)
            }
            #expect(try await scene.code(order, as: scene.customer).status == 403)
            let elsewhere = try await server.person(scene.driver.account, roles: ["provider"], in: "carrepsa")
            #expect(try await scene.code(order, as: elsewhere).status == 403)
            // Each code is asked for where it belongs.
            #expect(try await server.post("/dispatch/v1/hires/\(order.text)/code", as: scene.customer).status == 404)
            let hire = try await HireTests.ready(server, other, scene.rack.id).order
            #expect(try await scene.code(hire, as: other).status == 404)
            for action in ["accept", "decline", "arrive", "give-up", "complete", "no-show", "take"] {
                #expect(try await server.act(action, order, as: nil).status == 401)
                guard action != "take" else { continue }
                for person in [other, second, scene.admin, foreign] {
                    #expect(try await server.act(action, order, as: person).status == 404, "\(action)")
                }
            }
        }
    }

    @Test("O10, C6: a customer has four bikes at most, hired, ordered or brought and not brought back")
    func tooMany() async throws {
        try await DropOffScene.with(bikes: 9) { scene in
            let (order, bike) = try await scene.out()
            for person in [scene.driver, scene.customer] {
                _ = try await scene.server.act("complete", order, as: person)
            }
            _ = try await HireTests.ready(scene.server, scene.customer, scene.rack.id)
            for _ in 0..<2 { _ = try await scene.paid() }
            let quote = try await scene.quote(scene.customer.account)
            #expect(try await scene.order(quote, as: scene.customer).problem == "too-many-hires")
            #expect(
                try await HireTests.order(scene.server, scene.customer, scene.rack.id).problem == "too-many-hires")
            let back = try await HireTests.report(
                scene.server, "returns", scene.rack.id, key: scene.rack.key, #"{"bike": "\#(bike.text)"}"#)
            #expect(back.status == 204)
            // The quote is not used up by what was refused.
            #expect(try await scene.order(quote, as: scene.customer).status == 201)
        }
    }

    @Test("O10, C7: a quote is from the nearest rack with a free bike of the type, and says how long it may be used")
    func quoted() async throws {
        try await PlacesGround.run { ground in
            func rack(_ metres: Double, _ type: BikeType) async throws -> UUID {
                let place = PlacesGround.north(metres)
                let card = Rack.Card(
                    name: "At \(Int(metres))", arabicName: nil, latitude: place.latitude, longitude: place.longitude,
                    isActive: true)
                return try await ground.pool.withTransaction { transaction in
                    let id = try await ManageRacks().add(
                        card, key: UUID().uuidString, in: "btnc", by: .timeOrdered(), at: .thisMillisecond,
                        in: transaction
                    ).id
                    try await ManageRacks().stock(
                        id, with: type, count: 1, in: "btnc", by: .timeOrdered(), at: .thisMillisecond, in: transaction)
                    return id
                }
            }
            func body(_ more: String, to place: GeoPoint = PlacesGround.perth) -> String {
                #"{"market":"btnc","kind":"bikeDropOff","to":\#(PlacesGround.json(place))\#(more)}"#
            }
            let (near, far) = (try await rack(1_000, .cargo), try await rack(3_000, .city))
            _ = try await rack(12_000, .electric)
            let customer = UUID.timeOrdered()
            let city = try await ground.ask(.post, "quotes", body(#","bike":"city""#), as: customer)
            #expect(city.status == 201, "\(city.json)")
            #expect(city.json["rack"]?.asText == far.text && city.json["from"]?["description"] == "At 3000")
            #expect(city.json["bike"] == "city" && city.json["size"] == "dropOff")
            #expect(city.json["useSeconds"]?.asInt == 14_400)
            let tariff = try #require(Market.btnc.defaults.tariffs[OrderDropOff.tariff])
            let fare = Tariff(tariff).fare(
                metres: city.json["metres"]?.asInt ?? 0, seconds: city.json["seconds"]?.asInt ?? 0)
            #expect(city.json["price"]?["amount"]?.asInt == fare.total)
            let id = try #require(city.json["quote"]?.asText)
            #expect(try await ground.ask(.get, "quotes/\(id)", as: customer).json == city.json)
            let cargo = try await ground.ask(.post, "quotes", body(#","bike":"cargo""#), as: customer)
            #expect(cargo.json["rack"]?.asText == near.text)
            // There is one, beyond the market's radius.
            let electric = try await ground.ask(.post, "quotes", body(#","bike":"electric""#), as: customer)
            #expect(electric.status == 409)
            #expect(try await ground.ask(.post, "quotes", body(""), as: customer).codes["/bike"] == "required")
            let sea = GeoPoint(latitude: -31.95, longitude: 115.2)
            let outside = try await ground.ask(.post, "quotes", body(#","bike":"city""#, to: sea), as: customer)
            #expect(outside.status == 422 && outside.codes["/to"] == "outside-service-area")
            let wish = body(#","bike":"city""#)
            #expect(try await ground.ask(.post, "quotes", wish, as: nil).status == 401)
            #expect(try await ground.ask(.post, "quotes", wish, as: customer, ["provider"]).status == 403)
            // A ride is no bike.
            let ride = try await ground.ask(.post, "quotes", QuoteTests.body(more: #","bike":"city""#), as: customer)
            #expect(ride.status == 201 && ride.json["rack"] == nil)
        }
    }
}
