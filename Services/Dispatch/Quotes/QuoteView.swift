import Contracts
import Foundation
import Hummingbird
import Matching
import Messaging
import SeraiJSON
import ServiceKit

struct QuoteView: ResponseEncodable, Encodable, Sendable {
    struct Place: Encodable, Sendable {
        let latitude: Double
        let longitude: Double
        let description: String?

        init(_ place: Order.Place) {
            latitude = place.latitude
            longitude = place.longitude
            description = place.description
        }
    }

    /// The parts of the price in minor units; their sum is the price.
    struct Fare: Encodable, Sendable {
        let base: Int
        let distance: Int
        let time: Int
        let toMinimum: Int
        let surge: Int
    }

    /// The surge and its reasons; 100 percent is the plain price.
    struct Surge: Encodable, Sendable {
        let percent: Int
        let waitingOrders: Int
        let freeProviders: Int
        let radiusMetres: Int
        /// Whether the market's cap has limited the surge.
        let capped: Bool
    }

    let quote: String
    let market: String
    let kind: String
    let kindName: String?
    let size: String
    let sizeName: String?
    let from: Place
    let to: Place
    let metres: Int
    let seconds: Int
    let waitSeconds: Int?
    let price: Money
    let fare: Fare
    let surge: Surge
    /// As the customer typed it.
    let promo: String?
    /// The effect of the promo code; nil without a code.
    let promotion: QuotePromoView?
    /// The discount, and the rest of the price, never below zero.
    let discount: Money
    let toPay: Money
    let madeAt: Date
    let expiresAt: Date
    let order: String?
    /// The restaurant, and the estimated time of arrival if the order is made at once.
    let restaurant: String?
    let arrivesAt: Date?
    /// The delivered bike and its rack, and the time of use that the price includes, counted from the pick-up.
    let rack: String?
    let bike: String?
    let bikeName: String?
    let useSeconds: Int?
    /// Whether the reader must store a card before ordering.
    let needsPaymentMethod: Bool

    init(
        _ quote: Quote, of known: Market?, needsPaymentMethod: Bool, zone: String, words: QuoteWords,
        in language: Language
    ) {
        let terms = quote.terms
        self.quote = quote.id.text
        market = quote.market
        kind = quote.kind
        kindName = known?.name(ofKind: quote.kind, in: language.rawValue)
        size = quote.tariff
        sizeName = Market.words(forSize: quote.tariff)?.text(in: language.rawValue)
        from = Place(quote.from)
        to = Place(quote.to)
        metres = terms.metres
        seconds = terms.seconds
        waitSeconds = terms.waitSeconds
        price = Money(amount: quote.total, currency: quote.currency)
        fare = Fare(
            base: terms.fare.base, distance: terms.fare.distance, time: terms.fare.time,
            toMinimum: terms.fare.toMinimum, surge: terms.fare.surge)
        surge = Surge(
            percent: terms.surge.percent, waitingOrders: terms.surge.waiting, freeProviders: terms.surge.free,
            radiusMetres: terms.surge.radiusMetres, capped: terms.surge.isCapped)
        promo = quote.promo
        promotion = terms.promo.map { words.view($0, of: quote, zone: zone, in: language) }
        let less = terms.promo?.discount ?? 0
        discount = Money(amount: less, currency: quote.currency)
        toPay = Money(amount: quote.total - less, currency: quote.currency)
        madeAt = quote.madeAt
        expiresAt = quote.expiresAt
        order = quote.order?.text
        restaurant = terms.restaurant?.text
        arrivesAt = quote.arrivesAt
        rack = terms.rack?.text
        bike = terms.bike?.rawValue
        bikeName = terms.bike?.name.text(in: language.rawValue)
        useSeconds = terms.useSeconds
        self.needsPaymentMethod = needsPaymentMethod
    }
}

extension QuoteRefusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .notFound: .notFound
        case .expired: Problem("quote-expired", status: .conflict)
        case .used(let order):
            Problem("quote-used", status: .conflict, extensions: ["order": .string(order.text)])
        case .notQuoted(let classes):
            .invalidFields([
                FieldProblem("size", "not-a-choice", ["choices": classes.joined(separator: ", ")])
            ])
        case .outsideArea(let fields):
            .invalidFields(fields.map { FieldProblem(JSONPointer([$0]), "outside-service-area") })
        case .noWay: Problem("no-way", status: .conflict)
        }
    }
}
