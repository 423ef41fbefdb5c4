import Foundation
import PrayerTimes
import ServiceKit

struct GuideCityList: Encodable, Sendable {
    struct City: Encodable, Sendable {
        let id: String
        let name: String
        let latitude: Double
        let longitude: Double
        let timeZone: String
    }

    let items: [City]

    init(in language: Language) {
        items = GuideCity.all.map { city in
            City(
                id: city.id, name: city.name(in: language.rawValue), latitude: city.latitude,
                longitude: city.longitude, timeZone: GuideCity.timeZone)
        }
    }
}

struct PrayerTimesView: Encodable, Sendable {
    struct Hijri: Encodable, Sendable {
        let year: Int
        let month: Int
        let day: Int
    }

    struct Times: Encodable, Sendable {
        let fajr: Date
        let sunrise: Date
        let dhuhr: Date
        let asr: Date
        let maghrib: Date
        let isha: Date

        init(_ times: PrayerDay.Times) {
            fajr = times.fajr
            sunrise = times.sunrise
            dhuhr = times.dhuhr
            asr = times.asr
            maghrib = times.maghrib
            isha = times.isha
        }
    }

    struct Day: Encodable, Sendable {
        let day: String
        let hijri: Hijri?
        /// Nil where the sun does not rise or not set.
        let times: Times?
        let polar: String?

        init(_ day: PrayerDay) {
            self.day = day.day.text
            hijri = day.hijri.map { Hijri(year: $0.year, month: $0.month, day: $0.day) }
            times = day.times.map(Times.init)
            polar = day.polar?.rawValue
        }
    }

    let city: String?
    let latitude: Double
    let longitude: Double
    let timeZone: String
    let method: String
    let madhab: String
    let highLatitude: String
    /// Degrees from true north, with one decimal; below 360.
    let qibla: Double
    let days: [Day]

    init(_ place: GuidePlace, _ settings: PrayerSettings, days: [CivilDay]) {
        city = place.city
        latitude = place.place.latitude
        longitude = place.place.longitude
        timeZone = place.timeZone.identifier
        method = settings.method.rawValue
        madhab = settings.madhab.rawValue
        highLatitude = settings.highLatitude.rawValue
        qibla = (place.place.qibla * 10).rounded().truncatingRemainder(dividingBy: 3_600) / 10
        self.days = days.map { Day(PrayerDay($0, settings)) }
    }
}

struct NextPrayerView: Encodable, Sendable {
    struct Next: Encodable, Sendable {
        let prayer: String
        let day: String
        let time: Date
        let secondsLeft: Int
    }

    let city: String?
    let timeZone: String
    let at: Date
    /// Nil where no prayer begins within two days, near the poles.
    let next: Next?

    init(_ place: GuidePlace, _ settings: PrayerSettings, at now: Date) {
        city = place.city
        timeZone = place.timeZone.identifier
        at = now
        next = NextPrayer(after: now, settings).map { next in
            Next(
                prayer: next.prayer.rawValue, day: next.day.text, time: next.time,
                secondsLeft: Int(next.time.timeIntervalSince(now).rounded(.up)))
        }
    }
}
