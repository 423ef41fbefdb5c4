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

@Suite("C7: quotes", .timeLimit(.minutes(15)))
struct QuoteTests {
    static let tariff = "regular=300,100,60,700,40,120 xl=500,200,90,900,40,120"

    static func body(
        _ to: GeoPoint = PlacesGround.north(5_000), size: String = "regular", more: String = ""
    ) -> String {
        """
        {"market":"btnc","kind":"ride","size":"\(size)","from":\(PlacesGround.json(PlacesGround.perth)),
         "to":\(PlacesGround.json(to))\(more)}
        """
    }

    @Test("C7: a quote says way, time, wait and price by the market's tariff, and is kept for who asked")
    func quoted() async throws {
        try await PlacesGround.run { ground in
            try await ground.set(.tariffs, to: Self.tariff)
            let rider = UUID.timeOrdered()
            let none = try await ground.ask(.post, "quotes", Self.body(), as: rider)
            #expect(none.status == 201 && none.json["waitSeconds"] == nil)
            _ = try await ground.driver(metresNorth: 2_000)
            let answer = try await ground.ask(.post, "quotes", Self.body(more: #","promo":"HELLO""#), as: rider)
            #expect(answer.status == 201, "\(answer.json)")
            let json = answer.json
            // 5 km as the crow flies are 6.5 along the streets, at 600 metres a minute.
            let (metres, seconds) = (json["metres"]?.asInt ?? 0, json["seconds"]?.asInt ?? 0)
            #expect(abs(metres - 6_500) <= 20 && abs(seconds - 650) <= 2)
            let expected = Tariff(
                base: 300, perKilometre: 100, perMinute: 60, minimum: 700
            ).fare(metres: metres, seconds: seconds)
            #expect(json["price"]?["amount"]?.asInt == expected.total && json["price"]?["currency"] == "AUD")
            let parts = ["base", "distance", "time", "toMinimum", "surge"].compactMap { json["fare"]?[$0]?.asInt }
            #expect(parts.reduce(0, +) == expected.total)
            #expect(json["surge"]?["percent"]?.asInt == 100 && json["promo"] == "HELLO")
            // A driver two kilometres away, as much as is said of who is seen roughly.
            #expect((json["waitSeconds"]?.asInt ?? 0) % 60 == 0 && (json["waitSeconds"]?.asInt ?? 0) > 0)

            let id = try #require(json["quote"]?.asText)
            #expect(try await ground.ask(.get, "quotes/\(id)", as: rider).json == json)
            #expect(try await ground.ask(.get, "quotes/\(id)", as: .timeOrdered()).status == 404)
            #expect(try await ground.ask(.get, "quotes/\(id)", as: nil).status == 401)

            let xl = try await ground.ask(.post, "quotes", Self.body(size: "xl"), as: rider)
            #expect((xl.json["price"]?["amount"]?.asInt ?? 0) > expected.total)
        }
    }

    @Test("P8: the rough price of a quote is the same for all goals of a cell, and is not shown to who asked")
    func roughPrice() throws {
        let tariff = Tariff(base: 300, perKilometre: 100, perMinute: 60, minimum: 700)
        let rule = Surge.Rule(capPercent: 100)
        let from = Order.Place(latitude: -31.9523, longitude: 115.8613, description: nil)
        var rough: Set<Int?> = []
        var exact: Set<Int> = []
        for step in 0..<9 {
            let goal = Order.Place(
                latitude: -31.9 + Double(step - 4) * 0.001, longitude: 115.9 + Double(4 - step) * 0.001,
                description: "5")
            let terms = try Quote.terms(
                way: TravelEstimate(metres: 7_000 + step * 90, seconds: 700), rough: from.roughWay(to: goal), waits: [],
                waiting: 0, free: 0, tariff: tariff, rule: rule)
            rough.insert(terms.roughPrice)
            exact.insert(terms.fare.total)
        }
        #expect(rough.count == 1 && exact.count == 9)
        #expect((rough.first ?? 0) ?? 0 > 700)
    }

    @Test("C7, P2: the market's admins change tariff, length and surge while it runs")
    func settings() async throws {
        try await PlacesGround.run { ground in
            let rider = UUID.timeOrdered()
            try await ground.set(.tariffs, to: "regular=1000,0,0,0,0,0")
            try await ground.set(.quoteSeconds, to: "60")
            let answer = try await ground.ask(.post, "quotes", Self.body(), as: rider)
            #expect(answer.json["price"]?["amount"]?.asInt == 1_000)
            let made = try #require(answer.json["madeAt"]?.asText.flatMap(Timestamp.parse))
            let expires = try #require(answer.json["expiresAt"]?.asText.flatMap(Timestamp.parse))
            #expect(abs(expires.timeIntervalSince(made) - 60) < 0.01)
            let xl = try await ground.ask(.post, "quotes", Self.body(size: "xl"), as: rider)
            #expect(xl.status == 422 && xl.codes["/size"] == "not-a-choice")
            try await ground.set(.tariffs, to: "none")
            #expect(try await ground.ask(.post, "quotes", Self.body(), as: rider).status == 422)
        }
    }

    @Test("C7: where more orders wait than drivers are free it costs more, up to the market's cap, and says why")
    func surge() async throws {
        try await PlacesGround.run { ground in
            let rider = UUID.timeOrdered()
            try await ground.set(.tariffs, to: "regular=1000,0,0,0,0,0")
            try await ground.set(.surge, to: "180,3,50,10,3000")
            try await ground.driver(metresNorth: 500)
            // Three wait near by; one far away and one that somebody has do not count.
            for index in 0..<3 { try await Self.waiting(ground, PlacesGround.north(Double(index) * 300)) }
            try await Self.waiting(ground, PlacesGround.north(8_000))
            try await Self.waiting(ground, PlacesGround.perth, state: "accepted")
            var json = try await ground.ask(.post, "quotes", Self.body(), as: rider).json
            #expect(json["surge"]?["waitingOrders"]?.asInt == 3 && json["surge"]?["freeProviders"]?.asInt == 1)
            // Two more than drivers, fifty percent each, is a hundred more; the cap is eighty.
            #expect(json["surge"]?["percent"]?.asInt == 180 && json["surge"]?["capped"] == true)
            #expect(json["price"]?["amount"]?.asInt == 1_800 && json["fare"]?["surge"]?.asInt == 800)
            try await ground.driver(metresNorth: 900)
            json = try await ground.ask(.post, "quotes", Self.body(), as: rider).json
            #expect(json["surge"]?["percent"]?.asInt == 120 && json["surge"]?["capped"] == false)
            try await ground.set(.surge, to: "100,3,50,10,3000")
            json = try await ground.ask(.post, "quotes", Self.body(), as: rider).json
            #expect(json["surge"]?["percent"]?.asInt == 100)
        }
    }

    @Test("C7, O8: for a larger class count those who drive it, and what waits for it")
    func larger() async throws {
        try await PlacesGround.run { ground in
            try await ground.set(.tariffs, to: "regular=1000,0,0,0,0,0 xl=2000,0,0,0,0,0")
            try await ground.set(.surge, to: "180,3,50,10,3000")
            let rider = UUID.timeOrdered()
            try await ground.driver(metresNorth: 300)
            try await ground.driver(metresNorth: 100, title: "restaurant")
            try await Self.waiting(ground, PlacesGround.north(200))
            try await Self.waiting(ground, PlacesGround.north(250), size: "xl")
            func expect(_ size: String, free: Int, waiting: Int) async throws {
                let json = try await ground.ask(.post, "quotes", Self.body(size: size), as: rider).json
                #expect(json["surge"]?["freeProviders"]?.asInt == free, "\(size)")
                #expect(json["surge"]?["waitingOrders"]?.asInt == waiting, "\(size)")
                // Where nobody who is free could drive it, nobody's way is told.
                #expect((json["waitSeconds"]?.asInt == nil) == (free == 0), "\(size)")
            }
            try await expect("regular", free: 1, waiting: 1)
            try await expect("xl", free: 0, waiting: 1)
            try await ground.driver(metresNorth: 900, vehicle: "xl")
            try await expect("regular", free: 2, waiting: 1)
            try await expect("xl", free: 1, waiting: 1)
        }
    }

    @Test("C7: a quote is used once, by its owner, for its kind, before its end; of a hundred that try one has it")
    func usedOnce() async throws {
        try await PlacesGround.run { ground in
            let rider = UUID.timeOrdered()
            let answer = try await ground.ask(.post, "quotes", Self.body(), as: rider)
            let id = try #require(answer.json["quote"]?.asText.flatMap { UUID(uuidString: $0) })
            func use(
                _ order: UUID = .timeOrdered(), by account: UUID? = nil, kind: String = "ride", at now: Date = Date()
            ) async throws -> Quote {
                try await ground.pool.withTransaction { transaction in
                    let quote = try await UseQuote()(
                        id, for: order, kind: kind, in: "btnc", by: account ?? rider, at: now, in: transaction)
                    transaction.send(InsertBareOrder(order: order))
                    return quote
                }
            }
            await #expect(throws: QuoteRefusal.notFound) { try await use(by: .timeOrdered()) }
            await #expect(throws: QuoteRefusal.notFound) { try await use(kind: "food") }
            await #expect(throws: QuoteRefusal.expired) { try await use(at: Date() + 10_000) }

            let winners = try await withThrowingTaskGroup(of: UUID?.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        let order = UUID.timeOrdered()
                        do { return try await use(order).order } catch is QuoteRefusal { return nil }
                    }
                }
                return try await group.reduce(into: [UUID]()) { if let order = $1 { $0.append(order) } }
            }
            #expect(winners.count == 1)
            await #expect(throws: QuoteRefusal.used(order: winners[0])) { try await use() }
            let shown = try await ground.ask(.get, "quotes/\(id.text)", as: rider)
            #expect(shown.json["order"]?.asText == winners[0].text)
        }
    }

