import Foundation

/// When the sun crosses the meridian and given altitudes at a place, on one day.
///
/// Meeus, Astronomical Algorithms, chapter 15: the sun's place at 0 h of three days is interpolated, and the first
/// estimate is corrected once, as timetables are computed. Where that correction is long the sun grazes the altitude,
/// as near the polar circles and at the ends of a northern summer's twilight; there the moment is searched. Times are
/// whole seconds.
struct SolarDay {
    /// Of the upper limb at the horizon, with the usual refraction, in degrees.
    static let horizon = -50.0 / 60.0

    /// In days. An ordinary day's is below six minutes.
    private static let longestCorrection = 10.0 / 1_440

    private let place: GeographicPlace
    /// 0 h of universal time; times are counted from it in days.
    private let start: Date
    private let days: (before: SolarPosition, itself: SolarPosition, after: SolarPosition)
    private let estimatedNoon: Double
    private var noon = 0.0

    /// When the sun crosses the meridian.
    var transit: Date { Self.moment(noon, after: start) }

    /// The day whose noon at the place is on the civil day in the zone.
    init(_ day: CivilDay, at place: GeographicPlace, in zone: TimeZone) {
        // 0 h of 1 January 2000, the 10 957th day since 1970, is half a day before the epoch.
        let epochDays = Double(day.daysSince1970 - 10_957) - 0.5
        self.place = place
        start = day.start
        days = (
            SolarPosition(daysSince2000: epochDays - 1), SolarPosition(daysSince2000: epochDays),
            SolarPosition(daysSince2000: epochDays + 1)
        )
        // The sun is in the south once a day. Near the date line the nearest time to the clock's noon is not always on
        // the same day of universal time.
        let turns = (days.itself.rightAscension - place.longitude - days.itself.apparentSiderealTime) / 360
        let clockNoon = 0.5 - Double(zone.secondsFromGMT(for: day.start)) / 86_400
        estimatedNoon = turns + (clockNoon - turns).rounded()
        noon = estimatedNoon - Angle.nearest(hourAngle(at: estimatedNoon)) / 360
    }

    /// When the sun is at the altitude, before or after noon; nil when it never is on this day.
    func moment(ofAltitude altitude: Double, afterNoon: Bool) -> Date? {
        corrected(altitude, afterNoon) ?? searched(altitude, afterNoon)
    }

    /// The afternoon's moment when a thing's shadow is longer than at noon by so many times its height; nil when there
    /// is no shadow at noon because the sun is below the horizon.
    func moment(ofShadow lengths: Double) -> Date? {
        func altitude(_ declination: Double) -> Double {
            Angle.arcTangent(1 / (lengths + Angle.tangent((place.latitude - declination).magnitude)))
        }
        guard self.altitude(at: noon) > 0 else { return nil }
        return corrected(altitude(days.itself.declination), true) ?? searched(altitude(declination(at: noon)), true)
    }

    /// Why there is no sunrise or no sunset between noon and the midnights beside it; nil when there are both.
    var polar: PolarState? {
        if altitude(at: noon) < Self.horizon { return .sunNeverRises }
        return max(altitude(at: noon - 0.5), altitude(at: noon + 0.5)) > Self.horizon ? .sunNeverSets : nil
    }

    /// One correction of the first estimate; nil where that is not enough.
    private func corrected(_ altitude: Double, _ afterNoon: Bool) -> Date? {
        let cosine =
            (Angle.sine(altitude) - Angle.sine(place.latitude) * Angle.sine(days.itself.declination))
            / (Angle.cosine(place.latitude) * Angle.cosine(days.itself.declination))
        guard cosine.magnitude <= 1 else { return nil }
        let turn = Angle.arcCosine(cosine) / 360
        let estimate = estimatedNoon + (afterNoon ? turn : -turn)
        let speed =
            360 * Angle.cosine(declination(at: estimate)) * Angle.cosine(place.latitude)
            * Angle.sine(hourAngle(at: estimate))
        let correction = (self.altitude(at: estimate) - altitude) / speed
        guard correction.magnitude < Self.longestCorrection else { return nil }
        return Self.moment(estimate + correction, after: start)
    }

    /// Halves the time between noon and midnight until less than a second is left.
    private func searched(_ altitude: Double, _ afterNoon: Bool) -> Date? {
        var (high, low) = (noon, noon + (afterNoon ? 0.5 : -0.5))
        guard self.altitude(at: high) >= altitude, self.altitude(at: low) <= altitude else { return nil }
        for _ in 0..<18 {
            let middle = (high + low) / 2
            if self.altitude(at: middle) >= altitude { high = middle } else { low = middle }
        }
        return Self.moment((high + low) / 2, after: start)
    }

    private func altitude(at fraction: Double) -> Double {
        let declination = declination(at: fraction)
        return Angle.arcSine(
            Angle.sine(place.latitude) * Angle.sine(declination)
                + Angle.cosine(place.latitude) * Angle.cosine(declination) * Angle.cosine(hourAngle(at: fraction)))
    }

    private func declination(at fraction: Double) -> Double {
        let (before, itself, after) = (days.before.declination, days.itself.declination, days.after.declination)
        return Self.interpolate(itself, itself - before, after - itself, fraction)
    }

    /// Any angle, not only from -180 to 180.
    private func hourAngle(at fraction: Double) -> Double {
        let itself = days.itself.rightAscension
        let ascension = Self.interpolate(
            itself, Angle.positive(itself - days.before.rightAscension),
            Angle.positive(days.after.rightAscension - itself), fraction)
        return days.itself.apparentSiderealTime + 360.985647 * fraction + place.longitude - ascension
    }

    /// Chapter 3: between three values a day apart, from the middle one and the two differences.
    private static func interpolate(
        _ itself: Double, _ first: Double, _ second: Double, _ fraction: Double
    ) -> Double {
        itself + fraction / 2 * (first + second + fraction * (second - first))
    }

    private static func moment(_ fractionOfDay: Double, after start: Date) -> Date {
        start + (fractionOfDay * 86_400).rounded(.down)
    }
}

/// Why a day has no sunrise or no sunset.
public enum PolarState: String, Sendable, CaseIterable {
    case sunNeverSets, sunNeverRises
}
