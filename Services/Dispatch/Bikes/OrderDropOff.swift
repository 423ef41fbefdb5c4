import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// A customer wants a bike brought, at the price of a quote. It is reserved at once, and a driver is searched for once it is paid.
/// The price has the bike's use in it, as long as the longest hire.
struct OrderDropOff: Sendable {
    /// Of the market's tariffs.
    static let tariff = "dropOff"

    struct Input: Sendable {
        let market: Market
        let customer: UUID
        let quote: UUID
    }

    let open: OpenOrder

    /// The very transaction that makes the order uses the quote up and reserves a bike of its rack.
    ///
    /// - Throws: ``RackRefusal/noBike`` when others have had the last one since, ``RackRefusal/tooManyHires``,
    ///   ``RequestRide/Refusal``, ``QuoteRefusal``, ``OpenOrder/Refusal``, ``OrdererRefusal``
    func callAsFunction(
        _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let market = input.market
        let settings = try open.terms(of: market, .bikeDropOff).settings
        guard settings.isOpen(at: now) else { throw RequestRide.Refusal.marketClosed }
        // Accounts are locked before rows, by all.
        try await Admission.requireToOrder(input.customer, in: market.id, transaction)
        let (_, counts) = try await transaction.queryAll(
            TakeTurns(topic: .hires, customer: input.customer), CountHires(customer: input.customer))
        guard (counts.first ?? 0) < Rack.maximumHires else { throw RackRefusal.tooManyHires }
        let id = UUID.timeOrdered()
        let quote = try await UseQuote()(
            input.quote, for: id, kind: Market.Workflow.bikeDropOff.rawValue, in: market.id, by: input.customer,
            at: now,
            in: transaction)
        guard let rack = quote.terms.rack, let type = quote.terms.bike else { throw QuoteRefusal.notFound }
        let bike = try await HireBike.reserve(type, at: rack, for: id, in: transaction)
        return try await open(
            OpenOrder.Input(
                id: id, market: market, kind: .bikeDropOff, customer: input.customer,
                lines: [Order.Line(service: "bike", names: type.names, price: quote.total)], total: quote.total,
                currency: quote.currency,
                place: quote.from, destination: quote.to,
                particulars: .bike(
                    Order.Bike(
                        rack: rack, bike: bike, quote: quote.id, type: type, metres: quote.terms.metres,
                        seconds: quote.terms.seconds, promo: quote.promise(on: quote.total, settings)))),
            at: now, in: transaction)
    }
}
