import Foundation

/// A forecast in Open-Meteo's form that follows from the place and the hour alone: warm at noon, warmer in the south.
enum SandboxWeather {
    struct Forecast: Encodable, Sendable {
        struct Current: Encodable, Sendable {
            let time: Int
            let interval: Int
            let temperature_2m: Double
            let relative_humidity_2m: Int
            let apparent_temperature: Double
            let is_day: Int
            let weather_code: Int
            let wind_speed_10m: Double
        }

        struct Daily: Encodable, Sendable {
            let time: [Int]
            let weather_code: [Int]
            let temperature_2m_max: [Double]
            let temperature_2m_min: [Double]
        }

        let latitude: Double
        let longitude: Double
        let utc_offset_seconds: Int
        let timezone: String
        let current: Current
        let daily: Daily
    }

    static let maximumDays = 16

    static func forecast(
        latitude: Double, longitude: Double, zone: TimeZone, days: Int, at now: Date
    ) -> Forecast {
        let offset = zone.secondsFromGMT(for: now)
        // The documentation: each quarter of an hour has its own values.
        let quarter = Int((now.timeIntervalSince1970 / 900).rounded(.down)) * 900
        let hour = (quarter + offset) % 86_400 / 3_600
        let noon = 38 - abs(latitude) / 2
        let temperature = rounded(noon - Double(abs(hour - 14)) * 0.7)
        let today = (quarter + offset) / 86_400
        let range = 0..<days
        return Forecast(
            latitude: latitude, longitude: longitude, utc_offset_seconds: offset, timezone: zone.identifier,
            current: Forecast.Current(
                time: quarter, interval: 900, temperature_2m: temperature, relative_humidity_2m: 40,
                apparent_temperature: temperature + 1, is_day: (6..<18).contains(hour) ? 1 : 0,
                weather_code: code(today), wind_speed_10m: 9.4),
            daily: Forecast.Daily(
                time: range.map { (today + $0) * 86_400 - offset }, weather_code: range.map { code(today + $0) },
                temperature_2m_max: range.map { _ in rounded(noon) },
                temperature_2m_min: range.map { _ in rounded(noon - 9.8) }))
    }

    /// Clear, partly cloudy, overcast, rain, thunderstorm, in turn.
    private static func code(_ day: Int) -> Int { [0, 2, 3, 61, 95][day % 5] }

    private static func rounded(_ degrees: Double) -> Double { (degrees * 10).rounded() / 10 }
}