    @Test("C7: what cannot be quoted is one problem with every wrong field, and keeps nothing")
    func refused() async throws {
        try await PlacesGround.run { ground in
            let rider = UUID.timeOrdered()
            let empty = try await ground.ask(.post, "quotes", "{}", as: rider)
            #expect(empty.status == 422)
            #expect(Set(empty.codes.keys) == ["/market", "/kind", "/from", "/to"])
            let sydney = GeoPoint(latitude: -33.87, longitude: 151.2)
            let outside = try await ground.ask(.post, "quotes", Self.body(sydney), as: rider, language: "ar")
            #expect(outside.status == 422 && outside.codes == ["/to": "outside-service-area"])
            let kind = try await ground.ask(
                .post, "quotes", Self.body().replacing("\"ride\"", with: "\"visit\""), as: rider)
            #expect(kind.codes["/kind"] == "not-a-choice")
            #expect(try await ground.ask(.post, "quotes", Self.body(), as: rider, ["provider"]).status == 403)
            #expect(try await ground.ask(.post, "quotes", Self.body(), as: rider, in: "assef").status == 403)
            #expect(try await ground.pool.first(CountQuotes()) == 0)
        }
    }

    @Test("C7: the same key gets the same quote; what nobody used goes away after its end")
    func repeats() async throws {
        try await PlacesGround.run { ground in
            let rider = UUID.timeOrdered()
            let key = UUID().uuidString
            let first = try await ground.ask(.post, "quotes", Self.body(), as: rider, key: key)
            let again = try await ground.ask(.post, "quotes", Self.body(), as: rider, key: key)
            #expect(first.status == 201 && first.json == again.json)
            #expect(try await ground.pool.first(CountQuotes()) == 1)
            // The answer was lost, and meanwhile nothing is quoted any more.
            try await ground.set(.tariffs, to: "none")
            #expect(try await ground.ask(.post, "quotes", Self.body(), as: rider).status == 422)
            let late = try await ground.ask(.post, "quotes", Self.body(), as: rider, key: key)
            #expect(late.status == 201 && late.json == first.json)
            try await ground.set(.tariffs, to: Self.tariff)
            try await ground.pool.execute(AgeQuotes())
            _ = try await ground.ask(.post, "quotes", Self.body(), as: rider)
            #expect(try await ground.pool.first(CountQuotes()) == 1)
        }
    }

