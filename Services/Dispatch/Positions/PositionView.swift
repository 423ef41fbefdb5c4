import Foundation
import Matching

struct PositionView: Encodable, Sendable {
    let latitude: Double
    let longitude: Double
    let at: Date

    init(_ fix: Fix) {
        latitude = fix.place.latitude
        longitude = fix.place.longitude
        at = fix.at
    }
}

struct PlaceView: Encodable, Sendable {
    let latitude: Double
    let longitude: Double

    init(_ place: GeoPoint) {
        latitude = place.latitude
        longitude = place.longitude
    }
}
