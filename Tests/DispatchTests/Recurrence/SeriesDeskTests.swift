import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O7: series and the desk", .timeLimit(.minutes(15)))
struct SeriesDeskTests {
    @Test("O7, E3, P9: the desk lists a caller's series, skips, moves and ends it and changes its payment; all is told")
    func desk() async throws {
        try await PlacesGround.run { ground in
            let (admin, caller) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await ground.pool.execute(TellCards(account: caller, cards: [SeriesRouteTests.cardID]))
            let made = try await ground.ask(
                .post, "series", SeriesRouteTests.body(payment: SeriesRouteTests.card), as: caller, in: "edencare")
            let id = try #require(made.json["series"]?.asText, "\(made.json)")
            func ask(
                _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil
            ) async throws -> ProviderAnswer {
                try await ground.ask(method, path, body, as: admin, ["admin"], in: "edencare")
            }
            let listed = try await ask(.get, "markets/edencare/series?customer=\(caller.text)")
            #expect(listed.items.map { $0["series"]?.asText } == [id], "\(listed.json)")
            #expect(try await ask(.get, "markets/edencare/series?customer=\(UUID().uuidString)").items.isEmpty)
            // The market's series, with their customers and next visits.
            let all = try await ask(.get, "markets/edencare/series?state=active")
            #expect(all.items.map { $0["series"]?.asText } == [id], "\(all.json)")
            #expect(all.items.first?["customer"]?["account"]?.asText == caller.text)
            #expect(all.items.first?["nextAt"]?.asText != nil)
            #expect(try await ask(.get, "markets/edencare/series?state=ended").items.isEmpty)
            #expect(try await ask(.get, "markets/edencare/series?state=over").status == 400)
            #expect(try await ask(.get, "markets/edencare/series?name=nobody").items.isEmpty)
            #expect(try await ask(.get, "series/\(id)").json["customer"]?["account"]?.asText == caller.text)
            let own = try await ground.ask(.get, "series/\(id)", as: caller, in: "edencare")
            #expect(own.json["customer"] == nil && own.json["nextAt"] == nil)
            let other = try await ground.ask(
                .get, "markets/edencare/series?customer=\(caller.text)", as: admin, ["admin"], in: "assef")
            #expect(other.status == 403)
            let visits = try await ask(.get, "series/\(id)/visits").items
            let days = visits.compactMap { $0["state"] == "planned" ? $0["day"]?.asText : nil }
            let (first, second) = (try #require(days.dropFirst(2).first), try #require(days.dropFirst(3).first))
            #expect(try await ask(.post, "series/\(id)/visits/\(first)/skip").status == 200)
            let moved = try await ask(
                .put, "series/\(id)/visits/\(second)", #"{"day": "\#(second)", "time": "11:15"}"#)
            #expect(moved.status == 200, "\(moved.json)")
            let paid = try await ask(.put, "series/\(id)/payment", #"{"payment": "wallet"}"#)
            #expect(paid.status == 200 && paid.json["payment"] == "wallet", "\(paid.json)")
            // Only the customer agrees to a price.
            #expect(try await ask(.put, "series/\(id)/price", #"{"total": 1, "currency": "CAD"}"#).status == 404)
            for _ in 0..<2 { #expect(try await ask(.post, "series/\(id)/end").json["state"] == "ended") }
            let told = try await ground.pool.query(ReadEvents(order: id)).filter { $0.name == SeriesManaged.name.text }
            let acts = told.map { try? JSONValue(parsing: $0.payload.utf8)["act"]?.asText }
            #expect(acts == ["skipped", "moved", "payment-changed", "ended"], "\(told)")
            #expect(told.allSatisfy { $0.payload.contains(caller.text) && $0.payload.contains(admin.text) })
            #expect(told[1].payload.contains("\(second) 11:15"))
        }
    }
}
