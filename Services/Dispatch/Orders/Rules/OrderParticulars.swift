import Foundation
import Matching

extension Order {
    /// What only one kind of order has. Kept as a document with the order, under the kind's name.
    enum Particulars: Sendable, Hashable {
        case parcel(Parcel)
        case homeCare(HomeCare)
        case ride(Ride)
        case food(Food)
        case bike(Bike)
    }

    /// A promo code with which it was quoted: its customer pays so much less than the total, or it ends unpaid.
    struct Promo: Sendable, Hashable, Codable {
        /// As the wallet keeps it.
        var code: String
        /// Minor units, above zero.
        var discount: Int
    }

    struct Parcel: Sendable, Hashable, Codable {
        var name: String
        var description: String?
        var grams: Int
        var isFragile: Bool
        /// Which the owner took of it.
        var photo: UUID?
        /// From the origin to the destination.
        var metres: Int
    }

    struct HomeCare: Sendable, Hashable, Codable {
        /// For whom, when that is not the customer: a linked relative.
        var relative: Relative?
        /// The care partner whom the customer would like.
        var preferred: UUID?
        /// How long it takes.
        var minutes: Int
        /// The admin who ordered for a caller.
        var orderedBy: UUID?
        /// Of whose visits it is one; nil is a single one.
        var series: UUID?
        /// The only currency in which the customer agreed to have it charged; nil of older ones, of which it is their own.
        var consentCurrency: String?
        /// How the customer agreed to have it paid; nil of older ones, and of single ones.
        var consent: Consent?

        struct Consent: Sendable, Hashable, Codable {
            /// `card`, `wallet`.
            var method: String
            var card: UUID?
            var agreedAt: Date
            /// Minor units: what the customer agreed to at most.
            var upTo: Int?
        }

        struct Relative: Sendable, Hashable, Codable {
            var account: UUID
            var name: String
        }

        /// Whether the customer agreed beforehand to have it charged: as one of several, in the currency of then.
        func isPaidByConsent(in currency: String) -> Bool {
            series != nil && (consentCurrency ?? currency) == currency
        }
    }

    struct Ride: Sendable, Hashable, Codable {
        enum Size: String, Sendable, Codable, CaseIterable { case regular, xl }

        var size: Size
        /// Which it costs what it said.
        var quote: UUID?
        var metres: Int
        var seconds: Int
        /// What the rider tells the driver before they set out; nil where it is not asked for.
        var startCode: String?
        /// What it would cost by way and time, as it was when it was ordered; nil of older ones.
        var tariff: Tariff?
        /// See `Surge.percent`.
        var surgePercent: Int?
        var promo: Promo?
        /// When its rider said that it ends early; nil while he or she has not.
        var endAskedAt: Date?
        /// How far it went whose driver said "done" away from its destination: it costs that.
        var drivenMetres: Int?

        /// Whether anybody says that it does not end at its destination.
        var isEndedElsewhere: Bool { endAskedAt != nil || drivenMetres != nil }

        /// What so much of the way costs, should it end there; never more than was quoted. Minor units.
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
            /// Of one, in minor units.
            var price: Int
            var count: Int
        }

        var restaurant: UUID
        /// Each once.
        var items: [Item]
        var quote: UUID?
        /// From the restaurant to the customer, as it was quoted.
        var metres = 0
        var seconds = 0
        /// What a courier likely needs to the restaurant, the answer included.
        var approachSeconds = 0
        /// From the acceptance until it is ready: what the restaurant says of itself, and then of this order.
        var preparationMinutes = 0
        /// When it can be fetched, as was promised or as it was; nil until the restaurant has accepted.
        var readyAt: Date?
        var isReady = false
        /// What the courier tells the restaurant; another one for each search, so that nobody else knows it.
        var handOverCode: String?
        /// When the courier came near the customer, who is waited for at the door from then on.
        var nearAt: Date?
        var promo: Promo?
    }

    struct Bike: Sendable, Hashable, Codable {
        var rack: UUID
        var bike: UUID?
        var quote: UUID?
        /// What a hire costs by its time; as it was when the bike was reserved.
        var tariff: Tariff?
        /// Of a bike that is brought: which, and the way from the rack, as it was quoted.
        var type: BikeType?
        var metres: Int?
        var seconds: Int?
        /// When its driver came near the customer, who is waited for at the door from then on.
        var nearAt: Date?
        var promo: Promo?

        /// What a hire of so many seconds costs; minor units.
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
    /// Of whose visits it is one.
    var series: UUID? { if case .homeCare(let care) = self { care.series } else { nil } }

    /// Which the order costs what it said.
    var quote: UUID? {
        switch self {
        case .ride(let ride): ride.quote
        case .food(let food): food.quote
        case .bike(let bike): bike.quote
        case .parcel, .homeCare: nil
        }
    }

    /// Which the quote had.
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
    /// The rider would like to get out.
    mutating func askToEnd(at now: Date) {
        guard case .ride(var ride)? = particulars else { return }
        ride.endAskedAt = now
        particulars = .ride(ride)
    }

    /// It ended away from its destination.
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
