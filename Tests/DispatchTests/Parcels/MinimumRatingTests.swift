import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import Testing
import TestKit

@testable import SeraiDispatch

@Suite("X5: a minimum rating asked of a carrier, for a fee", .timeLimit(.minutes(5)))
struct MinimumRatingTests {
    private static func parcel(_ stars: String) -> String {
        OrderServer.parcel().replacing(#""fragile""#, with: #""minimumRating": \#(stars), "fragile""#)
    }

    private func rate(_ server: OrderServer, _ carrier: OrderServer.Person, _ stars: [Int]) async throws {
        for star in stars {
            try await server.world.pool.execute(
                AddStars(market: "carrepsa", account: carrier.account, role: .provider, stars: star))
        }
    }

    @Test("X5: only who has the rating finds, reads and takes such a parcel; a carrier without ratings does not")
    func qualified() async throws {
        try await OrderServer.with { server in
            let owner = try await server.owner()
            let (good, poor, new) = (
                try await server.carrier(), try await server.carrier("Per"), try await server.carrier("Nils")
            )
            // 4.33 is shown as 4.3, and 4.2 is less.
            try await rate(server, good, [4, 4, 5])
            try await rate(server, poor, [4, 4, 4, 5, 4])
            let order = try await server.posted(owner, Self.parcel("4.3"))
            let along =
                "/dispatch/v1/markets/carrepsa/board/along?fromLatitude=57.7&fromLongitude=11.97"
                + "&toLatitude=57.71&toLongitude=11.97"
            let whole = "/dispatch/v1/markets/carrepsa/board"
            for other in [poor, new] {
                for list in [OrderServer.board, whole, whole + "?sort=payment", along] {
                    #expect(try await server.get(list, as: other).items.isEmpty)
                }
                #expect(try await server.get(server.path(order), as: other).status == 404)
                #expect(try await server.act("take", order, as: other).status == 404)
            }
            for list in [OrderServer.board, whole, whole + "?sort=payment", along] {
                #expect(try await server.get(list, as: good).items.count == 1)
            }
            #expect(try await server.get(server.path(order), as: good)["parcel", "minimumRating"] == .number(4.3))
            #expect(try await server.act("take", order, as: good).status == 200)
        }
    }

    @Test("X5, W5: the fee is the platform's, beside the payment; the carrier reads and gets the payment alone")
    func fee() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            try await rate(server, carrier, [5])
            let order = try await server.posted(owner, Self.parcel("4"))
            let fee = Market.carrepsa.defaults.parcelRates.minimumRatingFee
            let own = try await server.get(server.path(order), as: owner)
            #expect(own["total", "amount"]?.int == 5_000 + fee && own.services.count == 2)
            let listed = try await server.get(OrderServer.board, as: carrier).items.first?["order"]
            #expect(listed?["total"]?["amount"]?.int == 5_000)
            let taken = try await server.act("take", order, as: carrier)
            #expect(taken["total", "amount"]?.int == 5_000 && taken.services.count == 1)
            let snapshot = OrderSnapshot(try await server.world.details(order).order)
            #expect(snapshot.total.amount == 5_000 + fee)
            #expect(snapshot.shares?.map(\.amount) == [5_000] && snapshot.shares?.first?.party == .provider)
            // A part that is not asked for costs nothing.
            let plain = try await server.post(owner)
            #expect(try await server.get(server.path(plain), as: owner)["total", "amount"]?.int == 5_000)
            #expect(OrderSnapshot(try await server.world.details(plain).order).shares == nil)
        }
    }

    @Test("X5, P10: a rating is one to five stars")
    func input() async throws {
        try await OrderServer.with { server in
            let owner = try await server.owner()
            for wrong in ["0.9", "5.1", "\"4\""] {
                let answer = try await server.post(OrderServer.parcels, as: owner, Self.parcel(wrong))
                #expect(answer.status == 422 && answer.codes["/minimumRating"] != nil)
            }
            let market = Market.carrepsa.defaults
            #expect(market.text(of: .parcelRates) == "1500,2000,400,200" && market.text(of: .latePay) == "50,24,6")
        }
    }
}
