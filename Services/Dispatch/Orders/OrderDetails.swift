import Foundation
import Matching
import Messaging
import Postgres

/// An order as it is stored, with what its readers are shown beside it. A row of the view `order_details`.
struct OrderDetails: Sendable {
    /// What others' stars add up to.
    struct Standing: Sendable, Equatable {
        let stars: Int
        let count: Int

        static let none = Standing(stars: 0, count: 0)

        func adding(_ more: Int) -> Standing { Standing(stars: stars + more, count: count + 1) }
    }

    struct Rating: Sendable, Equatable {
        let stars: Int
        let serviceStars: Int?
        let comment: String?
        let at: Date
    }

    var order: Order
    var customerStanding: Standing
    var providerStanding: Standing
    var ratingByCustomer: Rating?
    var ratingByProvider: Rating?
    /// Of the provider, where there is a merchant.
    var ratingByMerchant: Rating?
    /// The class of what its provider drives.
    var vehicle: String?
    /// From where its provider was last to where it begins, as the crow flies; to who is asked alone.
    var metresAway: Int?
    /// Whether the market still holds the provider for a verified one.
    let isProviderVerified: Bool

    /// What a party said of the other one.
    func rating(by party: OrderActor) -> Rating? {
        switch party {
        case .customer: ratingByCustomer
        case .provider: ratingByProvider
        case .merchant: ratingByMerchant
        case .admin, .system: nil
        }
    }

    /// The same after a party has said something of the other one: the customer and the merchant of the provider, and the
    /// provider of the customer.
    func rated(_ rating: Rating, by party: OrderActor) -> OrderDetails {
        var details = self
        switch party {
        case .customer: details.ratingByCustomer = rating
        case .provider: details.ratingByProvider = rating
        case .merchant: details.ratingByMerchant = rating
        case .admin, .system: return self
        }
        if party == .provider {
            details.customerStanding = customerStanding.adding(rating.stars)
        } else {
            details.providerStanding = providerStanding.adding(rating.stars)
        }
        return details
    }

    /// The same with how far away it is, as long as its provider has not said yes.
    ///
    /// - Parameter place: the provider's last; nil is unknown.
    func measured(from place: GeoPoint?) -> OrderDetails {
        guard let place, order.isAsking else { return self }
        var details = self
        // From as much as is shown of it: who asks from several places finds no door.
        let shown = order.placeForProvider
        let begin = GeoPoint(latitude: shown.latitude, longitude: shown.longitude)
        details.metresAway = Int(place.metres(to: begin).rounded())
        return details
    }
}

/// A row that cannot be what this program wrote.
struct StoredOrderError: Error, CustomStringConvertible {
    let order: UUID
    let column: String
    var description: String { "the stored order \(order.text) has a strange \(column)" }
}

/// The columns, before what they mean is looked at: a row is decoded on the connection's thread.
struct OrderDetailsRow: Sendable {
    let id: UUID
    let market: String
    let kind: String
    let version: Int
    let state: String
    let customer: Order.Party
    let provider: Order.Party?
    let services: PostgresJSON
    let total: Int
    let currency: String
    let paymentMethod: String?
    let paymentState: String
    let paymentVersion: Int
    let confirmedBy: [String]
    let deadline: Date?
    let changedBy: String
    let reason: String?
    let companion: String?
    let isNear: Bool
    let place: Order.Place
    let requestedAt: Date
    let changedAt: Date
    let customerStanding: OrderDetails.Standing
    let providerStanding: OrderDetails.Standing
    let ratingByCustomer: OrderDetails.Rating?
    let ratingByProvider: OrderDetails.Rating?
    let isProviderVerified: Bool
    let arrivedAt: Date?
    let report: UUID?
    let ending: StoredEnding
    let errand: StoredErrand
    let ratingByMerchant: OrderDetails.Rating?
    let vehicle: String?

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        market = try row.next()
        kind = try row.next()
        version = try row.next()
        state = try row.next()
        customer = Order.Party(account: try row.next(), name: try row.next())
        let (account, name): (UUID?, String?) = (try row.next(), try row.next())
        provider = account.map { Order.Party(account: $0, name: name ?? "") }
        services = try row.next()
        total = try row.next()
        currency = try row.next()
        paymentMethod = try row.next()
        paymentState = try row.next()
        paymentVersion = try row.next()
        confirmedBy = try row.next()
        deadline = try row.next()
        changedBy = try row.next()
        reason = try row.next()
        companion = try row.next()
        isNear = try row.next()
        place = Order.Place(latitude: try row.next(), longitude: try row.next(), description: try row.next())
        requestedAt = try row.next()
        changedAt = try row.next()
        customerStanding = OrderDetails.Standing(stars: try row.next(), count: try row.next())
        providerStanding = OrderDetails.Standing(stars: try row.next(), count: try row.next())
        ratingByCustomer = try Self.rating(&row, hasServiceStars: true)
        ratingByProvider = try Self.rating(&row, hasServiceStars: false)
        isProviderVerified = try row.next()
        arrivedAt = try row.next()
        report = try row.next()
        ending = try StoredEnding(&row)
        errand = try StoredErrand(&row)
        ratingByMerchant = try Self.rating(&row, hasServiceStars: false)
        vehicle = try row.next()
    }

    private static func rating(
        _ row: inout RowReader, hasServiceStars: Bool
    ) throws(PostgresError) -> OrderDetails.Rating? {
        let stars: Int? = try row.next()
        let serviceStars: Int? = hasServiceStars ? try row.next() : nil
        let comment: String? = try row.next()
        let at: Date? = try row.next()
        guard let stars, let at else { return nil }
        return OrderDetails.Rating(stars: stars, serviceStars: serviceStars, comment: comment, at: at)
    }

    /// - Throws: ``StoredOrderError``, or what decoding the services throws.
    func details() throws -> OrderDetails {
        guard let state = OrderState(rawValue: state) else { throw StoredOrderError(order: id, column: "state") }
        guard let paymentState = Order.Payment.State(rawValue: paymentState) else {
            throw StoredOrderError(order: id, column: "payment_state")
        }
        let actors = confirmedBy.compactMap(OrderActor.init)
        guard actors.count == confirmedBy.count, let by = OrderActor(rawValue: changedBy) else {
            throw StoredOrderError(order: id, column: "confirmed_by or changed_by")
        }
        let order = Order(
            id: id, market: market, kind: kind, customer: customer,
            lines: try Order.Line.all(stored: services.text), total: total,
            currency: currency, place: place, destination: errand.destination,
            particulars: try errand.decodedParticulars(), requestedAt: requestedAt, provider: provider,
            scheduledAt: errand.scheduledAt, proposedAt: errand.proposedAt, deposit: try errand.deposit(of: id),
            shares: try errand.decodedShares(), version: version, state: state,
            payment: Order.Payment(method: paymentMethod, state: paymentState, version: paymentVersion),
            confirmedBy: actors, deadline: deadline, searchEnd: errand.searchEnd, by: by, reason: reason,
            companion: companion, isNear: isNear,
            changedAt: changedAt, arrivedAt: arrivedAt, report: report, ending: try ending.ending(of: id))
        return OrderDetails(
            order: order, customerStanding: customerStanding, providerStanding: providerStanding,
            ratingByCustomer: ratingByCustomer, ratingByProvider: ratingByProvider,
            ratingByMerchant: ratingByMerchant, vehicle: vehicle, isProviderVerified: isProviderVerified)
    }
}
