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

@Suite("C5: restaurants", .timeLimit(.minutes(15)))
struct RestaurantTests {
    static let own = "markets/btnc/restaurant"

    static func card(_ name: String, arabic: String? = nil, _ place: GeoPoint = PlacesGround.perth) -> String {
        let arabicName = arabic.map { #","arabicName":"\#($0)""# } ?? ""
        return """
            {"name":"\(name)"\(arabicName),"latitude":\(place.latitude),"longitude":\(place.longitude),
             "preparationMinutes":20}
            """
    }

    /// An open restaurant with one dish.
    static func open(
        _ ground: PlacesGround, _ name: String, arabic: String? = nil, metresNorth: Double = 0
    ) async throws -> (owner: UUID, id: String) {
        let owner = try await ground.tell(title: "restaurant")
        let stored = try await ground.ask(
            .put, own, card(name, arabic: arabic, PlacesGround.north(metresNorth)), as: owner, ["provider"])
        #expect(stored.status == 200, "\(stored.json)")
        let item = try await ground.ask(
            .post, own + "/items", #"{"name":"Soup","price":1200}"#, as: owner, ["provider"])
        #expect(item.status == 201)
        let opened = try await ground.ask(.put, own + "/open", #"{"open":true}"#, as: owner, ["provider"])
        #expect(opened.status == 200 && opened.json["open"] == true)
        return (owner, try #require(stored.json["restaurant"]?.asText))
    }

    static func list(_ ground: PlacesGround, _ more: String = "") async throws -> [String] {
        let answer = try await ground.ask(
            .get, "markets/btnc/restaurants?\(PlacesGround.query(PlacesGround.perth))\(more)", as: .timeOrdered())
        #expect(answer.status == 200, "\(answer.json)")
        return answer.items.compactMap { $0["name"]?.asText }
    }

    @Test("C5: a verified restaurant says what it is, makes its menu, opens, and all see each change at once")
    func menu() async throws {
        try await PlacesGround.run { ground in
            let (owner, id) = try await Self.open(ground, "Nonna", arabic: "نونا")
            let customer = UUID.timeOrdered()
            var page = try await ground.ask(.get, "restaurants/\(id)", as: customer, language: "ar")
            #expect(page.json["name"] == "نونا" && page.json["currency"] == "AUD" && page.json["open"] == true)
            let item = try #require(page.json["menu"]?.asList?.first?["item"]?.asText)
            let changed = try await ground.ask(
                .put, Self.own + "/items/\(item)",
                #"{"name":"Big soup","arabicName":"حساء","price":1500,"ingredients":"Water, salt"}"#, as: owner,
                ["provider"])
            #expect(changed.status == 200)
            page = try await ground.ask(.get, "restaurants/\(id)", as: customer)
            let shown = try #require(page.json["menu"]?.asList?.first)
            #expect(
                shown["name"] == "Big soup" && shown["price"]?.asInt == 1_500 && shown["ingredients"] == "Water, salt")

            // The last dish closes it, and it cannot open without one.
            let removed = try await ground.ask(.delete, Self.own + "/items/\(item)", as: owner, ["provider"])
            #expect(removed.status == 204)
            page = try await ground.ask(.get, "restaurants/\(id)", as: customer)
            #expect(page.json["open"] == false && page.json["menu"]?.asList?.isEmpty == true)
            let again = try await ground.ask(.put, Self.own + "/open", #"{"open":true}"#, as: owner, ["provider"])
            #expect(again.status == 409 && again.slug == "empty-menu")
            #expect(try await ground.ask(.delete, Self.own + "/items/\(item)", as: owner, ["provider"]).status == 404)
        }
    }

    @Test("C5: customers see the open ones within the market's radius, nearest first")
    func near() async throws {
        try await PlacesGround.run { ground in
            _ = try await Self.open(ground, "Far", metresNorth: 9_000)
            _ = try await Self.open(ground, "Near", metresNorth: 500)
            _ = try await Self.open(ground, "Too far", metresNorth: 11_000)
            let (owner, _) = try await Self.open(ground, "Closed", metresNorth: 100)
            #expect(try await Self.list(ground) == ["Closed", "Near", "Far"])
            _ = try await ground.ask(.put, Self.own + "/open", #"{"open":false}"#, as: owner, ["provider"])
            #expect(try await Self.list(ground) == ["Near", "Far"])
            try await ground.set(.searchRadiusMetres, to: "20000")
            #expect(try await Self.list(ground) == ["Near", "Far", "Too far"])
            #expect(try await Self.list(ground, "&limit=1") == ["Near"])
        }
    }

    @Test(
        "C5: they are found by a part of their name in English and Arabic, however it is typed",
        arguments: [
            ("shawarma", true), ("SHAW", true), ("شاورما", true), ("الأمير", true), ("الامير", true), ("burger", false),
        ])
    func search(_ text: String, _ isFound: Bool) async throws {
        try await PlacesGround.run { ground in
            _ = try await Self.open(ground, "Prince Shawarma", arabic: "شاورما الأمير")
            let escaped = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            #expect(try await Self.list(ground, "&name=\(escaped)") == (isFound ? ["Prince Shawarma"] : []))
        }
    }

    @Test("C5, I7: a restaurant says what it is and makes its menu before it is verified, and nobody else sees it")
    func before() async throws {
        try await PlacesGround.run { ground in
            let owner = try await ground.tell(title: "restaurant", isVerified: false)
            let stored = try await ground.ask(.put, Self.own, Self.card("Nonna"), as: owner, ["provider"])
            #expect(stored.status == 200, "\(stored.json)")
            let id = try #require(stored.json["restaurant"]?.asText)
            let soup = #"{"name":"Soup","price":1200}"#
            #expect(try await ground.ask(.post, Self.own + "/items", soup, as: owner, ["provider"]).status == 201)
            let mine = try await ground.ask(.get, Self.own, as: owner, ["provider"])
            #expect(mine.json["name"] == "Nonna" && mine.json["menu"]?.asList?.count == 1)

            let opening = #"{"open":true}"#
            let early = try await ground.ask(.put, Self.own + "/open", opening, as: owner, ["provider"])
            #expect(early.status == 403 && early.slug == "not-a-restaurant")
            #expect(try await Self.list(ground) == [])
            #expect(try await ground.ask(.get, "restaurants/\(id)", as: .timeOrdered()).status == 404)
            let page = "markets/btnc/restaurants/\(id)"
            #expect(try await ground.ask(.get, page, as: .timeOrdered()).status == 404)

            try await ground.tell(owner, version: 2, title: "restaurant")
            let opened = try await ground.ask(.put, Self.own + "/open", opening, as: owner, ["provider"])
            #expect(opened.status == 200 && opened.json["open"] == true)
            #expect(try await Self.list(ground) == ["Nonna"])
        }
    }

    @Test("C5, I7: who is no restaurant has none, and whose papers are withdrawn is not shown any more")
    func verified() async throws {
        try await PlacesGround.run { ground in
            let driver = try await ground.tell(title: "driver")
            let refused = try await ground.ask(.put, Self.own, Self.card("X"), as: driver, ["provider"])
            #expect(refused.status == 403 && refused.slug == "not-a-restaurant")
            let (owner, id) = try await Self.open(ground, "Nonna")
            try await ground.tell(owner, version: 2, title: "restaurant", isVerified: false)
            #expect(try await Self.list(ground) == [])
            #expect(try await ground.ask(.get, "restaurants/\(id)", as: .timeOrdered()).status == 404)
            // Its owner still has it, and cannot open it.
            #expect(try await ground.ask(.get, Self.own, as: owner, ["provider"]).status == 200)
            let open = try await ground.ask(.put, Self.own + "/open", #"{"open":true}"#, as: owner, ["provider"])
            #expect(open.status == 403)
        }
    }

    @Test("C5, I11, I7: what a ban, a lost role or withdrawn papers have closed opens by its owner's word alone")
    func reopening() async throws {
        try await PlacesGround.run { ground in
            let world = OrderWorld(database: ground.database, pool: ground.pool)
            let (owner, _) = try await Self.open(ground, "Nonna")
            var version = 1
            func tell(_ isVerified: Bool, title: String = "restaurant") async throws {
                version += 1
                try await ground.tell(owner, version: version, title: title, isVerified: isVerified)
            }
            func reopen() async throws {
                #expect(try await Self.list(ground) == [])
                let page = try await ground.ask(.get, Self.own, as: owner, ["provider"])
                #expect(page.status == 200 && page.json["open"] == false, "\(page.json)")
                let opened = try await ground.ask(.put, Self.own + "/open", #"{"open":true}"#, as: owner, ["provider"])
                #expect(opened.status == 200)
                #expect(try await Self.list(ground) == ["Nonna"])
            }
            try await world.ban(owner, in: "btnc")
            try await world.unban(owner, in: "btnc", at: .thisMillisecond + 1)
            try await reopen()
            try await world.ban(owner, in: "*")
            try await world.unban(owner, in: "*", at: .thisMillisecond + 1)
            try await reopen()
            try await world.ban(owner, in: "assef")
            #expect(try await Self.list(ground) == ["Nonna"])
            try await tell(false)
            try await tell(true)
            try await reopen()
            try await tell(true, title: "driver")
            try await tell(true)
            try await reopen()
            // The role goes, as a ban takes it, and comes back.
            version += 1
            let gone = AccountSnapshot(
                account: owner, version: version, name: "Robin", gender: nil, language: "en", roles: [])
            try await ground.pool.withTransaction {
                try await PeopleProjection.keep(gone, by: { .thisMillisecond }, $0)
            }
            try await tell(true)
            try await reopen()
            // What changes nothing of that closes nothing.
            try await tell(true)
            #expect(try await Self.list(ground) == ["Nonna"])
        }
    }

    @Test("C5: the sales page adds up by day and item, is the owner's alone, and outlives the menu")
    func sales() async throws {
        try await PlacesGround.run { ground in
            let (owner, id) = try await Self.open(ground, "Nonna")
            let restaurant = try #require(UUID(uuidString: id))
            let (soup, bread) = (UUID.timeOrdered(), UUID.timeOrdered())
            let days = try ["2026-03-01", "2026-03-02"].map { try #require(LocalDay($0)) }
            func sell(_ day: LocalDay, _ items: [Order.Food.Item]) async throws {
                try await ground.pool.execute(
                    AddSales(sales: [.init(restaurant: restaurant, day: day, currency: "AUD", items: items)]))
            }
            try await sell(days[0], [.init(item: soup, name: "Soup", price: 1_200, count: 2)])
            try await sell(
                days[1],
                [
                    .init(item: soup, name: "Soup", price: 1_200, count: 1),
                    .init(item: bread, name: "Bread", price: 300, count: 4),
                ])
            try await sell(days[1], [.init(item: soup, name: "Hot soup", price: 1_300, count: 1)])
            let page = "\(Self.own)/sales?from=2026-03-01&to=2026-03-31"
            let answer = try await ground.ask(.get, page, as: owner, ["provider"])
            #expect(answer.status == 200 && answer.json["count"]?.asInt == 8 && answer.json["amount"]?.asInt == 6_100)
            let first = try #require(answer.json["days"]?.asList?.first)
            #expect(first["day"] == "2026-03-02" && first["amount"]?.asInt == 3_700)
            #expect(first["items"]?.asList?.first?["name"] == "Hot soup")
            #expect(first["items"]?.asList?.first?["count"]?.asInt == 2)
            let (other, _) = try await Self.open(ground, "Other")
            #expect(try await ground.ask(.get, page, as: other, ["provider"]).json["count"]?.asInt == 0)
            #expect(try await ground.ask(.get, page, as: owner, ["customer"]).status == 403)
            let long = try await ground.ask(
                .get, "\(Self.own)/sales?from=2026-01-01&to=2026-12-31", as: owner, ["provider"])
            #expect(long.status == 400)
            let broken = try await ground.ask(.get, "\(Self.own)/sales?currency=A%00", as: owner, ["provider"])
            #expect(broken.status == 400, "\(broken)")
        }
    }

    @Test("C5: a menu has a bound, whoever adds at once")
    func bound() async throws {
        try await PlacesGround.run { ground in
            let (owner, id) = try await Self.open(ground, "Nonna")
            let restaurant = try #require(UUID(uuidString: id))
            try await ground.pool.execute(FillMenu(restaurant: restaurant, count: Restaurant.maximumItems - 4))
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        try await ground.ask(
                            .post, Self.own + "/items", #"{"name":"More","price":1}"#, as: owner, ["provider"]
                        ).status
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 201 } == 3 && statuses.count { $0 == 409 } == 7)
        }
    }

    @Test("C5: the search around a place goes by the index")
    func plan() async throws {
        try await PlacesGround.run { ground in
            try await ground.pool.execute(ManyRestaurants(count: 20_000))
            try await ground.pool.execute(AnalyzeRestaurants())
            let plan = try await ground.pool.query(ExplainOpenRestaurants()).joined(separator: "\n")
            #expect(plan.contains("restaurants_open_by_place"), "\(plan)")
            #expect(!plan.contains("Seq Scan on restaurants"), "\(plan)")
        }
    }

    @Test("I12: with its owner's account a restaurant goes")
    func forgotten() async throws {
        try await PlacesGround.run { ground in
            let (owner, id) = try await Self.open(ground, "Nonna")
            try await ground.pool.withTransaction { transaction in
                try await AccountDeletionHandlers.forget(
                    AccountDeleted(account: owner, version: 9, at: .thisMillisecond), by: { .thisMillisecond },
                    transaction)
            }
            #expect(try await ground.ask(.get, "restaurants/\(id)", as: .timeOrdered()).status == 404)
            #expect(try await Self.list(ground) == [])
        }
    }
}

struct FillMenu: Statement {
    static let sql: SQL = """
        INSERT INTO menu_items (id, restaurant, name, price)
        SELECT gen_random_uuid(), $1, 'Dish', 100 FROM generate_series(1, $2)
        """
    let restaurant: UUID
    let count: Int
    func bind(_ bindings: inout Bindings) { bindings.append(restaurant, count) }
}

/// All over the world, with their owners.
struct ManyRestaurants: Statement {
    static let sql: SQL = """
        WITH new AS (SELECT gen_random_uuid() AS id FROM generate_series(1, $1)),
        owners AS (INSERT INTO providers (account) SELECT id FROM new RETURNING account),
        roles AS (
            INSERT INTO provider_roles (market, account, title, verified)
            SELECT 'btnc', id, 'restaurant', true FROM new
        )
        INSERT INTO restaurants (
            id, market, owner, name, search_name, latitude, longitude, preparation_minutes, is_open, changed_at)
        SELECT id, 'btnc', id, 'Many', 'many', random() * 160 - 80, random() * 360 - 180, 20, true, now() FROM new
        """
    let count: Int
    func bind(_ bindings: inout Bindings) { bindings.append(count) }
}

struct AnalyzeRestaurants: Statement {
    static let sql: SQL = "ANALYZE restaurants"
}

struct ExplainOpenRestaurants: Statement {
    static let sql: SQL = """
        EXPLAIN SELECT restaurants.id FROM restaurants
        JOIN provider_roles AS role ON role.market = restaurants.market
            AND role.account = restaurants.owner AND role.title = 'restaurant' AND role.verified
        WHERE is_open AND restaurants.market = 'btnc'
            AND ST_DWithin(place, ST_SetSRID(ST_MakePoint(115.8613, -31.9523), 4326)::geography, 10000)
        ORDER BY place <-> ST_SetSRID(ST_MakePoint(115.8613, -31.9523), 4326)::geography LIMIT 20
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
