/// The apparent place of the sun at 0 h of a day, to 0.01°.
///
/// Jean Meeus, Astronomical Algorithms, second edition: chapter 25 ("low accuracy"), chapter 22 for nutation and
/// obliquity, chapter 12 for sidereal time. Universal time stands for dynamical time: in this century that moves the
/// sun by less than 0.001°.
struct SolarPosition {
    /// Degrees.
    let declination: Double
    /// Degrees from 0 to below 360.
    let rightAscension: Double
    /// At Greenwich, in degrees.
    let apparentSiderealTime: Double

    /// - Parameter daysSince2000: from the epoch J2000.0, which is noon of 1 January 2000.
    init(daysSince2000: Double) {
        let t = daysSince2000 / 36_525
        let meanLongitude = 280.4664567 + t * (36_000.76983 + t * 0.0003032)
        let meanAnomaly = 357.52911 + t * (35_999.05029 - t * 0.0001537)
        let center =
            (1.914602 - t * (0.004817 + t * 0.000014)) * Angle.sine(meanAnomaly)
            + (0.019993 - t * 0.000101) * Angle.sine(2 * meanAnomaly) + 0.000289 * Angle.sine(3 * meanAnomaly)
        // Of the moon's orbit; it stands for the largest part of nutation.
        let node = 125.04 - 1_934.136 * t
        let longitude = meanLongitude + center - 0.00569 - 0.00478 * Angle.sine(node)

        let meanObliquity = 23.4392911 - t * (0.0130041667 + t * (0.0000001639 - t * 0.0000005036))
        let obliquity = meanObliquity + 0.00256 * Angle.cosine(node)
        declination = Angle.arcSine(Angle.sine(obliquity) * Angle.sine(longitude))
        rightAscension = Angle.positive(
            Angle.arcTangent(Angle.cosine(obliquity) * Angle.sine(longitude), Angle.cosine(longitude)))
        apparentSiderealTime =
            Self.meanSiderealTime(t) + Self.nutationOfSiderealTime(t, meanLongitude, meanObliquity)
    }

    private static func meanSiderealTime(_ t: Double) -> Double {
        Angle.positive(280.46061837 + 360.98564736629 * t * 36_525 + t * t * (0.000387933 - t / 38_710_000))
    }

    /// Chapter 22, with the terms that are larger than 0.2″.
    private static func nutationOfSiderealTime(
        _ t: Double, _ sun: Double, _ meanObliquity: Double
    ) -> Double {
        let moon = 218.3165 + 481_267.8813 * t
        let node = 125.04452 - t * (1_934.136261 - t * (0.0020708 + t / 450_000))
        let inLongitude =
            -17.20 * Angle.sine(node) - 1.32 * Angle.sine(2 * sun) - 0.23 * Angle.sine(2 * moon)
            + 0.21 * Angle.sine(2 * node)
        let inObliquity =
            9.20 * Angle.cosine(node) + 0.57 * Angle.cosine(2 * sun) + 0.10 * Angle.cosine(2 * moon)
            - 0.09 * Angle.cosine(2 * node)
        return inLongitude / 3_600 * Angle.cosine(meanObliquity + inObliquity / 3_600)
    }
}
