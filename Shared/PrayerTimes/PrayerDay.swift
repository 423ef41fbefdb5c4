public import Foundation

/// The prayer times of one day at one place.
public struct PrayerDay: Sendable, Hashable {
    public let day: CivilDay
    /// Nil outside of the years that ``HijriDate`` knows.
    public let hijri: HijriDate?
    /// Nil where the sun does not rise or set on this day or on the next: then nothing is made up.
    public let times: Times?
    /// Why there are no times.
    public let polar: PolarState?

    /// Whole minutes, rounded to the nearest one.
    public struct Times: Sendable, Hashable {
        public let fajr: Date
        public let sunrise: Date
        public let dhuhr: Date
        public let asr: Date
        public let maghrib: Date
        public let isha: Date

        public subscript(prayer: Prayer) -> Date {
            switch prayer {
            case .fajr: fajr
            case .sunrise: sunrise
            case .dhuhr: dhuhr
            case .asr: asr
            case .maghrib: maghrib
            case .isha: isha
            }
        }
    }

    public init(_ day: CivilDay, _ settings: PrayerSettings) {
        self.day = day
        hijri = HijriDate(day)
        let sun = SolarDay(day, at: settings.place, in: settings.timeZone)
        let tomorrow = SolarDay(day.adding(days: 1), at: settings.place, in: settings.timeZone)
        let computation = Computation(day, isRamadan: hijri?.isRamadan ?? false, settings, sun, tomorrow)
        times = computation?.times
        // A day beside the polar ones may rise and set, and have no afternoon shadow or no next sunrise.
        polar = times != nil ? nil : sun.polar ?? tomorrow.polar ?? .sunNeverRises
    }
}

/// The six moments before they are rounded.
private struct Computation {
    private let day: CivilDay
    private let isRamadan: Bool
    private let settings: PrayerSettings
    private let sun: SolarDay
    private let sunrise: Date
    private let sunset: Date
    private let asr: Date
    private let nightSeconds: Double

    init?(
        _ day: CivilDay, isRamadan: Bool, _ settings: PrayerSettings, _ sun: SolarDay, _ tomorrow: SolarDay
    ) {
        guard let sunrise = sun.moment(ofAltitude: SolarDay.horizon, afterNoon: false),
            let sunset = sun.moment(ofAltitude: SolarDay.horizon, afterNoon: true),
            let nextSunrise = tomorrow.moment(ofAltitude: SolarDay.horizon, afterNoon: false),
            let asr = sun.moment(ofShadow: settings.madhab.shadowLengths)
        else { return nil }
        self.day = day
        self.isRamadan = isRamadan
        self.settings = settings
        self.sun = sun
        self.sunrise = sunrise
        self.sunset = sunset
        self.asr = asr
        nightSeconds = nextSunrise.timeIntervalSince(sunset)
    }

    var times: PrayerDay.Times {
        let isha = isha
        func rounded(_ moment: Date, _ prayer: Prayer) -> Date {
            let seconds = moment.timeIntervalSince1970 + Double(settings.method.caution(for: prayer)) * 60
            return Date(timeIntervalSince1970: ((seconds + 30) / 60).rounded(.down) * 60)
        }
        return PrayerDay.Times(
            fajr: rounded(fajr, .fajr), sunrise: rounded(sunrise, .sunrise), dhuhr: rounded(sun.transit, .dhuhr),
            asr: rounded(asr, .asr), maghrib: rounded(maghrib(before: isha), .maghrib), isha: rounded(isha, .isha))
    }

    private var isMoonsighting: Bool { settings.method == .moonsightingCommittee }

    /// Of the Moonsighting Committee, far in the north.
    private var seventhOfNight: Double? {
        guard isMoonsighting, settings.place.latitude >= SeasonalTwilight.latitudeOfSevenths else { return nil }
        return (nightSeconds / 7).rounded(.down)
    }

    private var fajr: Date {
        let angle = settings.method.fajrAngle
        let byAngle = seventhOfNight.map { sunrise - $0 } ?? sun.moment(ofAltitude: -angle, afterNoon: false)
        let earliest =
            sunrise
            - (isMoonsighting
                ? SeasonalTwilight.secondsBeforeSunrise(on: day, latitude: settings.place.latitude)
                : portionOfNight(angle))
        return byAngle.map { max($0, earliest) } ?? earliest
    }

    private var isha: Date {
        switch settings.method.isha {
        case .minutes(let usual, let inRamadan):
            return sunset + Double(isRamadan ? inRamadan : usual) * 60
        case .angle(let angle):
            let byAngle = seventhOfNight.map { sunset + $0 } ?? sun.moment(ofAltitude: -angle, afterNoon: true)
            let latest =
                sunset
                + (isMoonsighting
                    ? SeasonalTwilight.secondsAfterSunset(on: day, latitude: settings.place.latitude)
                    : portionOfNight(angle))
            return byAngle.map { min($0, latest) } ?? latest
        }
    }

    /// By the angle where the method has one and it lies between sunset and Isha.
    private func maghrib(before isha: Date) -> Date {
        guard let angle = settings.method.maghribAngle,
            let moment = sun.moment(ofAltitude: -angle, afterNoon: true), moment > sunset, moment < isha
        else { return sunset }
        return moment
    }

    private func portionOfNight(_ angle: Double) -> Double {
        (settings.highLatitude.portion(ofNightFor: angle) * nightSeconds).rounded(.down)
    }
}
