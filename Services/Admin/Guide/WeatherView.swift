import Foundation
import PrayerTimes
import ServiceKit

struct WeatherView: Encodable, Sendable {
    struct Day: Encodable, Sendable {
        let day: String
        let condition: String
        let lowest: Double
        let highest: Double
    }

    let city: String
    let name: String
    let condition: String
    let daylight: Bool
    let temperature: Double
    let feelsLike: Double
    let humidityPercent: Int
    let windKilometresPerHour: Double
    let days: [Day]
    let observedAt: Date
    let readAt: Date
    /// Since it was read.
    let ageSeconds: Int
    /// Whether the weather service did not answer a newer question.
    let stale: Bool
    /// Must be shown with it.
    let attribution: String

    init(_ city: GuideCity, _ kept: WeatherMemory.Kept, at now: Date, in language: Language) {
        let report = kept.report
        let age = max(0, now.timeIntervalSince(kept.readAt))
        self.city = city.id
        name = city.name(in: language.rawValue)
        condition = report.condition.rawValue
        daylight = report.isDaylight
        temperature = report.temperature
        feelsLike = report.feelsLike
        humidityPercent = report.humidityPercent
        windKilometresPerHour = report.windKilometresPerHour
        days = report.days.map { day in
            Day(
                day: CivilDay(daysSince1970: day.daysSince1970).text, condition: day.condition.rawValue,
                lowest: day.lowest, highest: day.highest)
        }
        observedAt = report.observedAt
        readAt = kept.readAt
        ageSeconds = Int(age)
        stale = age >= WeatherMemory.freshSeconds
        attribution = OpenMeteo.attribution
    }
}
