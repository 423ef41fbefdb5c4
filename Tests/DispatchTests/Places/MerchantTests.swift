import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("A1, C5: restaurants and the market's admins", .timeLimit(.minutes(15)))
struct MerchantTests {
    private static let list = "markets/btnc/merchants"

    private static func ask(
        _ ground: PlacesGround, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil,
        as admin: UUID = .timeOrdered()
    ) async throws -> ProviderAnswer {
        try await ground.ask(method, path, body, as: admin, ["admin"])
    }

    private static func names(_ ground: PlacesGround, _ query: String = "") async throws -> [String] {
        var names: [String] = []
        var cursor: String?
        repeat {
            let answer = try await ask(
                ground, .get, "\(list)?limit=2\(query)" + (cursor.map { "&cursor=\($0)" } ?? ""), as: reader)
            #expect(answer.status == 200, "\(answer.json)")
            names += answer.items.compactMap { $0["name"]?.asText }
            cursor = answer.json["next"]?.asText
        } while cursor != nil
        return names
    }

    /// A cursor is one admin's.
    private static let reader = UUID.timeOrdered()

    @Test("A1: an admin lists open, closed and unverified restaurants, by state and name, page by page")
    func lists() async throws {
        try await PlacesGround.run { ground in
            _ = try await RestaurantTests.open(ground, "Nonna", arabic: "نونا")
            let (closer, _) = try await RestaurantTests.open(ground, "Prince")
            _ = try await ground.ask(
                .put, RestaurantTests.own + "/open", #"{"open":false}"#, as: closer, ["provider"])
            let early = try await ground.tell(title: "restaurant", isVerified: false)
            _ = try await ground.ask(
                .put, RestaurantTests.own, RestaurantTests.card("Early"), as: early, ["provider"])
            #expect(try await Self.names(ground) == ["Early", "Prince", "Nonna"])
            #expect(try await Self.names(ground, "&state=open") == ["Nonna"])
            #expect(try await Self.names(ground, "&state=closed") == ["Prince"])
            #expect(try await Self.names(ground, "&state=unverified") == ["Early"])
            #expect(try await Self.names(ground, "&state=closedByAdmin") == [])
            #expect(try await Self.names(ground, "&name=NONN") == ["Nonna"])
            let first = try await Self.ask(ground, .get, "\(Self.list)?name=early").items.first
            #expect(first?["owner"]?["account"]?.asText == early.text && first?["owner"]?["name"] == "Robin")
            #expect(first?["isVerified"] == false && first?["items"]?.asInt == 0)
            #expect(try await Self.ask(ground, .get, "\(Self.list)?state=shut").status == 400)
        }
    }

    @Test(
        "A1, P9: what an admin has closed its owner cannot open until an admin does; both acts are told with the reason"
    )
    func closed() async throws {
        try await PlacesGround.run { ground in
            let (owner, id) = try await RestaurantTests.open(ground, "Nonna")
            let admin = UUID.timeOrdered()
            func turn(_ isOpen: Bool, _ reason: String = "Inspection") async throws -> ProviderAnswer {
                try await Self.ask(
                    ground, .put, "\(Self.list)/\(id)/open", #"{"open":\#(isOpen),"reason":"\#(reason)"}"#, as: admin)
            }
            // An open one that is opened is as it was.
            #expect(try await turn(true).json["merchant"]?["state"] == "open")
            for _ in 0..<2 {
                let shut = try await turn(false)
                #expect(shut.status == 200 && shut.json["merchant"]?["state"] == "closedByAdmin", "\(shut.json)")
                #expect(shut.json["page"]?["closedReason"] == "Inspection")
            }
            #expect(try await RestaurantTests.list(ground) == [])
            let opening = try await ground.ask(
                .put, RestaurantTests.own + "/open", #"{"open":true}"#, as: owner, ["provider"])
            #expect(opening.status == 409 && opening.slug == "restaurant-closed-by-admin")
            let own = try await ground.ask(.get, RestaurantTests.own, as: owner, ["provider"])
            #expect(own.json["closedReason"] == "Inspection")
            // Customers are not told why.
            #expect(try await ground.ask(.get, "restaurants/\(id)", as: .timeOrdered()).json["closedReason"] == nil)
            #expect(try await turn(true, "All is well").json["merchant"]?["state"] == "open")
            #expect(try await RestaurantTests.list(ground) == ["Nonna"])
            let told = try await ground.pool.query(ReadEvents(order: id))
                .filter { $0.name == RestaurantManaged.name.text }.map { try JSONValue(parsing: $0.payload.utf8) }
            #expect(told.map { $0["act"]?.asText } == ["closed", "opened"])
            #expect(told.map { $0["details"]?["reason"]?.asText } == ["Inspection", "All is well"])
            #expect(told.allSatisfy { $0["by"]?.asText == admin.text && $0["owner"]?.asText == owner.text })
        }
    }

    @Test("A1: one that cannot open is not opened; where an admin had closed it that ends, and its owner opens it")
    func cannotOpen() async throws {
        try await PlacesGround.run { ground in
            let owner = try await ground.tell(title: "restaurant", isVerified: false)
            let stored = try await ground.ask(
                .put, RestaurantTests.own, RestaurantTests.card("Early"), as: owner, ["provider"])
            let id = try #require(stored.json["restaurant"]?.asText)
            func turn(_ isOpen: Bool, as admin: UUID = .timeOrdered()) async throws -> ProviderAnswer {
                try await Self.ask(
                    ground, .put, "\(Self.list)/\(id)/open", #"{"open":\#(isOpen),"reason":"Papers"}"#, as: admin)
            }
            let early = try await turn(true)
            #expect(early.status == 409 && early.slug == "restaurant-not-verified")
            #expect(try await turn(false).json["merchant"]?["state"] == "closedByAdmin")
            #expect(try await turn(true).json["merchant"]?["state"] == "unverified")
            try await ground.tell(owner, version: 2, title: "restaurant")
            let empty = try await turn(true)
            #expect(empty.status == 409 && empty.slug == "empty-menu")
            // Nobody decides in the own matter.
            #expect(try await turn(false, as: owner).status == 403)
            let path = "\(Self.list)/\(id)/open"
            #expect(try await Self.ask(ground, .put, path, #"{"open":true}"#).status == 422)
            let none = "\(Self.list)/\(UUID.timeOrdered().text)"
            #expect(try await Self.ask(ground, .get, none).status == 404)
            #expect(try await Self.ask(ground, .put, "\(none)/open", #"{"open":true,"reason":"x"}"#).status == 404)
        }
    }

    @Test("A1: an admin reads what a restaurant has sold in a range of days, and its whole menu")
    func sales() async throws {
        try await PlacesGround.run { ground in
            let (_, id) = try await RestaurantTests.open(ground, "Nonna")
            let restaurant = try #require(UUID(uuidString: id))
            let day = try #require(LocalDay("2026-01-05"))
            let item = Order.Food.Item(item: .timeOrdered(), name: "Soup", price: 1_200, count: 2)
            try await ground.pool.execute(
                AddSales(sales: [.init(restaurant: restaurant, day: day, currency: "AUD", items: [item])]))
            let path = "\(Self.list)/\(id)/sales"
            let found = try await Self.ask(ground, .get, "\(path)?from=2026-01-01&to=2026-01-31")
            #expect(found.status == 200 && found.json["amount"]?.asInt == 2_400, "\(found.json)")
            #expect(found.json["orders"]?.asInt == 0 && found.json["days"]?.asList?.first?["day"] == "2026-01-05")
            let other = try await Self.ask(ground, .get, "\(path)?from=2026-02-01&to=2026-02-28")
            #expect(other.json["amount"]?.asInt == 0)
            #expect(try await Self.ask(ground, .get, "\(path)?from=2025-01-01&to=2026-01-31").status == 400)
            let menu = try await Self.ask(ground, .get, "\(Self.list)/\(id)").json["page"]?["menu"]?.asList
            #expect(menu?.count == 1 && menu?.first?["name"] == "Soup")
        }
    }
}
