import Foundation
import PrayerTimes
import Testing

@Suite("Prayer times", .timeLimit(.minutes(5)))
struct PrayerTests {
    private static let riyadh = TimeZone(identifier: "Asia/Riyadh") ?? .gmt

    private static func makkah(_ method: CalculationMethod = .ummAlQura) -> PrayerSettings {
        PrayerSettings(place: GeographicPlace(latitude: 21.4225, longitude: 39.8262), timeZone: riyadh, method: method)
    }

    private static func moment(_ day: String, _ time: String) throws -> Date {
        let minutes = try #require(LocalTime(time)).minutes
        return try CivilDay(day).start + Double(minutes * 60 - riyadh.secondsFromGMT())
    }

    @Test("H1: Isha is 90 minutes after Maghrib in Makkah, and 120 from the first to the last day of Ramadan")
    func ramadan() throws {
        // Ramadan 1447 is 18 February to 19 March 2026.
        for (day, minutes) in [
            ("2026-02-17", 90), ("2026-02-18", 120), ("2026-03-19", 120), ("2026-03-20", 90), ("2027-02-07", 90),
            ("2027-02-08", 120),
        ] {
            let times = try #require(PrayerDay(try CivilDay(day), Self.makkah()).times)
            #expect(times.isha.timeIntervalSince(times.maghrib) == Double(minutes * 60), "\(day)")
            let qatar = try #require(PrayerDay(try CivilDay(day), Self.makkah(.qatar)).times)
            #expect(qatar.isha.timeIntervalSince(qatar.maghrib) == 90 * 60)
        }
    }

    @Test(
        "H1: Umm al-Qura's days that all of Saudi Arabia keeps are on the announced dates",
        arguments: [
            ("2024-03-11", 1445, 9, 1), ("2024-04-10", 1445, 10, 1), ("2024-06-15", 1445, 12, 9),
            ("2024-07-07", 1446, 1, 1), ("2025-03-01", 1446, 9, 1), ("2025-03-30", 1446, 10, 1),
            ("2025-06-05", 1446, 12, 9), ("2025-06-26", 1447, 1, 1), ("2026-02-18", 1447, 9, 1),
            ("2026-05-26", 1447, 12, 9), ("2077-11-16", 1500, 12, 30),
        ])
    func hijri(day: String, year: Int, month: Int, date: Int) throws {
        let found = try #require(HijriDate(try CivilDay(day)))
        #expect(found.year == year && found.month == month && found.day == date)
    }

    @Test("H1: outside of the published calendar there is no Hijri date, and there are prayer times all the same")
    func beyondCalendar() throws {
        for text in ["1999-04-16", "2077-11-17"] {
            let day = PrayerDay(try CivilDay(text), Self.makkah())
            #expect(day.hijri == nil)
            #expect(day.times != nil)
        }
    }

