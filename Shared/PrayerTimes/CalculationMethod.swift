/// How an authority computes the times of its timetable. The angles are those of the sun below the horizon.
public enum CalculationMethod: String, Sendable, CaseIterable {
    /// Umm al-Qura University, Makkah: Isha 90 minutes after Maghrib, and 120 in Ramadan.
    case ummAlQura
    case muslimWorldLeague
    /// The Egyptian General Authority of Survey.
    case egyptian
    /// The University of Islamic Sciences, Karachi.
    case karachi
    /// The Gulf region as Dubai computes it.
    case gulf
    case kuwait
    /// As Umm al-Qura, with another angle for Fajr and without the longer evening of Ramadan.
    case qatar
    case singapore
    /// The Presidency of Religious Affairs, which adds minutes of caution (temkin).
    case turkey
    /// The Institute of Geophysics, Tehran: Maghrib when the red of the eastern sky is gone.
    case tehran
    /// The Islamic Society of North America.
    case isna
    /// The Moonsighting Committee: twilight by season and latitude, as Khalid Shaukat observed it.
    case moonsightingCommittee

    /// When Isha begins.
    enum Isha: Equatable {
        case angle(Double)
        /// So many minutes after sunset; another number in Ramadan.
        case minutes(Int, inRamadan: Int)
    }

    var fajrAngle: Double {
        switch self {
        case .ummAlQura: 18.5
        case .egyptian: 19.5
        case .gulf: 18.2
        case .singapore: 20
        case .tehran: 17.7
        case .isna: 15
        case .muslimWorldLeague, .karachi, .kuwait, .qatar, .turkey, .moonsightingCommittee: 18
        }
    }

    var isha: Isha {
        switch self {
        case .ummAlQura: .minutes(90, inRamadan: 120)
        case .qatar: .minutes(90, inRamadan: 90)
        case .muslimWorldLeague, .turkey: .angle(17)
        case .egyptian, .kuwait: .angle(17.5)
        case .gulf: .angle(18.2)
        case .tehran: .angle(14)
        case .isna: .angle(15)
        case .karachi, .singapore, .moonsightingCommittee: .angle(18)
        }
    }

    /// Where Maghrib is later than sunset.
    var maghribAngle: Double? { self == .tehran ? 4.5 : nil }

    /// Minutes that the authority adds to what is computed.
    func caution(for prayer: Prayer) -> Int {
        switch (self, prayer) {
        case (.muslimWorldLeague, .dhuhr), (.egyptian, .dhuhr), (.karachi, .dhuhr), (.singapore, .dhuhr),
            (.isna, .dhuhr):
            1
        case (.gulf, .sunrise): -3
        case (.gulf, .dhuhr), (.gulf, .asr), (.gulf, .maghrib): 3
        case (.turkey, .sunrise): -7
        case (.turkey, .dhuhr): 5
        case (.turkey, .asr): 4
        case (.turkey, .maghrib): 7
        case (.moonsightingCommittee, .dhuhr): 5
        case (.moonsightingCommittee, .maghrib): 3
        default: 0
        }
    }
}

/// The six times of a day, in their order.
public enum Prayer: String, Sendable, CaseIterable {
    case fajr
    /// Not a prayer: Fajr's time ends.
    case sunrise
    case dhuhr, asr, maghrib, isha
}

/// The school that says when Asr begins.
public enum Madhab: String, Sendable, CaseIterable {
    /// Also Maliki and Hanbali.
    case shafi
    case hanafi

    /// The shadow at Asr above that of noon, in heights of the thing that throws it.
    var shadowLengths: Double { self == .hanafi ? 2 : 1 }
}

/// How near to the night's ends Fajr and Isha stay where twilight lasts long or never ends. The Moonsighting Committee
/// has its own.
public enum HighLatitudeRule: String, Sendable, CaseIterable {
    /// Fajr is not before the middle of the night, and Isha not after it.
    case middleOfTheNight
    /// Fajr is in the last seventh of the night, and Isha in the first.
    case seventhOfTheNight
    /// As a seventh, with the angle's sixtieth of the night.
    case twilightAngle

    func portion(ofNightFor angle: Double) -> Double {
        switch self {
        case .middleOfTheNight: 1.0 / 2
        case .seventhOfTheNight: 1.0 / 7
        case .twilightAngle: angle / 60
        }
    }
}
