import Foundation

/// Trigonometry in degrees.
enum Angle {
    static func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
    static func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
    static func tangent(_ degrees: Double) -> Double { tan(degrees * .pi / 180) }
    static func arcSine(_ value: Double) -> Double { asin(value) * 180 / .pi }
    static func arcCosine(_ value: Double) -> Double { acos(value) * 180 / .pi }
    static func arcTangent(_ value: Double) -> Double { atan(value) * 180 / .pi }
    static func arcTangent(_ y: Double, _ x: Double) -> Double { atan2(y, x) * 180 / .pi }

    /// The same angle from 0 to below 360.
    static func positive(_ degrees: Double) -> Double { degrees - 360 * (degrees / 360).rounded(.down) }

    /// The same angle from -180 to 180.
    static func nearest(_ degrees: Double) -> Double { degrees - 360 * (degrees / 360).rounded() }
}
