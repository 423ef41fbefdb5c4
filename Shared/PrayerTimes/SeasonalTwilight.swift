/// How long morning and evening twilight last by season and latitude, by Khalid Shaukat's observations, as the
/// Moonsighting Committee publishes them (moonsighting.com/how-we.html). Used where the sun's angle gives no time or
/// one too far from the sun.
enum SeasonalTwilight {
    /// From here on north, a seventh of the night stands for the angle.
    static let latitudeOfSevenths = 55.0

    static func secondsBeforeSunrise(on day: CivilDay, latitude: Double) -> Double {
        seconds(on: day, latitude, slopes: (28.65, 19.44, 32.74, 48.10))
    }

    static func secondsAfterSunset(on day: CivilDay, latitude: Double) -> Double {
        seconds(on: day, latitude, slopes: (25.60, 2.050, -9.210, 6.140))
    }

    /// The slopes say by how many minutes twilight is longer than 75 at latitude 55, on four days of the half year.
    private static func seconds(
        on day: CivilDay, _ latitude: Double, slopes: (Double, Double, Double, Double)
    ) -> Double {
        func minutes(_ slope: Double) -> Double { 75 + slope / 55 * latitude.magnitude }
        let (a, b, c, d) = (minutes(slopes.0), minutes(slopes.1), minutes(slopes.2), minutes(slopes.3))
        let days = Double(daysSinceSolstice(day, isNorth: latitude >= 0))
        let length =
            switch days {
            case ..<91: a + (b - a) / 91 * days
            case ..<137: b + (c - b) / 46 * (days - 91)
            case ..<183: c + (d - c) / 46 * (days - 137)
            case ..<229: d + (c - d) / 46 * (days - 183)
            case ..<275: c + (b - c) / 46 * (days - 229)
            default: b + (a - b) / 91 * (days - 275)
            }
        return (length * 60).rounded()
    }

    /// Since the winter solstice of the hemisphere.
    private static func daysSinceSolstice(_ day: CivilDay, isNorth: Bool) -> Int {
        let isLeap = CivilDay.isLeap(day.year)
        let daysInYear = isLeap ? 366 : 365
        let days = isNorth ? day.dayOfYear + 10 : day.dayOfYear - (isLeap ? 173 : 172)
        return days < 0 ? days + daysInYear : days >= daysInYear ? days - daysInYear : days
    }
}
