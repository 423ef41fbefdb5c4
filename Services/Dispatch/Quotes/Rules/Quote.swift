import Foundation
import Matching

/// The price of an order before it is made (C7). It binds until it expires, belongs to one customer and is used once.
struct Quote: Sendable, Equatable {
    /// The parts of the price.
    struct Terms: Sendable, Hashable, Codable {
        /// The way's length and travel time.
        var metres: Int
        var seconds: Int
        /// The time until the nearest free provider arrives; nil if no provider is free.
        var waitSeconds: Int?
        var fare: Fare
        var surge: SurgeTerms
        /// The restaurant and its preparation time.
        var restaurant: UUID?
        var preparationSeconds: Int?
        /// For a delivered bike: its rack, its type, and the time of use that the price includes.
        var rack: UUID?
        var bike: BikeType?
        var useSeconds: Int?
        /// The discount of the promo code or the reason for none; nil for quotes without a code.
        var promo: QuotePromo?
        /// The price of the way to the rounded goal, shown to providers before they accept. Nil in older quotes.
        var roughPrice: Int?
    }

    /// The surge and the numbers of orders and providers that it comes from.
    struct SurgeTerms: Sendable, Hashable, Codable {
        var percent: Int
        var waiting: Int
        var free: Int
        var isCapped: Bool
        var radiusMetres: Int
    }

    let id: UUID
    let market: String
    let account: UUID
    /// The workflow of the order.
    let kind: String
    /// The key of a tariff in the market's settings.
    let tariff: String
    var from: Order.Place
    var to: Order.Place
    var terms: Terms
    /// The binding price in minor units, before any discount.
    let total: Int
    let currency: String
    /// The promo code as the customer typed it. The wallet takes its use when the order is paid.
    let promo: String?
    let madeAt: Date
    /// The end of the binding time, exclusive.
    let expiresAt: Date
    /// The order that it was used for.
    var order: UUID?
}

/// The reasons why there is no quote, or why a quote cannot be used.
enum QuoteRefusal: Error, Equatable {
    /// The quote does not exist, or belongs to another account or kind of order.
    case notFound
    case expired
    /// The quote was used for this order.
    case used(order: UUID)
    /// The market has no tariff for this kind or class.
    case notQuoted(classes: [String])
    case outsideArea(fields: [String])
    /// There is no way between the places, or it is longer than ``Quote/longestWay``.
    case noWay
}

extension Quote {
    /// The estimated time of arrival of a restaurant's order that is made at once.
    var arrivesAt: Date? {
        terms.preparationSeconds.map { preparation in
            madeAt.addingTimeInterval(Double(max(preparation, terms.waitSeconds ?? 0) + terms.seconds))
        }
    }

    /// The longest way that is priced, in metres; a longer one is taken for a mistake of input.
    static let longestWay = 300_000

    /// Computes the terms of a way at this moment.
    ///
    /// - Parameters:
    ///   - way: the route along the streets.
    ///   - rough: the way to the rounded goal; its price is what providers see before they accept.
    ///   - waits: the nearest free providers' travel times to the place, in seconds.
    ///   - waiting: the number of orders around the place that wait for a provider.
    ///   - free: the number of free providers around the place.
    static func terms(
        way: TravelEstimate, rough: (metres: Int, seconds: Int), waits: [Int], waiting: Int, free: Int, tariff: Tariff,
        rule: Surge.Rule
    ) throws(QuoteRefusal) -> Terms {
        guard way.metres <= longestWay else { throw .noWay }
        let surge = Surge(waiting: waiting, free: free, rule: rule)
        let fare = tariff.fare(metres: way.metres, seconds: way.seconds, surgePercent: surge.percent)
        var terms = Terms(
            metres: way.metres, seconds: way.seconds, waitSeconds: waits.min(), fare: fare,
            surge: SurgeTerms(
                percent: surge.percent, waiting: surge.waiting, free: surge.free, isCapped: surge.isCapped,
                radiusMetres: rule.radiusMetres))
        terms.roughPrice =
            tariff.fare(metres: rough.metres, seconds: rough.seconds, surgePercent: surge.percent).total
        return terms
    }
}
