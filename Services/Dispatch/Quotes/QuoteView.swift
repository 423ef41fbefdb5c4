import Contracts
import Foundation
import Hummingbird
import Matching
import Messaging
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

    /// The parts of the price, in minor units. They add up to it.
    struct Fare: Encodable, Sendable {
        let base: Int
        let distance: Int
        let time: Int
        let toMinimum: Int
        let surge: Int
    }

    /// Why it costs more at this moment: 100 is the plain price.
    struct Surge: Encodable, Sendable {
        let percent: Int
        let waitingOrders: Int
        let freeProviders: Int
        let radiusMetres: Int
        /// Whether the market's highest surge has held it down.
        let capped: Bool
    }

    let quote: String
    let market: String
    let kind: String
    let size: String
    let from: Place
    let to: Place
    let metres: Int
    let seconds: Int
    let waitSeconds: Int?
    let price: Money
    let fare: Fare
    let surge: Surge
    /// As it was typed.
    let promo: String?
    /// What that code does; nil without one.
    let promotion: QuotePromoView?
    /// What of the price the customer does not pay, and what is left, never below zero.
    let discount: Money
    let toPay: Money
    let madeAt: Date
    let expiresAt: Date
    let order: String?
    /// From which it is brought, and when it is likely there if it is ordered at once.
    let restaurant: String?
    let arrivesAt: Date?
    /// Which bike is brought from where, and for how long its use is in the price, from the pick-up on.
    let rack: String?
    let bike: String?
    let useSeconds: Int?
    /// Whether nothing can be ordered before its reader has stored a card.
    let needsPaymentMethod: Bool

    init(_ quote: Quote, needsPaymentMethod: Bool, zone: String, words: QuoteWords, in language: Language) {
        let terms = quote.terms
        self.quote = quote.id.text
        market = quote.market
        kind = quote.kind
        size = quote.tariff
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