    @Test("C7: settings of prices are read as they are written, and nonsense is refused")
    func texts() throws {
        var settings = try #require(Market.named("btnc")).defaults
        for (key, text) in [
            (MarketSettings.Key.tariffs, Self.tariff), (.tariffs, "none"), (.surge, "250,3,50,10,3000"),
            (.quoteSeconds, "90"),
        ] {
            try settings.set(key, to: text)
            // Of a tariff two numbers follow that mean nothing by now.
            let kept = text.replacing(",40,120", with: ",0,0")
            #expect(settings.text(of: key) == kept)
        }
        for (key, text) in [
            (MarketSettings.Key.tariffs, ""), (.tariffs, "regular"), (.tariffs, "regular=1,2,3"),
            (.tariffs, "regular=1,2,3,4,5,-6"), (.tariffs, "a=1,1,1,1,1,1 a=1,1,1,1,1,1"),
            (.tariffs, "a b=1,1,1,1,1,1"),
            (.surge, "99,3,50,10,3000"), (.surge, "200,3,50,10"), (.surge, "200,3,50,10,x"), (.quoteSeconds, "5"),
        ] {
            #expect(throws: MarketSettings.Refusal.self, "\(text)") { try settings.set(key, to: text) }
        }
    }

    static func waiting(
        _ ground: PlacesGround, _ place: GeoPoint, state: String = "requested", size: String = "regular"
    ) async throws {
        try await ground.pool.execute(PutWaitingOrder(id: .timeOrdered(), state: state, place: place, size: size))
    }
}

struct CountQuotes: Statement {
    static let sql: SQL = "SELECT count(*) FROM quotes"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct AgeQuotes: Statement {
    static let sql: SQL = "UPDATE quotes SET expires_at = expires_at - interval '2 hours'"
}

struct PutWaitingOrder: Statement {
    static let sql: SQL = """
        INSERT INTO orders (
            id, market, kind, version, state, customer, customer_name, services, total, currency, payment_state,
            payment_version, confirmed_by, changed_by, is_near, latitude, longitude, requested_at, changed_at,
            particulars)
        VALUES ($1, 'btnc', 'ride', 1, $2, $1, 'Rider', '[]', 1000, 'AUD', 'held', 0, '{}', 'customer', false, $3, $4,
            now(), now(), jsonb_build_object('ride', jsonb_build_object('size', $5::text)))
        """
    let id: UUID
    let state: String
    let place: GeoPoint
    let size: String
    func bind(_ bindings: inout Bindings) { bindings.append(id, state, place.latitude, place.longitude, size) }
}
