import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TestKit
import Testing

@testable import Sandbox

@Suite("H2: the sandbox's weather", .timeLimit(.minutes(5)))
struct WeatherTests {
    private struct Forecast: Decodable {
        struct Current: Decodable { let time: Int }
        struct Daily: Decodable {
            let time: [Int]
            let weather_code: [Int]
        }
        let utc_offset_seconds: Int
        let current: Current
        let daily: Daily
    }

    @Test("H2: days are midnights of the zone, the first is today's, and noon is warmer than night")
    func forecast() throws {
        let riyadh = try #require(TimeZone(identifier: "Asia/Riyadh"))
        func at(_ seconds: Double) -> SandboxWeather.Forecast {
            SandboxWeather.forecast(
                latitude: 21.4225, longitude: 39.8262, zone: riyadh, days: 5,
                at: Date(timeIntervalSince1970: seconds))
        }
        // 14:10 and 02:10 of 28 November 2026 in Riyadh.
        let (day, night) = (at(1_795_864_200), at(1_795_821_000))
        #expect(day.daily.time == night.daily.time)
        #expect(day.daily.time.first == 1_795_813_200 && day.daily.time.count == 5)
        #expect(day.current.temperature_2m > night.current.temperature_2m)
        #expect(day.current.is_day == 1 && night.current.is_day == 0)
        #expect(day.current.time.isMultiple(of: 900) && 1_795_864_200 - day.current.time < 900)
    }

    @Test("H2: over HTTP it answers what is asked and refuses what it does not play")
    func served() async throws {
        try await SandboxServer.withServer { _, url async throws in
            func get(_ query: String) async throws -> (status: Int, body: Data) {
                let answer = try await HTTPClient.shared.execute(
                    HTTPClientRequest(url: "\(url)/weather/v1/forecast?\(query)"), timeout: .seconds(60))
                let body = try await answer.body.collect(upTo: 1 << 20)
                return (Int(answer.status.code), Data(body.readableBytesView))
            }
            let place = "latitude=21.4225&longitude=39.8262"
            let answer = try await get("\(place)&timezone=Asia%2FRiyadh&timeformat=unixtime&forecast_days=3")
            #expect(answer.status == 200)
            let forecast = try JSONDecoder().decode(Forecast.self, from: answer.body)
            #expect(forecast.utc_offset_seconds == 10_800)
            #expect(forecast.daily.time.count == 3 && forecast.daily.weather_code.count == 3)
            #expect(forecast.current.time >= forecast.daily.time[0])
            for query in [
                "timeformat=unixtime", "latitude=91&longitude=0&timeformat=unixtime", place,
                "\(place)&timeformat=unixtime&timezone=Nowhere", "\(place)&timeformat=unixtime&forecast_days=17",
            ] {
                #expect(try await get(query).status == 400, "\(query)")
            }
        }
    }
}