    @Test("H1: the six times are in their order for every method, rule and season up to 64° on both sides")
    func order() throws {
        let first = try CivilDay("2026-01-01")
        for latitude in stride(from: -64.0, through: 64, by: 16) {
            for method in CalculationMethod.allCases {
                for rule in HighLatitudeRule.allCases {
                    for madhab in Madhab.allCases {
                        let settings = PrayerSettings(
                            place: GeographicPlace(latitude: latitude, longitude: 10), timeZone: .gmt, method: method,
                            madhab: madhab, highLatitude: rule)
                        for shift in stride(from: 0, to: 365, by: 13) {
                            let day = PrayerDay(first.adding(days: shift), settings)
                            let times = try #require(day.times)
                            let inOrder = Prayer.allCases.map { times[$0] }
                            #expect(
                                zip(inOrder, inOrder.dropFirst()).allSatisfy { $0 < $1 },
                                "\(day.day.text) \(latitude) \(method) \(rule) \(madhab)")
                        }
                    }
                }
            }
        }
    }

    @Test("H1: Hanafi Asr is later than the other schools', and nothing else differs")
    func madhab() throws {
        var hanafi = Self.makkah()
        hanafi.madhab = .hanafi
        let day = try CivilDay("2026-11-28")
        let (one, two) = (try #require(PrayerDay(day, Self.makkah()).times), try #require(PrayerDay(day, hanafi).times))
        #expect(two.asr.timeIntervalSince(one.asr) > 30 * 60)
        for prayer in Prayer.allCases where prayer != .asr { #expect(one[prayer] == two[prayer]) }
    }

    @Test("H1: in a northern summer's night each rule keeps Fajr and Isha where it says")
    func highLatitudes() throws {
        let stockholm = GeographicPlace(latitude: 59.3293, longitude: 18.0686)
        func night(_ rule: HighLatitudeRule) throws -> (length: Double, beforeSunrise: Double, afterSunset: Double) {
            let settings = PrayerSettings(
                place: stockholm, timeZone: .gmt, method: .karachi, highLatitude: rule)
            let day = try CivilDay("2026-06-21")
            let times = try #require(PrayerDay(day, settings).times)
            let next = try #require(PrayerDay(day.adding(days: 1), settings).times)
            return (
                next.sunrise.timeIntervalSince(times.maghrib), times.sunrise.timeIntervalSince(times.fajr),
                times.isha.timeIntervalSince(times.maghrib)
            )
        }
        for (rule, portion) in [
            (HighLatitudeRule.middleOfTheNight, 1.0 / 2), (.seventhOfTheNight, 1.0 / 7), (.twilightAngle, 18.0 / 60),
        ] {
            let night = try night(rule)
            #expect(abs(night.beforeSunrise - portion * night.length) <= 60, "\(rule)")
            #expect(abs(night.afterSunset - portion * night.length) <= 60, "\(rule)")
        }
    }

    @Test("H1: where the sun does not set or not rise, the day has no times and says which")
    func polar() throws {
        let tromso = PrayerSettings(
            place: GeographicPlace(latitude: 69.6492, longitude: 18.9553),
            timeZone: try #require(TimeZone(identifier: "Europe/Oslo")), method: .muslimWorldLeague)
        let summer = PrayerDay(try CivilDay("2026-06-21"), tromso)
        #expect(summer.times == nil)
        #expect(summer.polar == .sunNeverSets)
        let winter = PrayerDay(try CivilDay("2026-12-21"), tromso)
        #expect(winter.times == nil)
        #expect(winter.polar == .sunNeverRises)
        let autumn = PrayerDay(try CivilDay("2026-10-01"), tromso)
        #expect(autumn.times != nil)
        #expect(autumn.polar == nil)
        #expect(NextPrayer(after: summer.day.start, tromso) == nil)
        for latitude in [-90.0, 90] {
            let pole = PrayerSettings(place: GeographicPlace(latitude: latitude, longitude: 0), timeZone: .gmt)
            for day in CivilDay.days(ofMonth: 3, in: 2026) { #expect(PrayerDay(day, pole).times == nil) }
        }
    }

    @Test("H1: the next prayer is the first after now, over midnight too, and sunrise is none")
    func next() throws {
        let settings = Self.makkah()
        let times = try #require(PrayerDay(try CivilDay("2026-11-28"), settings).times)
        for (now, prayer, day) in [
            (try Self.moment("2026-11-28", "00:10"), Prayer.fajr, "2026-11-28"),
            (times.fajr - 1, .fajr, "2026-11-28"), (times.fajr, .dhuhr, "2026-11-28"),
            (times.sunrise + 60, .dhuhr, "2026-11-28"), (times.maghrib, .isha, "2026-11-28"),
            (times.isha, .fajr, "2026-11-29"), (try Self.moment("2026-11-28", "23:59"), .fajr, "2026-11-29"),
        ] {
            let next = try #require(NextPrayer(after: now, settings))
            #expect(next.prayer == prayer && next.day.text == day, "\(now)")
            #expect(next.time > now)
        }
    }

    @Test("H1: an Isha after midnight is still the next prayer of the day before")
    func lateIsha() throws {
        let settings = PrayerSettings(
            place: GeographicPlace(latitude: 55.9533, longitude: -3.1883),
            timeZone: try #require(TimeZone(identifier: "Europe/London")), method: .muslimWorldLeague)
        let day = try CivilDay("2026-06-21")
        let isha = try #require(PrayerDay(day, settings).times).isha
        #expect(CivilDay(isha, in: settings.timeZone) == day.adding(days: 1))
        let next = try #require(NextPrayer(after: isha - 60, settings))
        #expect(next.prayer == .isha)
        #expect(next.day == day)
    }

    @Test("H1: noon is on the asked day on both sides of the date line")
    func dateLine() throws {
        for (zone, longitude) in [
            ("Pacific/Kiritimati", -157.4), ("Pacific/Fiji", 178.4), ("Pacific/Pago_Pago", -170.7),
            ("Pacific/Auckland", 174.8), ("Asia/Riyadh", 39.8), ("Pacific/Tongatapu", -175.2),
        ] {
            let zone = try #require(TimeZone(identifier: zone))
            let settings = PrayerSettings(
                place: GeographicPlace(latitude: -10, longitude: longitude), timeZone: zone)
            for month in 1...12 {
                for day in CivilDay.days(ofMonth: month, in: 2026) {
                    let times = try #require(PrayerDay(day, settings).times)
                    #expect(CivilDay(times.dhuhr, in: zone) == day, "\(zone.identifier) \(day.text)")
                }
            }
        }
    }

    @Test("H1: days are those of the calendar, and none other exist")
    func days() throws {
        #expect(CivilDay(year: 2026, month: 2, day: 29) == nil)
        #expect(CivilDay(year: 2024, month: 2, day: 29)?.dayOfYear == 60)
        #expect(CivilDay(year: 2100, month: 2, day: 29) == nil)
        #expect(CivilDay(year: 2026, month: 13, day: 1) == nil)
        #expect(CivilDay.days(ofMonth: 2, in: 2024).count == 29)
        #expect(CivilDay.days(ofMonth: 0, in: 2024).isEmpty)
        #expect(CivilDay(daysSince1970: 0).text == "1970-01-01")
        #expect(try CivilDay("2000-01-01").daysSince1970 == 10_957)
        var day = try CivilDay("1999-12-28")
        for _ in 0..<20_000 {
            #expect(CivilDay(daysSince1970: day.daysSince1970) == day)
            let next = day.adding(days: 1)
            #expect(next > day && next.daysSince1970 == day.daysSince1970 + 1)
            day = next
        }
        #expect(CivilDay(try Self.moment("2026-03-01", "00:00"), in: Self.riyadh).text == "2026-03-01")
        #expect(CivilDay(try Self.moment("2026-03-01", "00:00") - 1, in: Self.riyadh).text == "2026-02-28")
    }

    @Test("H1: the Qibla is counted from true north, clockwise")
    func qibla() {
        #expect(abs(GeographicPlace(latitude: 51.5074, longitude: -0.1278).qibla - 118.99) < 0.05)
        #expect(abs(GeographicPlace(latitude: 40.7128, longitude: -74.0059).qibla - 58.48) < 0.05)
        #expect(abs(GeographicPlace(latitude: -6.18233995, longitude: 106.84287154).qibla - 295.14) < 0.05)
        // South of the Kaaba on its meridian, north of it, and the point opposite of it that every way leads to.
        #expect(abs(GeographicPlace(latitude: 0, longitude: 39.8262).qibla) < 0.01)
        #expect(abs(GeographicPlace(latitude: 50, longitude: 39.8262).qibla - 180) < 0.01)
        #expect((0..<360).contains(GeographicPlace(latitude: -21.4225, longitude: -140.1738).qibla))
    }
}
