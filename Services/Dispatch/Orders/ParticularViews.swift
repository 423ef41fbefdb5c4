import Foundation
import Matching
import Messaging

/// What is carried.
struct ParcelView: Encodable, Sendable {
    let name: String
    let description: String?
    let grams: Int
    let isFragile: Bool
    let photo: String?
    /// From the origin to the destination, as the crow flies.
    let metres: Int

    /// - Parameter metres: nil where the exact way is shown.
    init(_ parcel: Order.Parcel, metres: Int? = nil) {
        name = parcel.name
        description = parcel.description
        grams = parcel.grams
        isFragile = parcel.isFragile
        photo = parcel.photo?.text
        self.metres = metres ?? parcel.metres
    }
}

/// A bike of a rack.
struct BikeView: Encodable, Sendable {
    let rack: String
    let bike: String?
    /// What the hire costs by its time, in minor units.
    let perMinute: Int?
    /// Of one that is brought: which, and the way from the rack, as it was quoted.
    let type: String?
    let metres: Int?
    let seconds: Int?

    /// - Parameter way: nil where the exact one is shown.
    init(_ bike: Order.Bike, way: (metres: Int, seconds: Int)? = nil) {
        rack = bike.rack.text
        self.bike = bike.bike?.text
        perMinute = bike.tariff?.perMinute
        type = bike.type?.rawValue
        // A hire goes nowhere that is known.
        metres = bike.metres.map { way?.metres ?? $0 }
        seconds = bike.seconds.map { way?.seconds ?? $0 }
    }
}

/// A visit of a care partner.
struct CareView: Encodable, Sendable {
    struct Relative: Encodable, Sendable {
        let account: String
        let name: String
    }

    /// For whom, when that is not the customer.
    let relative: Relative?
    /// Whom the customer would like; not for the partner who was sent.
    let preferred: String?
    let minutes: Int
    /// Whether an admin ordered it for a caller.
    let isByPhone: Bool

    init(_ care: Order.HomeCare, for role: OrderActor) {
        relative = care.relative.map { Relative(account: $0.account.text, name: $0.name) }
        preferred = role == .provider ? nil : care.preferred?.text
        minutes = care.minutes
        isByPhone = care.orderedBy != nil
    }
}

/// A ride, by its quote.
struct RideView: Encodable, Sendable {
    let size: String
    /// Of the way, as it was quoted.
    let metres: Int
    let seconds: Int
    /// What the rider tells the driver; the rider's alone to see.
    let startCode: String?
    /// Whether the driver needs it to begin.
    let needsStartCode: Bool
    /// When its rider said that it ends early: its price is not known before the driver has said so.
    let endAskedAt: Date?
    /// How far it went whose driver said "done" away from its destination: it costs that, and not the quote.
    let drivenMetres: Int?

    /// - Parameter way: nil where the exact one is shown.
    init(
        _ ride: Order.Ride, for role: OrderActor, isOnlySeen: Bool = false, way: (metres: Int, seconds: Int)? = nil
    ) {
        size = ride.size.rawValue
        metres = way?.metres ?? ride.metres
        seconds = way?.seconds ?? ride.seconds
        startCode = role == .customer && !isOnlySeen ? ride.startCode : nil
        needsStartCode = ride.startCode != nil
        endAskedAt = ride.endAskedAt
        drivenMetres = ride.drivenMetres
    }
}

/// A meal, as each of its parties is shown it.
struct FoodView: Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let item: String
        let name: String
        let count: Int
        /// Of one, in minor units; not for who brings it.
        let price: Int?
    }

    let restaurant: String
    let restaurantName: String
    let items: [Item]
    /// From the restaurant to the customer, as it was quoted.
    let metres: Int
    let seconds: Int
    let preparationMinutes: Int
    /// When it can be fetched, as promised or as it was; nil until the restaurant has accepted.
    let readyAt: Date?
    let isReady: Bool
    /// When it is likely at the customer's, until it is under way.
    let arrivesAt: Date?
    /// What the courier tells the restaurant; the courier's alone to see, once he or she has the order.
    let handOverCode: String?

    /// - Parameter way: nil where the exact one is shown.
    init(_ food: Order.Food, of order: Order, for role: OrderActor, way: (metres: Int, seconds: Int)? = nil) {
        restaurant = food.restaurant.text
        restaurantName = order.merchant?.name ?? ""
        items = food.items.map { item in
            Item(
                item: item.item.text, name: item.name, count: item.count,
                price: role == .provider ? nil : item.price)
        }
        metres = way?.metres ?? food.metres
        seconds = way?.seconds ?? food.seconds
        preparationMinutes = food.preparationMinutes
        readyAt = food.readyAt
        isReady = food.isReady
        if let way {
            // The restaurant promises when it is ready; the rest is as rough as the way.
            let shift = TimeInterval(way.seconds - food.seconds)
            arrivesAt = role == .merchant ? order.arrivesAt?.addingTimeInterval(shift) : nil
        } else {
            arrivesAt = order.arrivesAt
        }
        let fetches = role == .provider && [.accepted, .arrived].contains(order.state)
        handOverCode = fetches ? food.handOverCode : nil
    }
}
