import AsyncHTTPClient
import Foundation
import HTTPTypes
import Matching
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("H3: ways to a place", .timeLimit(.minutes(15)))
struct WayTests {
    static let found = """
        {"code": "Ok", "routes": [{"distance": 412.4, "duration": 305.6, "weight": 1,
          "geometry": {"type": "LineString", "coordinates": [[115.8613, -31.9523], [115.861, -31.951], [115.8605, -31.9505]]},
          "legs": [{"distance": 412.4, "duration": 305.6, "summary": "", "steps": [
            {"distance": 300.2, "duration": 220, "name": "Barrack Street", "mode": "walking",
             "maneuver": {"type": "depart", "location": [115.8613, -31.9523], "bearing_after": 1}},
            {"distance": 112.2, "duration": 85.6, "name": "", "mode": "walking",
             "maneuver": {"type": "turn", "modifier": "left", "location": [115.861, -31.951]}},
            {"distance": 0, "duration": 0, "name": "Kings Park", "mode": "walking",
             "maneuver": {"type": "arrive", "location": [115.8605, -31.9505]}}]}]}]}
        """

    private static func whole(_ value: JSONValue?) -> Int64 {
        if case .integer(let number)? = value { number } else { 0 }
    }

    private static func ask(
        _ ground: PlacesGround, _ body: String = PlacesGround.wayBody, in language: String = "en"
    ) async throws -> ProviderAnswer {
        try await ground.ask(.post, "markets/btnc/ways", body, as: nil, language: language)
    }

