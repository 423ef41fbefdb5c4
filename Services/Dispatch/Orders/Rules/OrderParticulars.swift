import Foundation
import Matching

extension Order {
    /// Data of one kind of order, stored as a JSON document under the kind's name.
    enum Particulars: Sendable, Hashable {
        case parcel(Parcel)
        case homeCare(HomeCare)
        case ride(Ride)
        case food(Food)
        case bike(Bike)
    }

    /// Promo code of the order's quote. The customer pays the total less the discount; if the code no longer gives that
    /// much, the order ends unpaid.
    struct Promo: Sendable, Hashable, Codable {
        /// The code in the wallet's spelling.
        var code: String
        /// Minor units; above zero.
        var discount: Int
    }

    struct Parcel: Sendable, Hashable, Codable {
        var name: String
        var description: String?
        var grams: Int
        var isFragile: Bool
        /// Photo that the owner took of the parcel.
        var photo: UUID?
        /// Distance from the origin to the destination.
        var metres: Int
        /// The rating that the owner asks of a carrier; nil for none.
        var minimumRating: MinimumRating?
        /// How the pay falls when the parcel is late; nil where it does not.
        var late: LateTerms?
        /// Nil until the parcel is delivered, and where its time does not count.
        var delivery: Delivery?
        /// Nil for a single parcel.
        var recurring: Recurring?
        /// Whether the carrier lets the owner follow the way; nil for no.
        var isFollowed: Bool?
    }

    struct HomeCare: Sendable, Hashable, Codable {
        /// The linked relative for whom the visit is; nil if it is for the customer.
        var relative: Relative?
        /// The care partner whom the customer prefers.
        var preferred: UUID?
        /// Duration of the visit.
        var minutes: Int
        /// The admin who ordered for a caller.
        var orderedBy: UUID?
        /// The series that the visit belongs to; nil for a single visit.
        var series: UUID?
        /// The only currency in which the customer agreed to be charged; nil for older orders, where the order's own
        /// currency counts.
        var consentCurrency: String?
        /// The customer's agreement to the payment, for a visit of a series or given to an admin on the phone; nil for
        /// older orders and for visits that their customers pay.
        var consent: Consent?

        struct Consent: Sendable, Hashable, Codable {
            /// `card` or `wallet`.
            var method: String
            var card: UUID?
            var agreedAt: Date
            /// Minor units: the highest price that the customer agreed to.
            var upTo: Int?
            /// Whether an admin named the way for a caller; nil in older orders.
            var isByDesk: Bool?
        }

        /// When its customer was told that nobody is assigned yet.
        var warnedAt: Date?

        struct Relative: Sendable, Hashable, Codable {
            var account: UUID
            var name: String
            /// Whether a link lets the relative see the customer's orders: as it was when the visit was ordered, and
            /// in an order that is read, as it is now.
            var sees: Bool?
        }

        /// Whether the customer agreed in advance to the charge, in the currency of the agreement: for a visit of a
        /// series, or on the phone.
        func isPaidByConsent(in currency: String) -> Bool {
            (series != nil || orderedBy != nil && consent != nil) && (consentCurrency ?? currency) == currency
        }
    }

    struct Ride: Sendable, Hashable, Codable {
        enum Size: String, Sendable, Codable, CaseIterable { case regular, xl }

        var size: Size
        /// The quote that set the price.
        var quote: UUID?
        var metres: Int
        var seconds: Int
        /// Code that the rider tells the driver at the start; nil where the market asks for none.
        var startCode: String?
        /// Tariff at the time of the order, used to price a shorter ride; nil for older orders.
        var tariff: Tariff?
        /// See `Surge.percent`.
        var surgePercent: Int?
        var promo: Promo?
        /// Time at which the rider asked to end the ride early; nil if not asked.
        var endAskedAt: Date?
        /// Metres driven, if the driver completed the ride away from its destination; the ride then costs that
        /// distance.
        var drivenMetres: Int?
        /// Price of the way to the rounded destination, shown to providers before the acceptance; nil in older orders.
        var roughPrice: Int?

        /// Whether the rider or the driver says that the ride does not end at its destination.
        var isEndedElsewhere: Bool { endAskedAt != nil || drivenMetres != nil }

        /// Price of the ride if it ends after this distance and time, in minor units; never more than the quote.
        func cost(metres: Int, seconds: Int, quoted: Int) -> Int {
            guard let tariff else { return quoted }
            return tariff.fare(metres: metres, seconds: seconds, surgePercent: surgePercent ?? 100).capped(
                byQuote: quoted)
        }
    }

    struct Food: Sendable, Hashable, Codable {
        struct Item: Sendable, Hashable, Codable {
            var item: UUID
            var name: String
            /// Price of one piece, in minor units.
            var price: Int
            var count: Int
        }

