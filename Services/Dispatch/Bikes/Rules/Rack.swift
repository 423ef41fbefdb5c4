import Foundation

/// A place where bikes are picked up and returned (C6).
struct Rack: Sendable, Equatable {
    /// The data that admins set.
    struct Card: Sendable, Equatable {
        var name: String
        var arabicName: String?
        var latitude: Double
        var longitude: Double
        /// Whether bikes can be reserved here.
        var isActive: Bool
    }

    /// Per rack.
    static let maximumBikes = 200
    static let maximumRacks = 2_000
    /// Per customer: open orders of both kinds, and completed orders whose bike is not back.
    static let maximumHires = 4

    let id: UUID
    let market: String
    var card: Card
    /// Free bikes by type.
    var stock: [String: Int]
}

enum BikeType: String, Sendable, Codable, CaseIterable {
    case city, electric, cargo
}

/// How a bike is. Only good ones are given out.
enum BikeCondition: String, Sendable, CaseIterable {
    case good, broken, lost
}

/// The reasons to refuse a request of a rider, a driver, a rack or an admin.
enum RackRefusal: Error, Equatable {
    case notFound
    /// No free bike of the type, or the rack is not active.
    case noBike
    /// More bikes than a rack may have, or more racks than a market may have.
    case tooMany
    /// The key is not this rack's.
    case wrongKey
    /// The code is not this rack's, or it was used or has expired.
    case wrongCode
    /// The bike is not out, or it does not belong to the market.
    case notOut
    /// The rider has reached ``Rack/maximumHires``.
    case tooManyHires
    /// The market has no tariff for hires.
    case hiresNotOffered
    /// The bike is reserved for an order that has not begun; the order is cancelled first.
    case bikeReserved
    /// The bike is not broken, or it is lost and has to turn up first.
    case notBroken
    /// The time of a return is before the hire began, or in the future.
    case wrongTime(began: Date)
}
