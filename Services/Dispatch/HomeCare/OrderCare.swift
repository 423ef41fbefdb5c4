import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres

/// Orders a care visit: at once or for a time, by a customer (also for a relative) or by an admin for a caller. The
/// visit reaches the desk once it is paid.
struct OrderCare: Sendable {
    struct Input: Sendable {
        let market: Market
        let customer: UUID
        /// Service ids, each once.
        let services: [String]
        var place: Order.Place
        /// Nil means at once.
        let scheduledAt: Date?
        /// The care partner whom the customer prefers.
        var preferred: UUID?
        let relative: UUID?
        /// The admin who orders for a caller.
        let admin: UUID?
        /// The series that the visit belongs to.
        var series: UUID?
        /// For a visit of a series: the currency in which the customer agreed to be charged.
        var consentCurrency: String?
        /// The customer's agreement to the payment, with the maximum price.
        var consent: Order.HomeCare.Consent?
        /// The price that the customer was shown; nil binds nobody.
        var seen: ShownPrice?
        /// The payment to which a caller at the desk agrees, at the price of the order.
        var charge: Charge?

        struct Charge: Sendable, Equatable {
            let method: Series.Consent.Method
            /// Nil with the card method stands for the card that its owner has released for such orders.
            let card: UUID?
        }
    }

    enum Refusal: Error, Equatable {
        case unknownServices(indices: [Int])
        case time(CareTime.Fault)
        /// The customer may not order for this relative.
        case notLinked
        case unknownPartner
        /// The account for which an admin orders is no customer of the market.
        case notCustomer
        /// The price is above the agreed maximum, or in another currency.
        case priceRose(to: Int, currency: String)
    }

    let open: OpenOrder

    /// Whether the market takes a way of payment that needs no act of the customer.
    private func takes(_ method: Series.Consent.Method, _ market: String) -> Bool {
        open.markets.settings(of: market)?.paymentMethods.contains(method.rawValue) == true
    }

    /// - Throws: ``Refusal``, ``OpenOrder/Refusal``, ``CustomerRefusal``, ``ShownPrice/Risen``; ``SeriesRefusal`` for a
    ///   way of payment on the phone that cannot be taken.
    func callAsFunction(
        _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let market = input.market
        if input.admin != nil {
            let customer = FindCustomer(market: market.id, account: input.customer)
            guard try await transaction.first(customer) != nil else { throw Refusal.notCustomer }
        }
        var (lines, currency, care) = try await prepared(input, at: now, in: transaction)
        if let charge = input.charge, input.admin != nil {
            guard takes(charge.method, market.id) else { throw SeriesRefusal.methodNotTaken }
            try await CheckSeriesCard.check(
                charge.method, charge.card, of: input.customer, isByPhone: true, at: now, in: transaction)
            care.consentCurrency = currency
            care.consent = Order.HomeCare.Consent(
                method: charge.method.rawValue, card: charge.card, agreedAt: now, upTo: lines.total,
                isByDesk: true)
        }
        if let limit = input.consent?.upTo {
            let total = lines.total ?? 0
            let isSame = (input.consentCurrency ?? currency) == currency
            guard isSame, total <= limit else { throw Refusal.priceRose(to: total, currency: currency) }
        }
        try input.seen?.check(Money(amount: lines.total ?? 0, currency: currency))
        let details = try await open(
            OpenOrder.Input(
                market: market, kind: .homeCare, customer: input.customer, recipient: care.relative?.account,
                lines: lines, total: lines.total ?? 0, currency: currency,
                place: input.place, scheduledAt: input.scheduledAt, particulars: .homeCare(care),
                by: input.admin == nil ? .customer : .admin),
            at: now, in: transaction)
        if let admin = input.admin {
            try transaction.publish(
                OrderManaged(
                    order: details.order.id, market: market.id, act: .ordered,
                    details: ["customer": input.customer.text]
                        .merging(care.consent.map { ["payment": $0.method] } ?? [:]) { first, _ in first },
                    by: admin, at: now))
        }
        return details
    }

    /// Checks the request and returns its lines, currency and particulars.
    ///
    /// - Throws: ``Refusal``, ``OpenOrder/Refusal/notInMarket``
    func prepared(
        _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> (lines: [Order.Line], currency: String, care: Order.HomeCare) {
        let market = input.market
        let settings = try open.terms(of: market, .homeCare).settings
        let services = try Self.services(input, at: settings.servicePrices)
        let minutes = services.reduce(0) { $0 + $1.minutes }
        do {
            try CareTime.check(
                input.scheduledAt, minutes: minutes, hours: settings.openingHours, timeZone: settings.timeZone,
                at: now)
        } catch {
            throw Refusal.time(error)
        }
        let care = Order.HomeCare(
            relative: try await relative(of: input, in: transaction),
            preferred: try await partner(of: input, in: transaction), minutes: minutes, orderedBy: input.admin,
            series: input.series, consentCurrency: input.consentCurrency, consent: input.consent)
        let lines = services.map {
            Order.Line(service: $0.id, names: $0.name.texts, price: settings.servicePrices[$0.id] ?? 0)
        }
        return (lines, settings.currency, care)
    }

    /// Services in the sequence of the request. Services without a price in the market are unknown.
    private static func services(
        _ input: Input, at prices: [String: Int]
    ) throws(Refusal) -> [Market.Service] {
        let priced = input.market.services.filter { prices[$0.id] != nil }
        let known = Dictionary(priced.map { ($0.id, $0) }) { first, _ in first }
        let unknown = input.services.indices.filter { known[input.services[$0]] == nil }
        guard unknown.isEmpty else { throw .unknownServices(indices: unknown) }
        return input.services.compactMap { known[$0] }
    }

    private func relative(
        of input: Input, in transaction: PostgresTransaction
    ) async throws -> Order.HomeCare.Relative? {
        guard let relative = input.relative else { return nil }
        let found = try await transaction.first(
            FindRelative(market: input.market.id, account: input.customer, relative: relative))
        guard let found else { throw Refusal.notLinked }
        return Order.HomeCare.Relative(account: relative, name: found.name, sees: found.sees)
    }

    private func partner(of input: Input, in transaction: PostgresTransaction) async throws -> UUID? {
        guard let preferred = input.preferred else { return nil }
        let partner = try await transaction.first(
            FindPartner(market: input.market.id, account: preferred))
        guard partner != nil else { throw Refusal.unknownPartner }
        return preferred
    }
}
