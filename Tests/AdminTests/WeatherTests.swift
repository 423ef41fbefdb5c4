import Foundation
import HTTPTypes
import NIOHTTP1
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiAdmin

@Suite("H2: the weather", .timeLimit(.minutes(15)))
struct WeatherTests {
    private static let now = Date(timeIntervalSince1970: 1_795_856_400)

    private static func city(_ id: String = "makkah") throws -> GuideCity { try #require(GuideCity.named(id)) }

    private static func report(_ temperature: Double = 30) -> WeatherReport {
        WeatherReport(
            observedAt: now, condition: .clear, isDaylight: true, temperature: temperature, feelsLike: 31,
            humidityPercent: 20, windKilometresPerHour: 5, days: [])
    }

    private static func withDesk(
        _ url: String, timeoutMilliseconds: Int = 3_000, _ body: (WeatherDesk) async throws -> Void
    ) async throws {
        let desk = WeatherDesk(
            source: OpenMeteo(url: url, key: Redacted("k&y"), timeoutMilliseconds: timeoutMilliseconds),
            logger: TestThreads.logger)
        do {
            try await body(desk)
        } catch {
            await desk.close()
            throw error
        }
        await desk.close()
    }

    // MARK: What is kept

    @Test("H2: a report is fresh for ten minutes, better than none for three hours, and then gone")
    func ages() {
        var memory = WeatherMemory()
        #expect(memory.known("makkah", at: Self.now) == nil)
        memory.answered("makkah", Self.report(), at: Self.now)
        for (age, isFresh, isKnown) in [
            (0.0, true, true), (599, true, true), (600, false, true), (10_799, false, true), (10_800, false, false),
        ] {
            #expect((memory.fresh("makkah", at: Self.now + age) != nil) == isFresh, "\(age)")
            #expect((memory.known("makkah", at: Self.now + age) != nil) == isKnown, "\(age)")
        }
        #expect(memory.known("mina", at: Self.now) == nil)
    }

    @Test("H2: after three failures in a row there is a pause that doubles up to four minutes, and one answer ends it")
    func breaker() {
        var memory = WeatherMemory()
        for _ in 0..<2 { memory.failed(at: Self.now) }
        #expect(memory.mayAsk(at: Self.now))
        var now = Self.now
        for pause in [15.0, 30, 60, 120, 240, 240] {
            memory.failed(at: now)
            #expect(!memory.mayAsk(at: now + pause - 1), "\(pause)")
            now += pause
            #expect(memory.mayAsk(at: now), "\(pause)")
        }
        memory.answered("makkah", Self.report(), at: now)
        memory.failed(at: now)
        #expect(memory.mayAsk(at: now))
        for _ in 0..<2_000 { memory.failed(at: now) }
        #expect(memory.mayAsk(at: now + WeatherMemory.longestPauseSeconds))
    }

    // MARK: Open-Meteo's form

    @Test("H2: what Open-Meteo answers is read, with days of the city's calendar")
    func reading() throws {
        let report = try OpenMeteo.read(Data(WeatherServer.sunny.utf8))
        #expect(report.observedAt == Self.now)
        #expect(report.condition == .partlyCloudy && report.isDaylight)
        #expect(report.temperature == 31.4 && report.feelsLike == 32 && report.humidityPercent == 38)
        #expect(report.windKilometresPerHour == 11.9)
        let view = WeatherView(
            try Self.city(), WeatherMemory.Kept(report: report, readAt: Self.now), at: Self.now + 601, in: .arabic)
        #expect(view.name == "مكة المكرمة" && view.stale && view.ageSeconds == 601)
        #expect(view.days.map(\.day) == ["2026-11-28", "2026-11-29"])
        #expect(view.days.map(\.condition) == ["partlyCloudy", "thunderstorm"])
        #expect(view.days.map(\.highest) == [33.1, 34] && view.days.map(\.lowest) == [22.8, 23.5])
    }

    @Test(
        "H2: an answer that cannot be true is none",
        arguments: [
            "", "[]", "{}", "null", WeatherServer.forecast(temperature: "null"),
            WeatherServer.forecast(temperature: "\"hot\""), WeatherServer.forecast(temperature: "3000"),
            WeatherServer.forecast(temperature: "1e999"),
            WeatherServer.sunny.replacingOccurrences(of: "[2,95]", with: "[2]"),
            WeatherServer.sunny.replacingOccurrences(of: "1795856400", with: "9223372036854775807"),
            WeatherServer.sunny.replacingOccurrences(of: "10800", with: "9223372036854775807"),
            WeatherServer.sunny.replacingOccurrences(of: "1795813200", with: "-1"),
            WeatherServer.sunny.replacingOccurrences(
                of: "\"relative_humidity_2m\":38", with: "\"relative_humidity_2m\":1e300"),
        ])
    func nonsense(answer: String) {
        #expect(throws: (any Error).self) { try OpenMeteo.read(Data(answer.utf8)) }
    }

    @Test("H2: each code of the weather has a kind, and an unknown one is told as such")
    func conditions() {
        #expect(
            [0, 1, 3, 48, 55, 65, 67, 75, 81, 86, 99].map { WeatherCondition(code: $0).rawValue } == [
                "clear", "partlyCloudy", "overcast", "fog", "drizzle", "rain", "freezingRain", "snow", "showers",
                "snowShowers", "thunderstorm",
            ])
        for code in [-1, 4, 44, 100, Int.max] { #expect(WeatherCondition(code: code) == .unknown) }
    }

    @Test("H2: the question names the place, the zone and what is wanted, and the key is escaped")
    func question() async throws {
        let source = OpenMeteo(url: "https://weather.test/", key: Redacted("a&b=c"))
        let question = source.question(try Self.city())
        await source.close()
        #expect(question.hasPrefix("https://weather.test/v1/forecast?latitude=21.4225&longitude=39.8262&"))
        for part in ["timezone=Asia%2FRiyadh", "timeformat=unixtime", "forecast_days=5", "apikey=a%26b%3Dc"] {
            #expect(question.contains(part), "\(question)")
        }
    }

    // MARK: Asking

    @Test("H2: many who ask at once are one question, and within ten minutes there is none more")
    func once() async throws {
        try await WeatherServer.run { server, url async throws in
            server.answers(WeatherServer.sunny, after: .milliseconds(100))
            try await Self.withDesk(url) { desk async throws in
                let city = try Self.city()
                await withTaskGroup { group in
                    for _ in 0..<50 { group.addTask { await desk.report(of: city, at: Self.now)?.report.temperature } }
                    for await temperature in group { #expect(temperature == 31.4) }
                }
                #expect(server.questions.count == 1)
                #expect(await desk.report(of: city, at: Self.now + 599) != nil)
                #expect(server.questions.count == 1)
                server.answers(WeatherServer.forecast(temperature: "28"))
                #expect(await desk.report(of: city, at: Self.now + 600)?.report.temperature == 28)
                #expect(server.questions.count == 2)
                #expect(try await desk.report(of: Self.city("mina"), at: Self.now + 601) != nil)
                #expect(server.questions.count == 3)
            }
        }
    }

    @Test(
        "H2: while the weather service is down what it said is shown for three hours, and it is left in peace meanwhile"
    )
    func down() async throws {
        try await WeatherServer.run { server, url async throws in
            try await Self.withDesk(url) { desk async throws in
                let city = try Self.city()
                #expect(await desk.report(of: city, at: Self.now) != nil)
                server.answers("down", status: .serviceUnavailable)
                for age in [600.0, 601, 602, 603, 604] {
                    #expect(await desk.report(of: city, at: Self.now + age)?.readAt == Self.now)
                }
                #expect(server.questions.count == 4, "three failures, and then a pause")
                #expect(await desk.report(of: city, at: Self.now + 10_799) != nil)
                #expect(await desk.report(of: city, at: Self.now + 10_800) == nil)
                server.answers(WeatherServer.forecast(temperature: "25"))
                #expect(await desk.report(of: city, at: Self.now + 20_000)?.report.temperature == 25)
            }
        }
    }

    @Test("H2: a weather service that is slow, speaks nonsense or is not there gives no weather, and no error")
    func silent() async throws {
        try await WeatherServer.run { server, url async throws in
            server.answers(WeatherServer.sunny, after: .seconds(5))
            try await Self.withDesk(url, timeoutMilliseconds: 50) { desk async throws in
                #expect(try await desk.report(of: Self.city(), at: Self.now) == nil)
            }
            server.drips()
            let start = ContinuousClock.now
            try await Self.withDesk(url, timeoutMilliseconds: 500) { desk async throws in
                #expect(try await desk.report(of: Self.city(), at: Self.now) == nil)
            }
            #expect(ContinuousClock.now - start < .seconds(40))
            server.answers("<html>")
            try await Self.withDesk(url) { desk async throws in
                #expect(try await desk.report(of: Self.city(), at: Self.now) == nil)
            }
            server.answers("{\"x\":\"\(String(repeating: "x", count: 100_000))\"}")
            try await Self.withDesk(url) { desk async throws in
                #expect(try await desk.report(of: Self.city(), at: Self.now) == nil)
            }
        }
        try await Self.withDesk("http://127.0.0.1:1") { desk async throws in
            #expect(try await desk.report(of: Self.city(), at: Self.now) == nil)
        }
    }

    // MARK: The route

    @Test("H2, H6: everybody reads a city's weather in two languages, and hears plainly when it cannot be retrieved")
    func route() async throws {
        let contract = try OpenAPIContract(yaml: String(decoding: AdminService.openAPI, as: UTF8.self))
        try await WeatherServer.run { server, url async throws in
            try await AdminFixture.running(settings: ["SERAI_WEATHER_URL": url]) { fixture async throws in
                func get(_ query: String, _ language: String = "en") async throws -> TestAnswer {
                    let path = "/admin/v1/guide/weather"
                    let answer = try await fixture.send(
                        .GET, path + query, as: nil, headers: ["accept-language": language])
                    let exchange = HTTPExchange(
                        "GET", path, status: answer.status, answerType: answer.headers.first(name: "content-type"),
                        answerBody: Data(answer.text.utf8))
                    #expect(contract.faults(in: exchange) == [])
                    return answer
                }
                let english = try await get("?city=makkah")
                #expect(english.status == 200, "\(english.text)")
                #expect(try english.json["name"]?.string == "Makkah")
                #expect(try english.json["condition"]?.string == "partlyCloudy")
                #expect(english.headers.first(name: "cache-control") == "public, max-age=60")
                #expect(english.headers.first(name: "vary")?.lowercased().contains("accept-language") == true)
                #expect(try await get("?city=makkah", "ar").json["name"]?.string == "مكة المكرمة")
                #expect(server.questions.count == 1)

                #expect(try await get("").codes == ["/city": "required"])
                #expect(try await get("?city=atlantis").codes == ["/city": "not-a-choice"])
                #expect(try await get("?city=makkah&days=3").codes == ["/days": "unknown-parameter"])

                server.answers("", status: .badGateway)
                let none = try await get("?city=riyadh", "ar")
                #expect(none.status == 503)
                #expect(try none.slug == "weather-unavailable")
                #expect(try none.json["title"]?.string == "تعذّر الحصول على حالة الطقس الآن")
                #expect(none.headers.first(name: "retry-after") == "60")
            }
        }
        try await AdminFixture.running { fixture async throws in
            let answer = try await fixture.send(.GET, "/admin/v1/guide/weather?city=makkah", as: nil)
            #expect(answer.status == 503)
            #expect(try answer.json["title"]?.string == "The weather cannot be retrieved now")
        }
    }
}
