import Foundation

/// Where bikes are taken and brought back (C6).
struct Rack: Sendable, Equatable {
    /// What an admin says of it.
    struct Card: Sendable, Equatable {
        var name: String
        var arabicName: String?
        var latitude: Double
        var longitude: Double
        /// Whether bikes are given out there.
        var isActive: Bool
    }

    /// Bikes of one rack.
    static let maximumBikes = 200
    static let maximumRacks = 2_000
    /// Running hires of a rider, with the bikes that are brought, or were and are not back.
    static let maximumHires = 4

    let id: UUID
    let market: String
    var card: Card
    /// Free bikes by type.
    var stock: [String: Int]
}

/// What bikes there are.
enum BikeType: String, Sendable, Codable, CaseIterable {
    case city, electric, cargo
}

/// Why nothing has changed.
enum RackRefusal: Error, Equatable {
    case notFound
    /// No free bike of the type, or the rack gives none out.
    case noBike
    /// More bikes are reserved or out than are left.
    case tooMany
    /// The rack is not who it says it is.
    case wrongKey
    /// No code of this rack, or one that was used or has run out.
    case wrongCode
    /// The bike is not out, or none of the market's.
    case notOut
    /// The rider has as many hires as there may be.
    case tooManyHires
    /// The market hires out no bikes.
    case notHired
}
