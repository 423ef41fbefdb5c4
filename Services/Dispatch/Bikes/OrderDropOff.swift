import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Orders the delivery of a bike at a quote's price. The bike is reserved at once; the search for a driver starts after
/// the payment. The price includes the use of the bike for the longest hire.
struct OrderDropOff: Sendable {
    /// The key of the tariff in the market's settings.
    static let tariff = "dropOff"
    /// The key of the tariff whose base is the part of the price for the use of the bike. The bike is the platform's, so
    /// this part is the platform's, too, and the driver is paid the rest. Without it all is the driver's.
    static let useTariff = "bikeUse"

    struct Input: Sendable {
        let market: Market
        let customer: UUID
        let quote: UUID
    }

    let open: OpenOrder

    /// Uses the quote up, reserves a bike of its rack and creates the order, all in one transaction.
    ///
    /// - Throws: ``RackRefusal/noBike`` when the last bike was taken meanwhile, ``RackRefusal/tooManyHires``,
    ///   ``RequestRide/Refusal``, ``QuoteRefusal``, ``OpenOrder/Refusal``, ``CustomerRefusal``
    func callAsFunction(
        _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let market = input.market
        let settings = try open.terms(of: market, .bikeDropOff).settings
        guard settings.isOpen(at: now) else { throw RequestRide.Refusal.marketClosed }
        // Lock order: accounts before rows.
        try await Admission.requireToOrder(input.customer, in: market.id, transaction)
        let (_, counts) = try await transaction.queryAll(
            SerializeCustomerRequests(topic: .hires, customer: input.customer), CountHires(customer: input.customer))
        guard (counts.first ?? 0) < Rack.maximumHires else { throw RackRefusal.tooManyHires }
        let id = UUID.timeOrdered()
        let quote = try await UseQuote()(
            input.quote, for: id, kind: Market.Workflow.bikeDropOff.rawValue, in: market.id, by: input.customer,
            at: now,
            in: transaction)
        guard let rack = quote.terms.rack, let type = quote.terms.bike else { throw QuoteRefusal.notFound }
        let bike = try await HireBike.reserve(type, at: rack, for: id, in: transaction)
        let use = Self.use(quote, settings)
        return try await open(
            OpenOrder.Input(
                id: id, market: market, kind: .bikeDropOff, customer: input.customer,
                lines: Self.lines(type, quote.total, use: use), total: quote.total,
                currency: quote.currency,
                place: quote.from, destination: quote.to,
                particulars: .bike(
                    Order.Bike(
                        rack: rack, bike: bike, quote: quote.id, type: type, metres: quote.terms.metres,
                        seconds: quote.terms.seconds, promo: quote.promise(on: quote.total, settings),
                        roughPrice: quote.terms.roughPrice.map { max(0, $0 - (use ?? 0)) }, use: use))),
            at: now, in: transaction)
    }

    /// The part of the price for the use of the bike, in minor units; nil where the market has none.
    private static func use(_ quote: Quote, _ settings: MarketSettings) -> Int? {
        guard quote.currency == settings.currency, let tariff = settings.tariffs[useTariff], tariff.base > 0 else {
            return nil
        }
        return min(tariff.base, quote.total)
    }

    private static func lines(_ type: BikeType, _ total: Int, use: Int?) -> [Order.Line] {
        guard let use else { return [Order.Line(service: "bike", names: type.names, price: total)] }
        return [
            Order.Line(service: "bike", names: type.names, price: use),
            Order.Line(
                service: OrderSnapshot.Service.delivery, names: ["en": "Delivery", "ar": "التوصيل"],
                price: total - use),
        ]
    }
}
