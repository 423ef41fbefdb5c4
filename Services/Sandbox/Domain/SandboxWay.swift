import Foundation

/// A way as a routing engine would tell it, without streets: first north or south, then east or west.
enum SandboxWay {
    struct Point: Equatable {
        let latitude: Double
        let longitude: Double
    }

    struct Told: Encodable {
        let code = "Ok"
        let routes: [Route]
    }

    struct Route: Encodable {
        let distance: Double
        let duration: Double
        let geometry: Line
        let legs: [Leg]
    }

    struct Line: Encodable {
        let type = "LineString"
        let coordinates: [[Double]]
    }

    struct Leg: Encodable {
        let summary = ""
        let distance: Double
        let duration: Double
        let steps: [Step]
    }

    struct Step: Encodable {
        let distance: Double
        let duration: Double
        let name: String
        let mode: String
        let maneuver: Maneuver
    }

    struct Maneuver: Encodable {
        let type: String
        let modifier: String?
        let location: [Double]
    }

    private static let metresPerDegree = 111_195.0

    static func told(from start: Point, to end: Point, isWalking: Bool) -> Told {
        let speed = isWalking ? 1.4 : 11
        let mode = isWalking ? "walking" : "driving"
        let corner = Point(latitude: end.latitude, longitude: start.longitude)
        let along = abs(end.latitude - start.latitude) * metresPerDegree
        let across =
            abs(end.longitude - start.longitude) * metresPerDegree * cos(end.latitude * .pi / 180)
        let goesNorth = end.latitude >= start.latitude
        let goesEast = end.longitude >= start.longitude
        func step(_ metres: Double, _ name: String, _ type: String, _ modifier: String?, _ at: Point) -> Step {
            Step(
                distance: metres, duration: metres / speed, name: name, mode: mode,
                maneuver: Maneuver(type: type, modifier: modifier, location: pair(at)))
        }
        let steps = [
            step(along, "Sandbox Street", "depart", nil, start),
            step(across, "Sandbox Lane", "turn", goesNorth == goesEast ? "right" : "left", corner),
            step(0, "Sandbox Lane", "arrive", nil, end),
        ]
        let (metres, seconds) = (along + across, (along + across) / speed)
        return Told(routes: [
            Route(
                distance: metres, duration: seconds, geometry: Line(coordinates: [start, corner, end].map(pair)),
                legs: [Leg(distance: metres, duration: seconds, steps: steps)])
        ])
    }

    /// Two places such as `39.826200,21.422500;39.872800,21.420600`; nil for anything else.
    static func places(in text: String) -> (from: Point, to: Point)? {
        let places = text.split(separator: ";").map { place -> Point? in
            let numbers = place.split(separator: ",").compactMap { Double($0) }
            guard numbers.count == 2, (-180...180).contains(numbers[0]), (-90...90).contains(numbers[1]) else {
                return nil
            }
            return Point(latitude: numbers[1], longitude: numbers[0])
        }
        guard places.count == 2, let from = places[0], let to = places[1] else { return nil }
        return (from, to)
    }

    private static func pair(_ place: Point) -> [Double] { [place.longitude, place.latitude] }
}
