import Foundation

/// The weather of a city as a weather service told it.
struct WeatherReport: Sendable, Hashable {
    struct Day: Sendable, Hashable {
        /// In days since 1970, of the city's calendar.
        let daysSince1970: Int
        let condition: WeatherCondition
        /// °C
        let lowest: Double
        let highest: Double
    }

    /// When it was measured or computed.
    let observedAt: Date
    let condition: WeatherCondition
    let isDaylight: Bool
    /// °C
    let temperature: Double
    let feelsLike: Double
    let humidityPercent: Int
    let windKilometresPerHour: Double
    /// Today first.
    let days: [Day]
}

/// Kinds of weather that have a word and a picture.
enum WeatherCondition: String, Sendable, CaseIterable {
    case clear, partlyCloudy, overcast, fog, drizzle, rain, freezingRain, snow, showers, snowShowers, thunderstorm
    case unknown

    /// - Parameter code: of WMO's table 4677, as Open-Meteo's documentation groups them.
    init(code: Int) {
        self =
            switch code {
            case 0: .clear
            case 1, 2: .partlyCloudy
            case 3: .overcast
            case 45, 48: .fog
            case 51...57: .drizzle
            case 61...65: .rain
            case 66, 67: .freezingRain
            case 71...77: .snow
            case 80...82: .showers
            case 85, 86: .snowShowers
            case 95...99: .thunderstorm
            default: .unknown
            }
    }
}
