import Contracts
import Foundation
import Matching
import Messaging
import Postgres
import ServiceKit

/// Requests a ride at the price of a quote. The search for a driver begins once it is paid.
struct RequestRide: Sendable {
    struct Input: Sendable {
        let market: Market
        let rider: UUID
        let quote: UUID
    }

    enum Refusal: Error, Equatable {
        case marketClosed
    }

    let open: OpenOrder

    /// Uses up the quote in the transaction that makes the order.
    ///
    /// - Throws: ``Refusal``, ``QuoteRefusal``, ``OpenOrder/Refusal``, ``CustomerRefusal``
    func callAsFunction(
        _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let market = input.market
        let settings = try open.terms(of: market, .ride).settings
        guard settings.isOpen(at: now) else { throw Refusal.marketClosed }
        // Lock order: the account before the quote, as a deletion locks them.
        try await AccountDeletionGuard.refuse(input.rider, in: transaction)
        let id = UUID.timeOrdered()
        let kind = Market.Workflow.ride.rawValue
        let quote = try await UseQuote()(
            input.quote, for: id, kind: kind, in: market.id, by: input.rider, at: now, in: transaction)
        let names = market.kind(kind)?.name.texts ?? [:]
        let ride = Order.Ride(
            size: Order.Ride.Size(rawValue: quote.tariff) ?? .regular, quote: quote.id, metres: quote.terms.metres,
            seconds: quote.terms.seconds, startCode: settings.startCodeRequired ? OneTimeCode.fourDigits() : nil,
            // Only a tariff in the quote's currency, since it prices an early end.
            tariff: quote.currency == settings.currency ? settings.tariffs[quote.tariff].map { Tariff($0) } : nil,
            surgePercent: quote.terms.surge.percent, promo: quote.promise(on: quote.total, settings),
            roughPrice: quote.terms.roughPrice)
        return try await open(
            OpenOrder.Input(
                id: id, market: market, kind: .ride, customer: input.rider,
                lines: [Order.Line(service: kind, names: names, price: quote.total)], total: quote.total,
                currency: quote.currency,
                place: quote.from, destination: quote.to, particulars: .ride(ride)),
            at: now, in: transaction)
    }
}

extension MarketSettings {
    /// Whether the market takes orders at this moment.
    func isOpen(at now: Date) -> Bool {
        guard let openingHours else { return true }
        return LocalTime.minuteOfDay(of: now, in: timeZone).map(openingHours.isOpen(minuteOfDay:)) ?? false
    }
}
