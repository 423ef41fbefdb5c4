import AsyncHTTPClient
import Contracts
import Foundation
import Messaging
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import SeraiJSON
import Synchronization
import Matching
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

/// A server that plays a map: what it was asked, and what it answers.
final class MapServer: Sendable {
    struct Reply: Sendable {
        var status = HTTPResponse.Status.ok
        var body = "{}"
        var delay: Duration = .zero
        /// Whether the body comes drop by drop, for longer than any test waits.
        var drips = false
    }

    let asked = Mutex<[String]>([])
    let reply = Mutex(Reply())

    static func run(_ body: @escaping @Sendable (MapServer, _ url: String) async throws -> Void) async throws {
        let server = MapServer()
        let router = Router()
        router.get("**") { request, _ in
            server.asked.withLock { $0.append(request.uri.string) }
            let reply = server.reply.withLock { $0 }
            if reply.delay > .zero { try await Task.sleep(for: reply.delay) }
            return Response(
                status: reply.status, headers: [.contentType: "application/json"],
                body: reply.drips ? drops : ResponseBody(byteBuffer: ByteBuffer(string: reply.body)))
        }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: TestThreads.logger)
        try await application.test(.live) { client in
            try await body(server, "http://127.0.0.1:\(try #require(client.port))")
        }
    }

    private static let drops = ResponseBody { writer in
        for _ in 0..<600 {
            try await writer.write(ByteBuffer(string: " "))
            try await Task.sleep(for: .milliseconds(100))
        }
        try await writer.finish(nil)
    }

    func drips() { reply.withLock { $0 = Reply(drips: true) } }

    func answers(_ body: String, status: HTTPResponse.Status = .ok, after delay: Duration = .zero) {
        reply.withLock { $0 = Reply(status: status, body: body, delay: delay) }
    }

    var questions: [String] { asked.withLock { $0 } }
}

@Suite("C9: places, and what is asked outside", .timeLimit(.minutes(15)))
struct OutsideTests {
    static let found = """
        [{"place_id":1,"licence":"Data © OpenStreetMap contributors","lat":"-31.9505","lon":"115.8605",
          "display_name":"Kings Park, Perth","name":"Kings Park"},
         {"lat":"-33.86","lon":"151.20","display_name":"Sydney"},{"lat":"north","lon":"1","display_name":"Nowhere"}]
        """

    static func text(_ text: String) throws -> String {
        "markets/btnc/places?text=\(try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics)))"
    }

    @Test("C9: places are found by text, with who is to be thanked and whether the market serves them")
    func search() async throws {
        try await MapServer.run { map, url in
            map.answers(Self.found)
            try await PlacesGround.run(["geocoder": url + "/"]) { ground in
                let path = try Self.text("kings park & حديقة")
                let answer = try await ground.ask(.get, path, as: .timeOrdered(), language: "ar")
                #expect(answer.status == 200, "\(answer.json)")
                #expect(answer.items.compactMap { $0["name"]?.asText } == ["Kings Park, Perth", "Sydney"])
                #expect(answer.items.map { $0["served"] == true } == [true, false])
                #expect(answer.json["attribution"] == "Data © OpenStreetMap contributors")
                let question = try #require(map.questions.first)
                #expect(question.hasPrefix("/search?q=kings%20park%20%26%20%D8%AD"), "\(question)")
                #expect(question.contains("format=jsonv2") && question.contains("accept-language=ar"))
                #expect(question.contains("viewbox=115.55%2C-31.48%2C116.2%2C-32.62&bounded=1"))

                // The same question is not asked again, and not more often than the API's terms allow.
                _ = try await ground.ask(.get, path, as: .timeOrdered(), language: "ar")
                #expect(map.questions.count == 1)
                var statuses: [Int] = []
                for number in 0..<10 {
                    statuses.append(
                        try await ground.ask(.get, Self.text("place \(number)"), as: .timeOrdered()).status)
                }
                #expect(statuses.contains(200) && statuses.contains(503))
                #expect(map.questions.count == 1 + statuses.count { $0 == 200 })
            }
        }
    }

