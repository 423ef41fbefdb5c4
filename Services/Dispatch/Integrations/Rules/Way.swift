import Foundation
import Matching

/// A way from one place to another (H3).
struct Way: Sendable, Hashable {
    enum Profile: String, Sendable, CaseIterable {
        case walking, driving
    }

    struct Step: Sendable, Hashable {
        let turn: Turn
        /// Of the street that it leads into; empty where it has none.
        let street: String
        let metres: Int
        let seconds: Int
        let at: GeoPoint
    }

    let metres: Int
    let seconds: Int
    let line: [GeoPoint]
    let steps: [Step]

    /// The engine is not asked for places farther from each other: the answer would be large. From Makkah to Madinah, the
    /// longest way of a pilgrim, are 340 kilometres.
    static let maximumMetres = 500_000.0
}

/// What somebody does at the beginning of a step, after OSRM's maneuvers (docs/http.md of its sources).
enum Turn: Sendable, Hashable {
    case start, arrive, straight, uTurn
    case left, right, slightLeft, slightRight, sharpLeft, sharpRight
    /// Nil where the exit is not counted.
    case roundabout(exit: Int?)

    init(type: String, modifier: String?, exit: Int?) {
        switch type {
        case "depart": self = .start
        case "arrive": self = .arrive
        case "roundabout", "rotary": self = .roundabout(exit: exit.flatMap { (1...20).contains($0) ? $0 : nil })
        default:
            self =
                switch modifier {
                case "left": .left
                case "right": .right
                case "slight left": .slightLeft
                case "slight right": .slightRight
                case "sharp left": .sharpLeft
                case "sharp right": .sharpRight
                case "uturn": .uTurn
                default: .straight
                }
        }
    }

    /// Its name for programs, which choose an arrow by it.
    var name: String {
        switch self {
        case .start: "start"
        case .arrive: "arrive"
        case .straight: "straight"
        case .uTurn: "uTurn"
        case .left: "left"
        case .right: "right"
        case .slightLeft: "slightLeft"
        case .slightRight: "slightRight"
        case .sharpLeft: "sharpLeft"
        case .sharpRight: "sharpRight"
        case .roundabout: "roundabout"
        }
    }

    /// A sentence without its full stop. The street's name stands between marks that keep its direction of writing.
    func text(into street: String, in language: String) -> String {
        let isArabic = language == "ar"
        let turn = isArabic ? arabic : english
        guard !street.isEmpty, self != .arrive else { return turn }
        let name = "\u{2068}\(street)\u{2069}"
        if self == .start { return turn + (isArabic ? " في \(name)" : " on \(name)") }
        return turn + (isArabic ? " إلى \(name)" : " into \(name)")
    }

    private var english: String {
        switch self {
        case .start: "Start"
        case .arrive: "You have arrived"
        case .straight: "Go straight on"
        case .uTurn: "Turn around"
        case .left: "Turn left"
        case .right: "Turn right"
        case .slightLeft: "Keep left"
        case .slightRight: "Keep right"
        case .sharpLeft: "Turn sharply left"
        case .sharpRight: "Turn sharply right"
        case .roundabout(let exit?): "At the roundabout take exit \(exit)"
        case .roundabout: "Go through the roundabout"
        }
    }

    private var arabic: String {
        switch self {
        case .start: "انطلق"
        case .arrive: "وصلت إلى وجهتك"
        case .straight: "تابع إلى الأمام"
        case .uTurn: "استدر إلى الخلف"
        case .left: "انعطف يسارًا"
        case .right: "انعطف يمينًا"
        case .slightLeft: "الزم اليسار"
        case .slightRight: "الزم اليمين"
        case .sharpLeft: "انعطف يسارًا بشدة"
        case .sharpRight: "انعطف يمينًا بشدة"
        case .roundabout(let exit?): "عند الدوار اسلك المخرج رقم \(exit)"
        case .roundabout: "اعبر الدوار"
        }
    }
}

/// The direction to a place where no way is known.
struct Direction: Sendable, Hashable {
    let metres: Int
    /// Degrees from true north, eastward; 0 to 359.
    let bearing: Int

    init(from here: GeoPoint, to there: GeoPoint) {
        metres = Int(here.metres(to: there).rounded())
        func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
        let (north, south) = (radians(there.latitude), radians(here.latitude))
        let east = radians(there.longitude - here.longitude)
        let angle = atan2(sin(east) * cos(north), cos(south) * sin(north) - sin(south) * cos(north) * cos(east))
        bearing = (Int((angle * 180 / .pi).rounded()) + 360) % 360
    }
}
