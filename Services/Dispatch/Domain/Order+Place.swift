import Foundation

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

extension Order.Place {
    /// The crossing of a net of 200 m that is nearest, 150 m away at most. All places around it have the same one, so asking
    /// again tells nothing more.
    var roughly: Order.Place {
        func rounded(_ degrees: Double) -> Double { (degrees * 500).rounded() / 500 }
        return Order.Place(latitude: rounded(latitude), longitude: rounded(longitude), description: nil)
    }
}
