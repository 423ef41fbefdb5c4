import Contracts
import Foundation
import PrayerTimes
import ServiceKit

/// The place that a question of the guide is about.
struct GuidePlace {
    /// Nil where the question gave a position.
    let city: String?
    let place: GeographicPlace
    let timeZone: TimeZone
}

/// Parameters that only the guide has.
extension QueryForm {
    /// The years whose days the guide knows, those of the Umm al-Qura calendar's table.
    static let guideYears = 2_000...2_076

    /// A `city` of the list, or `latitude` and `longitude`, with `timeZone` (Makkah's by default); nil if one is missing
    /// or wrong.
    func guidePlace() -> GuidePlace? {
        let city = choice("city", of: GuideCity.all.map(\.id)).flatMap(GuideCity.named)
        let zone = guideZone()
        let hasPosition = [self["latitude"], self["longitude"]].contains { $0 != nil }
        guard (self["city"] != nil) != hasPosition else {
            reject("city", "city-or-position")
            return nil
        }
        guard hasPosition else {
            guard let city, let zone else { return nil }
            return GuidePlace(
                city: city.id, place: GeographicPlace(latitude: city.latitude, longitude: city.longitude),
                timeZone: zone)
        }
        let latitude = degrees("latitude", 90)
        let longitude = degrees("longitude", 180)
        guard let latitude, let longitude, let zone else { return nil }
        return GuidePlace(
            city: nil, place: GeographicPlace(latitude: latitude, longitude: longitude), timeZone: zone)
    }

    /// Method, madhab and rule for high latitudes, each with its default.
    func prayerSettings(at place: GuidePlace) -> PrayerSettings {
        PrayerSettings(
            place: place.place, timeZone: place.timeZone,
            method: choice("method", of: CalculationMethod.self) ?? .ummAlQura,
            madhab: choice("madhab", of: Madhab.self) ?? .shafi,
            highLatitude: choice("highLatitude", of: HighLatitudeRule.self) ?? .middleOfTheNight)
    }

    /// The day `date`, or all days of `month`; nil if both are absent, or wrong.
    func guideDays() -> [CivilDay]? {
        let date = digits("date")
        let month = digits("month")
        if date != nil, month != nil {
            reject("month", "date-or-month")
            return nil
        }
        if let date {
            let parts = date.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/)
            let day = parts.flatMap { parts in
                CivilDay(year: Int(parts.1) ?? 0, month: Int(parts.2) ?? 0, day: Int(parts.3) ?? 0)
            }
            return known(day.map { [$0] } ?? [], "date", fault: "not-a-day")
        }
        guard let month else { return nil }
        let parts = month.wholeMatch(of: /([0-9]{4})-([0-9]{2})/)
        let days = parts.map { CivilDay.days(ofMonth: Int($0.2) ?? 0, in: Int($0.1) ?? 0) } ?? []
        return known(days, "month", fault: "not-a-month")
    }

    private func known(_ days: [CivilDay], _ name: String, fault: String) -> [CivilDay]? {
        guard let first = days.first else {
            reject(name, fault)
            return nil
        }
        guard Self.guideYears.contains(first.year) else {
            let (minimum, maximum) = (Self.guideYears.lowerBound, Self.guideYears.upperBound)
            reject(name, "out-of-range", ["minimum": String(minimum), "maximum": String(maximum)])
            return nil
        }
        return days
    }

    private func digits(_ name: String) -> String? { text(name).map(TypedText.asciiDigits) }

    /// The full name of a zone in the IANA database, or `UTC`; nil if it is wrong.
    private func guideZone() -> TimeZone? {
        let name = text("timeZone", maximum: 64) ?? GuideCity.timeZone
        // Foundation reads zones from files: no other characters get there.
        let isName = name == "UTC" || name.contains(/^[A-Z][A-Za-z0-9_+\-]*(?:\/[A-Z][A-Za-z0-9_+\-]*){1,2}$/)
        guard isName, let zone = TimeZone(identifier: name) else {
            reject("timeZone", "not-a-time-zone")
            return nil
        }
        return zone
    }

    private func degrees(_ name: String, _ limit: Int) -> Double? {
        guard let text = text(name, isRequired: true).map(TypedText.asciiDigits) else { return nil }
        guard let degrees = Double(plain: text) else {
            reject(name, "not-a-number")
            return nil
        }
        guard degrees.magnitude <= Double(limit) else {
            reject(name, "out-of-range", ["minimum": String(-limit), "maximum": String(limit)])
            return nil
        }
        return degrees
    }
}