        var restaurant: UUID
        /// The restaurant's Arabic name, as it was when the meal was ordered; nil without one.
        var restaurantArabicName: String?
        /// Each item once, with its count.
        var items: [Item]
        var quote: UUID?
        /// Distance from the restaurant to the customer, as in the quote.
        var metres = 0
        var seconds = 0
        /// Expected seconds until a courier reaches the restaurant, the time for the answer included.
        var approachSeconds = 0
        /// Minutes from the acceptance until the meal is ready: the restaurant's usual value, then the value for this
        /// order.
        var preparationMinutes = 0
        /// Time at which the meal is ready, as promised or as it was; nil until the restaurant has accepted.
        var readyAt: Date?
        var isReady = false
        /// Code that the courier tells the restaurant; a new one for each search, so that an earlier courier cannot use
        /// it.
        var handOverCode: String?
        /// Time at which the courier came near; the no-show wait of the customer starts then.
        var nearAt: Date?
        var promo: Promo?
        /// Fee for the way to the rounded destination, shown to couriers before the acceptance; nil in older orders.
        var roughPrice: Int?
    }

    struct Bike: Sendable, Hashable, Codable {
        var rack: UUID
        var bike: UUID?
        var quote: UUID?
        /// Time tariff of a hire, as it was when the bike was reserved.
        var tariff: Tariff?
        /// For a delivered bike: its type, and the distance and time from the rack as in the quote.
        var type: BikeType?
        var metres: Int?
        var seconds: Int?
        /// Time at which the driver came near; the no-show wait of the customer starts then.
        var nearAt: Date?
        var promo: Promo?
        /// Price of the way to the rounded destination, shown to providers before the acceptance; nil in older orders.
        var roughPrice: Int?
        /// For a delivered bike: the part of the price for its use, in minor units, which is the platform's; nil where
        /// the whole price is the driver's.
        var use: Int?

        /// Price of a hire of this duration, in minor units; nil without a tariff.
        func cost(seconds: Int) -> Int? { tariff?.fare(metres: 0, seconds: seconds).total }
    }
}

extension Order.Particulars: Codable {
    private enum Key: String, CodingKey { case parcel, homeCare, ride, food, bike }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self =
            switch container.allKeys.first {
            case .parcel: .parcel(try container.decode(Order.Parcel.self, forKey: .parcel))
            case .homeCare: .homeCare(try container.decode(Order.HomeCare.self, forKey: .homeCare))
            case .ride: .ride(try container.decode(Order.Ride.self, forKey: .ride))
            case .food: .food(try container.decode(Order.Food.self, forKey: .food))
            case .bike: .bike(try container.decode(Order.Bike.self, forKey: .bike))
            case nil:
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no known kind"))
            }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .parcel(let parcel): try container.encode(parcel, forKey: .parcel)
        case .homeCare(let care): try container.encode(care, forKey: .homeCare)
        case .ride(let ride): try container.encode(ride, forKey: .ride)
        case .food(let food): try container.encode(food, forKey: .food)
        case .bike(let bike): try container.encode(bike, forKey: .bike)
        }
    }
}

extension Order.Particulars {
    /// The series that the visit or the parcel belongs to.
    var series: UUID? {
        switch self {
        case .homeCare(let care): care.series
        case .parcel(let parcel): parcel.recurring?.series
        case .ride, .food, .bike: nil
        }
    }

    /// The quote that set the price.
    var quote: UUID? {
        switch self {
        case .ride(let ride): ride.quote
        case .food(let food): food.quote
        case .bike(let bike): bike.quote
        case .parcel, .homeCare: nil
        }
    }

    /// The price that a provider sees before the acceptance, of a way to the rounded destination; nil where the way is
    /// not hidden.
    var roughPrice: Int? {
        switch self {
        case .ride(let ride): ride.roughPrice
        case .food(let food): food.roughPrice
        case .bike(let bike): bike.roughPrice
        case .parcel, .homeCare: nil
        }
    }

    /// The promo code of the quote.
    var promo: Order.Promo? {
        switch self {
        case .ride(let ride): ride.promo
        case .food(let food): food.promo
        case .bike(let bike): bike.promo
        case .parcel, .homeCare: nil
        }
    }
}

extension Order {
    /// Records that the rider asks to end the ride early.
    mutating func askToEnd(at now: Date) {
        guard case .ride(var ride)? = particulars else { return }
        ride.endAskedAt = now
        particulars = .ride(ride)
    }

    /// Records that the ride ended away from its destination.
    mutating func recordDriven(_ metres: Int) {
        guard case .ride(var ride)? = particulars else { return }
        ride.drivenMetres = metres
        particulars = .ride(ride)
    }

    var parcel: Parcel? { if case .parcel(let parcel)? = particulars { parcel } else { nil } }
    var homeCare: HomeCare? { if case .homeCare(let care)? = particulars { care } else { nil } }
    var ride: Ride? { if case .ride(let ride)? = particulars { ride } else { nil } }
    var food: Food? { if case .food(let food)? = particulars { food } else { nil } }
    var bike: Bike? { if case .bike(let bike)? = particulars { bike } else { nil } }
}