    @Test("C9: somebody who asks without end has his share of the place search, and the others go on")
    func share() async throws {
        try await MapServer.run { map, url in
            map.answers(Self.found)
            try await PlacesGround.run(["geocoder": url]) { ground in
                let greedy = UUID.timeOrdered()
                var statuses: [Int] = []
                for number in 0..<12 {
                    let answer = try await ground.ask(.get, Self.text("greedy \(number)"), as: greedy)
                    statuses.append(answer.status)
                    if answer.status == 429 { #expect(answer.json["retryAfterSeconds"] != nil, "\(answer.json)") }
                }
                #expect(Set(statuses) == [200, 429], "what one has used up is no failure of the service")
                #expect(statuses.count { $0 == 200 } <= 3)
                #expect(try await ground.ask(.get, Self.text("somebody else"), as: .timeOrdered()).status == 200)
                // What was found before is given to everybody, and a pin has its answer without its name.
                #expect(try await ground.ask(.get, Self.text("greedy 0"), as: greedy).status == 200)
                let pin = try await ground.ask(
                    .get, "markets/btnc/places/at?\(PlacesGround.query(PlacesGround.perth))", as: greedy)
                #expect(pin.status == 200 && pin.json["served"] == true)
            }
        }
    }

    @Test("C9: a place search that is down, slow or speaks nonsense is a 503; the market's area is known all the same")
    func down() async throws {
        try await MapServer.run { map, url in
            try await PlacesGround.run(["geocoder": url]) { ground in
                map.answers("oops", status: .internalServerError)
                #expect(try await ground.ask(.get, Self.text("a"), as: .timeOrdered()).status == 503)
                map.answers("no json")
                #expect(try await ground.ask(.get, Self.text("b"), as: .timeOrdered()).status == 503)
                let pin = try await ground.ask(
                    .get, "markets/btnc/places/at?\(PlacesGround.query(PlacesGround.perth))", as: .timeOrdered())
                #expect(pin.status == 200 && pin.json["served"] == true && pin.json["name"] == nil)
                map.answers(#"{"lat":"-31.95","lon":"115.86","display_name":"Barrack Street"}"#)
                let named = try await ground.ask(
                    .get, "markets/btnc/places/at?\(PlacesGround.query(PlacesGround.north(300)))", as: .timeOrdered())
                #expect(named.json["name"] == "Barrack Street" && named.json["attribution"] != nil)
                map.answers(#"{"error":"Unable to geocode"}"#)
                let sea = try await ground.ask(
                    .get, "markets/btnc/places/at?latitude=-32&longitude=110", as: .timeOrdered())
                #expect(sea.status == 200 && sea.json["served"] == false && sea.json["name"] == nil)
            }
        }
    }

    @Test("C9: without a place search the market's own cities are found, and anybody sees their list")
    func cities() async throws {
        try await PlacesGround.run { ground in
            let found = try await ground.ask(.get, Self.text("FREMANT"), as: .timeOrdered())
            #expect(found.items.compactMap { $0["name"]?.asText } == ["Fremantle"])
            #expect(try await ground.ask(.get, Self.text("بيرث"), as: .timeOrdered()).items.count == 1)
            let list = try await ground.ask(.get, "markets/btnc/cities", as: nil, language: "ar")
            #expect(list.status == 200 && list.items.contains { $0["name"] == "بيرث" })
            #expect(list.items.allSatisfy { $0["served"] == true })
            for market in Market.all {
                #expect(
                    try await ground.ask(.get, "markets/\(market.id)/cities", as: nil).items.count
                        == market.cities.count)
            }
            // Where an admin makes the area smaller, there are fewer.
            try await ground.set(.serviceArea, to: "-31.8,115.7 -31.8,116.0 -32.0,116.0 -32.0,115.7")
            let fewer = try await ground.ask(.get, "markets/btnc/cities", as: nil)
            #expect(fewer.items.compactMap { $0["name"]?.asText } == ["Perth"])
            for query in ["", "?text=", "?text=a&limit=21", "?text=\(String(repeating: "a", count: 201))"] {
                #expect(try await ground.ask(.get, "markets/btnc/places\(query)", as: .timeOrdered()).status == 400)
            }
        }
    }

    @Test("C7, H3: ways are the routing engine's, and the lengthened great circle where it says nothing")
    func routing() async throws {
        try await MapServer.run { map, url in
            let outside = try PlaceParts.Outside(url: url, geocoder: nil, logger: TestThreads.logger)
            let (from, far) = (PlacesGround.perth, PlacesGround.north(3_000))
            func ask() async throws -> [TravelEstimate] {
                try await outside.travelTimes.estimates(from: [from, from], to: far, metresPerMinute: 600)
            }
            let straight = TravelEstimate(metres: 3_900, seconds: 390)
            map.answers(#"{"code":"Ok","durations":[[412.4],[null]],"distances":[[4321.6],[null]]}"#)
            #expect(try await ask() == [TravelEstimate(metres: 4_322, seconds: 412), straight])
            let question = try #require(map.questions.first)
            #expect(
                question.hasPrefix("/table/v1/driving/115.861300,-31.952300;115.861300,-31.952300;115.861300,-31.92"))
            #expect(question.hasSuffix("?sources=0;1&destinations=2&annotations=duration,distance"))
            // When it does not answer it is left alone for a while.
            map.answers("{}", status: .badGateway)
            #expect(try await ask() == [straight, straight])
            #expect(try await ask() == [straight, straight])
            #expect(map.questions.count == 2)
            try await outside.client.shutdown()
        }
    }

    @Test("C7: a routing engine that is slow costs no more than its time")
    func slow() async throws {
        try await MapServer.run { map, url in
            map.answers(#"{"code":"Ok","durations":[[1]],"distances":[[1]]}"#, after: .seconds(20))
            let outside = try PlaceParts.Outside(url: url, timeout: 100, geocoder: nil, logger: TestThreads.logger)
            let estimates = try await outside.travelTimes.estimates(
                from: [PlacesGround.perth], to: PlacesGround.north(3_000), metresPerMinute: 600)
            #expect(estimates == [TravelEstimate(metres: 3_900, seconds: 390)])
            try await outside.client.shutdown()
        }
    }

    @Test("C7, C9: what answers drop by drop costs no more than its time, too")
    func drops() async throws {
        try await MapServer.run { map, url in
            map.drips()
            let outside = try PlaceParts.Outside(
                url: url, timeout: 500, geocoder: url, geocoderTimeout: 500, logger: TestThreads.logger)
            let start = ContinuousClock.now
            let estimates = try await outside.travelTimes.estimates(
                from: [PlacesGround.perth], to: PlacesGround.north(3_000), metresPerMinute: 600)
            #expect(estimates == [TravelEstimate(metres: 3_900, seconds: 390)])
            let search = try #require(outside.search)
            await #expect(throws: PlaceSearchFailure.self) {
                _ = try await search.places(
                    named: "kings park", within: PlaceBox(south: -33, west: 115, north: -31, east: 116), language: "en",
                    limit: 5, for: .timeOrdered())
            }
            #expect(ContinuousClock.now - start < .seconds(40))
            try await outside.client.shutdown()
        }
    }

    @Test("C9: answers are kept until their end, and only so many")
    func cache() {
        var cache = AnswerCache<Int, Int>(limit: 16)
        let now = ContinuousClock.now
        for number in 0..<100 { cache.put(number, for: number, until: now + .seconds(10)) }
        #expect(cache.count <= 16)
        #expect(cache.value(of: 99, at: now) == 99 && cache.value(of: 0, at: now) == nil)
        #expect(cache.value(of: 99, at: now + .seconds(11)) == nil)
        var rate = TokenBucket(perSecond: 2, burst: 3)
        #expect((0..<5).map { _ in rate.take(at: now) } == [true, true, true, false, false])
        #expect(rate.take(at: now + .milliseconds(600)) && !rate.take(at: now + .milliseconds(700)))
    }
}