    @Test("H3, H6: without an account everybody sees the way with its line and its steps in words of both languages")
    func way() async throws {
        try await MapServer.run { map, url in
            map.answers(Self.found)
            try await PlacesGround.run(["walking": url]) { ground in
                let way = try await Self.ask(ground)
                #expect(way.status == 200, "\(way.json)")
                #expect(way.json["straight"] == false && way.json["metres"] == 412 && way.json["seconds"] == 306)
                let steps = way.json["steps"]?.asList ?? []
                #expect(
                    steps.compactMap { $0["text"]?.asText } == [
                        "Start on \u{2068}Barrack Street\u{2069}", "Turn left", "You have arrived",
                    ])
                #expect(steps.compactMap { $0["turn"]?.asText } == ["start", "left", "arrive"])
                #expect(way.json["line"]?.asList?.count == 3 && way.json["attribution"] != nil)
                let question = try #require(map.questions.first)
                #expect(
                    question.hasPrefix("/route/v1/foot/115.861300,-31.952300;115.860500,-31.950500?"), "\(question)")
                #expect(question.hasSuffix("?overview=full&geometries=geojson&steps=true"))
                // The same again, in another language, is asked of nobody.
                let arabic = try await Self.ask(ground, in: "ar")
                let words = (arabic.json["steps"]?.asList ?? []).compactMap { $0["text"]?.asText }
                #expect(words == ["انطلق في \u{2068}Barrack Street\u{2069}", "انعطف يسارًا", "وصلت إلى وجهتك"])
                #expect(map.questions.count == 1)
            }
        }
    }

    @Test("H3: without an answer it is the direction as the crow flies, and says so; the engine is left in peace")
    func outage() async throws {
        try await MapServer.run { map, url in
            try await PlacesGround.run(["walking": url]) { ground in
                for (body, status) in [("oops", HTTPResponse.Status.internalServerError), ("no json", .ok)] {
                    map.answers(body, status: status)
                    let answer = try await Self.ask(ground)
                    #expect(answer.status == 200 && answer.json["straight"] == true, "\(answer.json)")
                    #expect(answer.json["reason"] == "unavailable" && answer.json["seconds"] == nil)
                }
                // The second was not even sent.
                #expect(map.questions.count == 1)
                let answer = try await Self.ask(ground)
                #expect(answer.json["line"]?.asList?.count == 2 && answer.json["steps"]?.asList == [])
                // Some hundred metres to the north-northwest.
                #expect((200...220).contains(Self.whole(answer.json["metres"])), "\(answer.json)")
                #expect((335...345).contains(Self.whole(answer.json["bearing"])), "\(answer.json)")
            }
        }
        // For cars no engine is configured.
        try await PlacesGround.run { ground in
            let driving = PlacesGround.wayBody.replacing("walking", with: "driving")
            let answer = try await Self.ask(ground, driving)
            #expect(answer.json["reason"] == "unavailable")
        }
    }

    @Test("H3: that no street leads there is an answer, not a failure")
    func none() async throws {
        try await MapServer.run { map, url in
            map.answers(#"{"code": "NoRoute", "message": "Impossible route between points"}"#, status: .badRequest)
            try await PlacesGround.run(["walking": url]) { ground in
                let none = try await Self.ask(ground)
                #expect(none.json["reason"] == "none")
                map.answers(Self.found)
                let other = PlacesGround.wayBody.replacing("-31.9505", with: "-31.9405")
                let found = try await Self.ask(ground, other)
                #expect(found.json["straight"] == false)
            }
        }
    }

    @Test(
        "H3, Q6: one address uses up no more than its share of ways; what is known is told to it all the same"
    )
    func shares() async throws {
        try await MapServer.run { map, url in
            map.answers(Self.found)
            let outside = try PlaceParts.Outside(
                url: nil, walking: url, timeout: 10_000, geocoder: nil, logger: TestThreads.logger)
            func ask(_ number: Int, _ asker: String) async -> Bool {
                let to = PlacesGround.north(Double(100 + 50 * number))
                return await outside.ways.way(from: PlacesGround.perth, to: to, .walking, for: asker) != .unavailable
            }
            let start = ContinuousClock.now
            var answered = 0
            for number in 0..<35 { answered += await ask(number, "192.0.2.1") ? 1 : 0 }
            // Twenty at once, and five more in each second that the questions took.
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            #expect(answered >= 20 && Double(answered) <= 21 + 5 * seconds, "\(answered) in \(seconds) s")
            #expect(map.questions.count == answered)
            #expect(await ask(35, "192.0.2.2"))
            #expect(await ask(0, "192.0.2.1"))
            try await outside.client.shutdown()
        }
    }

    @Test("H3: who names no place is asked to select one; what is no place, or too far, is refused")
    func faults() async throws {
        try await PlacesGround.run { ground in
            let none = try await Self.ask(
                ground, #"{"from": {"latitude": -31.9, "longitude": 115.8}, "profile": "walking"}"#)
            #expect(none.status == 422 && none.slug == "no-destination")
            #expect(none.json["title"] == "Please select the place that you want to find a route to")
            for (old, new) in [
                ("-31.9505", "91"), ("-31.9505", "-37.9"), ("walking", "flying"),
                (#""longitude": 115.8605"#, #""x": 1"#),
            ] {
                let answer = try await Self.ask(ground, PlacesGround.wayBody.replacing(old, with: new))
                #expect(answer.status == 422, "\(new) \(answer.json)")
            }
            // From Makkah to Madinah is not too far.
            let pilgrim = try await Self.ask(
                ground,
                """
                {"from": {"latitude": 21.4225, "longitude": 39.8262}, "to": {"latitude": 24.4672, "longitude": 39.6112},
                 "profile": "driving"}
                """)
            #expect(pilgrim.status == 200)
            let nowhere = try await ground.ask(.post, "markets/nowhere/ways", PlacesGround.wayBody, as: nil)
            #expect(nowhere.status == 404)
        }
    }

    @Test("H3: each of OSRM's turns has a word in both languages; an answer that is too large or wrong is none")
    func words() throws {
        let turns: [Turn] = [
            .start, .arrive, .straight, .uTurn, .left, .right, .slightLeft, .slightRight, .sharpLeft, .sharpRight,
            .roundabout(exit: nil), .roundabout(exit: 2),
        ]
        for language in ["en", "ar"] {
            let texts = turns.map { $0.text(into: "", in: language) }
            #expect(Set(texts).count == turns.count && !texts.contains(""))
        }
        #expect(Turn(type: "roundabout", modifier: "right", exit: 3).text(into: "", in: "en").hasSuffix("exit 3"))
        #expect(Turn(type: "end of road", modifier: "sharp right", exit: nil) == .sharpRight)
        #expect(Turn(type: "new name", modifier: nil, exit: nil) == .straight)
        let wrong = Self.found.replacing("-31.951]", with: "-131.951]")
        #expect(throws: RoutingEngine.Unanswered.self) { try WayFinder.read(Data(wrong.utf8)) }
        // North, east, south and west.
        let here = GeoPoint(latitude: 21.4, longitude: 39.8)
        let around = [(21.5, 39.8), (21.4, 39.9), (21.3, 39.8), (21.4, 39.7)]
        let bearings = around.map { Direction(from: here, to: GeoPoint(latitude: $0.0, longitude: $0.1)).bearing }
        #expect(bearings == [0, 90, 180, 270])
    }
}
