import Foundation
import Matching

/// What an order will cost, said before it is made (C7). It binds until its end, is its customer's alone, and is used once.
struct Quote: Sendable, Equatable {
    /// What its price is made of.
    struct Terms: Sendable, Hashable, Codable {
        /// Of the way, and how long it takes.
        var metres: Int
        var seconds: Int
        /// Until the nearest free provider is there; nil where nobody is free.
        var waitSeconds: Int?
        var fare: Fare
        var surge: SurgeTerms
        /// From which it is brought, and how long it prepares.
        var restaurant: UUID?
        var preparationSeconds: Int?
        /// Of a bike that is brought: from which rack, which, and for how long its use is in the price.
        var rack: UUID?
        var bike: BikeType?
        var useSeconds: Int?
        /// What a promo code takes off the price, or why not; nil of quotes without one.
        var promo: QuotePromo?
    }

    /// Why the fare is what it is: the orders and the providers that were counted.
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
    /// The workflow of the order that it is for.
    let kind: String
    /// Of the market's tariffs.
    let tariff: String
    let from: Order.Place
    let to: Order.Place
    var terms: Terms
    /// Minor units, before any discount. This is what binds.
    let total: Int
    let currency: String
    /// A promo code as it was typed. The wallet takes the use of it when the order is paid.
    let promo: String?
    let madeAt: Date
    /// From this moment on it binds no more.
    let expiresAt: Date
    /// The order that it was used for.
    var order: UUID?
}

/// Why there is no quote, or why it cannot be used.
enum QuoteRefusal: Error, Equatable {
    /// There is no such quote, or it is another's, or for another kind of order.
    case notFound
    case expired
    /// For this order.
    case used(order: UUID)
    /// The market quotes nothing of this kind, or not this class.
    case notQuoted(classes: [String])
    case outsideArea(fields: [String])
    /// There is no way between the places, or none that somebody would go.
    case noWay
}

extension Quote {
    /// When what a restaurant prepares is likely there, if it is ordered at once.
    var arrivesAt: Date? {
        terms.preparationSeconds.map { preparation in
            madeAt.addingTimeInterval(Double(max(preparation, terms.waitSeconds ?? 0) + terms.seconds))
        }
    }

    /// Ways beyond this are a slip of the finger; metres.
    static let longestWay = 300_000

    /// The terms of a way at this moment.
    ///
    /// - Parameters:
    ///   - way: along the streets.
    ///   - waits: seconds until each of the nearest free providers would be there.
    ///   - waiting: orders around the place that wait for somebody.
    ///   - free: providers around it who could be asked.
    static func terms(
        way: TravelEstimate, waits: [Int], waiting: Int, free: Int, tariff: Tariff, rule: Surge.Rule
    ) throws(QuoteRefusal) -> Terms {
        guard way.metres <= longestWay else { throw .noWay }
        let surge = Surge(waiting: waiting, free: free, rule: rule)
        let fare = tariff.fare(metres: way.metres, seconds: way.seconds, surgePercent: surge.percent)
        return Terms(
            metres: way.metres, seconds: way.seconds, waitSeconds: waits.min(), fare: fare,
            surge: SurgeTerms(
                percent: surge.percent, waiting: surge.waiting, free: surge.free, isCapped: surge.isCapped,
                radiusMetres: rule.radiusMetres))
    }
}
