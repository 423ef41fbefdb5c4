import Contracts
import Foundation

/// How long things take in the simulation.
enum Timing {
    /// From the provider's place to the customer's.
    static let travelSteps = 3
    static let travelStep: Duration = .milliseconds(400)
    /// At the customer's; both parties take it for the same time, so that they confirm together.
    static let work: Duration = .milliseconds(400)
    /// Between two positions of a provider who waits.
    static let idlePosition: Duration = .seconds(10)

    /// Positions of a phone that moves faster than 300 km/h are not believed.
    private static let stepMetres = 20.0

    /// The next place on the way, or its end.
    static func step(from start: Coordinate, to end: Coordinate) -> Coordinate {
        let metresPerDegree = 111_195.0
        let north = (end.latitude - start.latitude) * metresPerDegree
        let east = (end.longitude - start.longitude) * metresPerDegree * cos(start.latitude * .pi / 180)
        let part = min(1, stepMetres / max((north * north + east * east).squareRoot(), 1e-9))
        return Coordinate(
            latitude: start.latitude + (end.latitude - start.latitude) * part,
            longitude: start.longitude + (end.longitude - start.longitude) * part)
    }
}
