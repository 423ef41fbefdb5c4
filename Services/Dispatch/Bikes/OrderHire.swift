import Contracts
import Foundation
import Matching
import Messaging
import Postgres

/// Orders the hire of a bike: reserves it at once and holds the price of the longest hire. The bike can be taken after
/// the payment.
struct OrderHire: Sendable {
    /// The key of the tariff in the market's settings.
    static let tariff = "bike"

    struct Input: Sendable {
        let market: Market
        let rider: UUID
        let rack: UUID
        let type: BikeType
        /// The hold that the rider was shown; nil binds nobody.
        var seen: ShownPrice?
        /// Seals the rack's name, which stands where others write of a place.
        let seal: PlaceSeal
    }

    let open: OpenOrder

    /// - Throws: ``RackRefusal``, ``RequestRide/Refusal/marketClosed``, ``OpenOrder/Refusal``, ``CustomerRefusal``,
    ///   ``ShownPrice/Risen``
    func callAsFunction(
        _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let market = input.market
        let settings = try open.terms(of: market, .bikePickUp).settings
        guard settings.isOpen(at: now) else { throw RequestRide.Refusal.marketClosed }
        guard let set = settings.tariffs[Self.tariff] else { throw RackRefusal.hiresNotOffered }
        let tariff = Tariff(set)
        let longest = tariff.fare(metres: 0, seconds: settings.completionWindowSeconds).total
        try input.seen?.check(Money(amount: longest, currency: settings.currency))
        // Lock order: accounts before rows.
        try await Admission.requireToOrder(input.rider, in: market.id, transaction)
        let (_, counts, cards) = try await transaction.queryAll(
            SerializeCustomerRequests(topic: .hires, customer: input.rider), CountHires(customer: input.rider),
            FindRack(rack: input.rack, market: market.id))
        guard let card = cards.first else { throw RackRefusal.notFound }
        guard (counts.first ?? 0) < Rack.maximumHires else { throw RackRefusal.tooManyHires }
        let id = UUID.timeOrdered()
        let bike = try await HireBike.reserve(input.type, at: input.rack, for: id, in: transaction)
        let hire = Order.Bike(rack: input.rack, bike: bike, quote: nil, tariff: tariff)
        return try await open(
            OpenOrder.Input(
                id: id, market: market, kind: .bikePickUp, customer: input.rider,
                lines: [Order.Line(service: "bike", names: input.type.names, price: longest)], total: longest,
                currency: settings.currency,
                place: try Order.Place(latitude: card.latitude, longitude: card.longitude, description: card.name)
                    .sealed(by: input.seal),
                particulars: .bike(hire)),
            at: now, in: transaction)
    }
}

extension BikeType {
    /// The names of the order's line, by language.
    var names: [String: String] {
        switch self {
        case .city: ["en": "City bike", "ar": "دراجة مدينة"]
        case .electric: ["en": "Electric bike", "ar": "دراجة كهربائية"]
        case .cargo: ["en": "Cargo bike", "ar": "دراجة شحن"]
        }
    }
}
