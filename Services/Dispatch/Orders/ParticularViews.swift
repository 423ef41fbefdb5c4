import Contracts
import Foundation
import Matching
import Messaging

/// The bike of a hire or of a delivery.
struct BikeView: Encodable, Sendable {
    let rack: String
    let bike: String?
    /// Price per minute of a hire, in minor units.
    let perMinute: Int?
    /// For a delivered bike: its type, and the distance and time from the rack as in the quote.
    let type: String?
    let typeName: String?
    let metres: Int?
    let seconds: Int?

    /// - Parameter way: rough way for this reader; nil shows the exact one.
    init(_ bike: Order.Bike, in language: String, way: (metres: Int, seconds: Int)? = nil) {
        rack = bike.rack.text
        self.bike = bike.bike?.text
        perMinute = bike.tariff?.perMinute
        type = bike.type?.rawValue
        typeName = bike.type?.name.text(in: language)
        // A hire has no known destination, so it has no distance.
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

    /// The person for whom the visit is, if not the customer.
    let relative: Relative?
    /// The care partner whom the customer prefers; hidden from the partner who was sent.
    let preferred: String?
    let minutes: Int
    /// Whether an admin ordered it for a caller.
    let isByPhone: Bool
    /// For admins: whether it waits at the desk longer than it should; else nil.
    let isLate: Bool?

    init(_ care: Order.HomeCare, of order: Order, for role: OrderActor) {
        isLate = role == .admin && order.state == .requested ? care.warnedAt != nil : nil
        relative = care.relative.map { Relative(account: $0.account.text, name: $0.name) }
        preferred = role == .provider ? nil : care.preferred?.text
        minutes = care.minutes
        isByPhone = care.orderedBy != nil
    }
}

/// A ride with its quoted way.
struct RideView: Encodable, Sendable {
    let size: String
    let sizeName: String?
    /// Distance and time of the quote.
    let metres: Int
    let seconds: Int
    /// Code that the rider tells the driver; only the rider sees it.
    let startCode: String?
    /// Whether the driver needs the code to start.
    let needsStartCode: Bool
    /// Time at which the rider asked to end early; the price is open until the driver or the window confirms.
    let endAskedAt: Date?
    /// Metres driven, if the driver completed the ride away from its destination; the price is for them instead of the
    /// quote.
    let drivenMetres: Int?

    /// - Parameter way: rough way for this reader; nil shows the exact one.
    init(
        _ ride: Order.Ride, for role: OrderActor, in language: String, isOnlySeen: Bool = false,
        way: (metres: Int, seconds: Int)? = nil
    ) {
        size = ride.size.rawValue
        sizeName = Market.words(forSize: size)?.text(in: language)
        metres = way?.metres ?? ride.metres
        seconds = way?.seconds ?? ride.seconds
        startCode = role == .customer && !isOnlySeen ? ride.startCode : nil
        needsStartCode = ride.startCode != nil
        endAskedAt = ride.endAskedAt
        drivenMetres = ride.drivenMetres
    }
}

/// A meal as its reader sees it.
struct FoodView: Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let item: String
        let name: String
        let count: Int
        /// Price of one piece, in minor units; hidden from the courier.
        let price: Int?
    }

    let restaurant: String
    /// In the reader's language, where the restaurant has a name in it.
    let restaurantName: String
    let items: [Item]
    /// Distance and time from the restaurant to the customer, as in the quote.
    let metres: Int
    let seconds: Int
    let preparationMinutes: Int
    /// Time at which the meal is ready, as promised or as it was; nil until the restaurant has accepted.
    let readyAt: Date?
    let isReady: Bool
    /// Expected time of the delivery, until the meal is under way.
    let arrivesAt: Date?
    /// Code that the courier tells the restaurant; only the courier who holds the order sees it.
    let handOverCode: String?

    /// - Parameter way: rough way for this reader; nil shows the exact one.
    init(
        _ food: Order.Food, of order: Order, for role: OrderActor, in language: String,
        way: (metres: Int, seconds: Int)? = nil
    ) {
        restaurant = food.restaurant.text
        let name = order.merchant?.name ?? ""
        restaurantName = LocalName.names(name, food.restaurantArabicName)[language] ?? name
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
            // Keeps the restaurant's exact time and makes only the delivery part as rough as the way.
            let shift = TimeInterval(way.seconds - food.seconds)
            arrivesAt = role == .merchant ? order.arrivesAt?.addingTimeInterval(shift) : nil
        } else {
            arrivesAt = order.arrivesAt
        }
        let fetches = role == .provider && [.accepted, .arrived].contains(order.state)
        handOverCode = fetches ? food.handOverCode : nil
    }
}
