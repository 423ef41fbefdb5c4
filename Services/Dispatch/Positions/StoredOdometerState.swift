import Foundation
import Matching

/// State of an odometer besides its metres and current place; a JSON document in its row.
struct StoredOdometerState: Codable, Sendable {
    struct Spot: Codable, Sendable {
        var latitude: Double
        var longitude: Double
        var accuracy: Double
        /// Seconds since 1970.
        var at: Double

        init(_ mark: Odometer.Mark) {
            (latitude, longitude) = (mark.place.latitude, mark.place.longitude)
            (accuracy, at) = (mark.accuracy, mark.at.timeIntervalSince1970)
        }

        init(_ fix: Fix) { self.init(Odometer.Mark(fix)) }

        var fix: Fix {
            Fix(
                place: GeoPoint(latitude: latitude, longitude: longitude), at: Date(timeIntervalSince1970: at))
        }
        var mark: Odometer.Mark { Odometer.Mark(fix, accuracy: accuracy) }
    }

    var start: Spot?
    var earlier: [Spot]
    /// Accuracy of the row's place.
    var accuracy: Double
    var errorLeft: Double

    init(_ odometer: Odometer) {
        start = odometer.start.map { Spot($0) }
        earlier = odometer.earlier.map { Spot($0) }
        (accuracy, errorLeft) = (odometer.here.accuracy, odometer.errorLeft)
    }

    /// - Parameters:
    ///   - base: the row's place; an older version of the program updates only this and the metres.
    ///   - walk: nil if an older version wrote the row.
    static func odometer(metres: Double, base: Fix, _ walk: StoredOdometerState?) -> Odometer {
        Odometer(
            metres: metres, start: walk?.start?.fix, earlier: walk?.earlier.map(\.mark) ?? [],
            here: Odometer.Mark(base, accuracy: walk?.accuracy), errorLeft: walk?.errorLeft ?? Odometer.errorMetres)
    }
}
