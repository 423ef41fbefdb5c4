import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import SeraiJSON
import ServiceKit

/// A weather service that speaks Open-Meteo's `forecast` (open-meteo.com/en/docs).
struct OpenMeteo: WeatherSource {
    static let urlKey = ConfigurationKey<String?>(
        "weather.url", "A weather service in Open-Meteo's form. Without one the weather cannot be shown.")
    static let keyKey = ConfigurationKey<Redacted<String>?>(
        "weather.key", "The weather service's key of a paying customer.")
    static let timeoutKey = ConfigurationKey<Int>(
        "weather.timeout.milliseconds", "How long the weather service is waited for.", default: 3_000,
        in: 50...10_000)
    static let keys = [urlKey.erased, keyKey.erased, timeoutKey.erased]

    static let attribution = "Weather data by Open-Meteo.com"
    static let days = 5
    static let maximumAnswerBytes = 65_536

    private let client: HTTPClient
    private let url: String
    private let key: Redacted<String>?
    /// Until the last byte of an answer.
    private let timeLimit: Duration

    /// Nil where no weather service is configured.
    init?(_ configuration: ServiceConfiguration) throws {
        guard let url = try configuration[Self.urlKey] else { return nil }
        self.init(
            url: url, key: try configuration[Self.keyKey],
            timeoutMilliseconds: try configuration[Self.timeoutKey])
    }

    /// - Parameter url: for example `https://api.open-meteo.com`, without `/v1/forecast`.
    init(url: String, key: Redacted<String>? = nil, timeoutMilliseconds: Int = 3_000) {
        var settings = HTTPClient.Configuration(redirectConfiguration: .disallow)
        settings.tlsConfiguration = OutgoingTLS.configuration()
        settings.timeout = .init(connect: .seconds(2), read: .seconds(10))
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.key = key
        timeLimit = .milliseconds(timeoutMilliseconds)
    }

    func report(of city: GuideCity) async throws -> WeatherReport {
        var request = HTTPClientRequest(url: question(city))
        request.headers.add(name: "accept", value: "application/json")
        let (head, body) = try await client.whole(request, within: timeLimit, upTo: Self.maximumAnswerBytes)
        guard head.status == .ok else { throw Unanswered(status: Int(head.status.code)) }
        return try Self.read(Data(buffer: body))
    }

    func close() async {
        // try?: the process ends; what the client still holds ends with it.
        try? await client.shutdown()
    }

    func question(_ city: GuideCity) -> String {
        let zone = GuideCity.timeZone.split(separator: "/").joined(separator: "%2F")
        let current = "temperature_2m,relative_humidity_2m,apparent_temperature,is_day,weather_code,wind_speed_10m"
        let question =
            "latitude=\(city.latitude)&longitude=\(city.longitude)&timezone=\(zone)&timeformat=unixtime"
            + "&forecast_days=\(Self.days)&current=\(current)"
            + "&daily=weather_code,temperature_2m_max,temperature_2m_min"
        let paid = key.map { "&apikey=\(Self.escaped($0.revealed))" } ?? ""
        return "\(url)/v1/forecast?\(question)\(paid)"
    }

    static func read(_ data: Data) throws -> WeatherReport {
        let forecast = try JSON.wire.decode(Forecast.self, data)
        let (current, daily) = (forecast.current, forecast.daily)
        let count = daily.time.count
        guard (1...16).contains(count), daily.weather_code.count == count, daily.temperature_2m_max.count == count,
            daily.temperature_2m_min.count == count, (-50_400...50_400).contains(forecast.utc_offset_seconds)
        else { throw Unanswered(status: 200) }
        let days = try (0..<count).map { index in
            WeatherReport.Day(
                // The documentation: days are midnights of the zone, so the offset is added before they are read.
                daysSince1970: (try moment(daily.time[index]) + forecast.utc_offset_seconds) / 86_400,
                condition: WeatherCondition(code: daily.weather_code[index]),
                lowest: try degrees(daily.temperature_2m_min[index]),
                highest: try degrees(daily.temperature_2m_max[index]))
        }
        guard (0...100).contains(current.relative_humidity_2m), (0...500).contains(current.wind_speed_10m) else {
            throw Unanswered(status: 200)
        }
        return WeatherReport(
            observedAt: Date(timeIntervalSince1970: Double(try moment(current.time))),
            condition: WeatherCondition(code: current.weather_code), isDaylight: current.is_day == 1,
            temperature: try degrees(current.temperature_2m), feelsLike: try degrees(current.apparent_temperature),
            humidityPercent: Int(current.relative_humidity_2m.rounded()),
            windKilometresPerHour: current.wind_speed_10m, days: Array(days.prefix(Self.days)))
    }

    /// Of this century.
    private static func moment(_ seconds: Int) throws -> Int {
        guard (946_684_800...4_102_444_800).contains(seconds) else { throw Unanswered(status: 200) }
        return seconds
    }

    private static func degrees(_ celsius: Double) throws -> Double {
        guard (-90...70).contains(celsius) else { throw Unanswered(status: 200) }
        return celsius
    }

    private static func escaped(_ key: String) -> String {
        key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    struct Unanswered: Error { let status: Int }

    private struct Forecast: Decodable {
        struct Current: Decodable {
            let time: Int
            let temperature_2m: Double
            let relative_humidity_2m: Double
            let apparent_temperature: Double
            let is_day: Int
            let weather_code: Int
            let wind_speed_10m: Double
        }

        struct Daily: Decodable {
            let time: [Int]
            let weather_code: [Int]
            let temperature_2m_max: [Double]
            let temperature_2m_min: [Double]
        }

        let utc_offset_seconds: Int
        let current: Current
        let daily: Daily
    }
}
