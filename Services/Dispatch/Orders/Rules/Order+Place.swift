import Foundation
import Matching

/// Whose door it is.
extension Order {
    /// Where it begins, as its provider is shown it. Who comes to somebody's home is told whose door it is by his or her own
    /// yes; before, and of what came to nothing, roughly, and without flats, floors and gate codes. Where somebody or
    /// something is fetched the sources show the place with the request.
    var placeForProvider: Place { destination != nil || isTaken ? place : place.roughly }

    /// Whether its provider has said yes, and it is not known that it came to nothing. With a deposit it is a yes once
    /// that is locked: else who has nothing to leave would be shown every door by taking orders and losing them.
    var isTaken: Bool {
        switch state {
        case .accepted: deposit?.state != .awaited
        case .preparing, .enRoute, .arrived, .inProgress, .completed, .disputed: true
        case .pending, .requested, .offered, .cancelled, .refused, .expired: false
        }
    }
}

/// How far it goes, as who only might do it is told: from the destination that he or she is shown. The exact way beside a rounded
/// destination would give the door away, and two orders to one door all the more.
extension Order {
    /// From its origin as the crow flies; nil of what goes nowhere.
    var roughWayMetres: Int? {
        guard let goal = destination?.toKilometre else { return nil }
        let from = GeoPoint(latitude: place.latitude, longitude: place.longitude)
        return Int(from.metres(to: GeoPoint(latitude: goal.latitude, longitude: goal.longitude)).rounded())
    }

    /// Along the streets, as they usually go, and how long that takes at 600 metres a minute.
    var roughWay: (metres: Int, seconds: Int) {
        let metres = Int(Double(roughWayMetres ?? 0) * 1.3)
        return (metres, metres / 10)
    }
}

extension Order.Place {
    /// To about a kilometre, as it is told to who only might go there. The same for all places around.
    var toKilometre: Order.Place {
        func rounded(_ degrees: Double) -> Double { (degrees * 100).rounded() / 100 }
        return Order.Place(latitude: rounded(latitude), longitude: rounded(longitude), description: nil)
    }

    /// The crossing of a net of 200 m that is nearest, 150 m away at most. All places around it have the same one, so asking
    /// again tells nothing more.
    var roughly: Order.Place {
        func rounded(_ degrees: Double) -> Double { (degrees * 500).rounded() / 500 }
        return Order.Place(latitude: rounded(latitude), longitude: rounded(longitude), description: nil)
    }
}
