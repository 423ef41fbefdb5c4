import Contracts
import Foundation
import Matching
import Messaging
import Postgres
import SeraiJSON

/// A stored order with the data that its readers are shown besides it. One row of the view `order_details`.
struct OrderDetails: Sendable {
    /// Sum and number of the stars that an account received.
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
    /// The merchant's rating of the provider.
    var ratingByMerchant: Rating?
    /// Class of the provider's vehicle.
    var vehicle: String?
    /// The name of the provider's picture.
    var providerAvatar: String?
    /// Straight-line metres from the provider's last position to the order's start; only for a provider who is being
    /// asked.
    var metresAway: Int?
    /// Whether the provider is still verified in the market.
    let isProviderVerified: Bool

    /// Rating that a party gave.
    func rating(by party: OrderActor) -> Rating? {
        switch party {
        case .customer: ratingByCustomer
        case .provider: ratingByProvider
        case .merchant: ratingByMerchant
        case .admin, .system: nil
        }
    }

    /// The details with a new rating. Customer and merchant rate the provider; the provider rates the customer.
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

    /// The details with the distance to the order, while its provider has not answered.
    ///
    /// - Parameter place: the provider's last position; nil if unknown.
    func measured(from place: GeoPoint?) -> OrderDetails {
        guard let place, order.isAsking else { return self }
        var details = self
        // Measured to the place that is shown (rounded), so that requests from several positions do not reveal the
        // door.
        let shown = order.placeForProvider
        let begin = GeoPoint(latitude: shown.latitude, longitude: shown.longitude)
        details.metresAway = Int(place.metres(to: begin).rounded())
        return details
    }
}

/// A stored row holds a value that this program does not write.
struct StoredOrderError: Error, CustomStringConvertible {
    let order: UUID
    let column: String
    var description: String { "the stored order \(order.text) has a strange \(column)" }
}

/// The undecoded columns of an order. Rows are read on the connection's thread; their meaning is decoded later.
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
    let ending: OrderEndingColumns
    let errand: OptionalOrderColumns
    let ratingByMerchant: OrderDetails.Rating?
    let vehicle: String?
    let providerTitle: String?
    let providerGender: String?
    let providerAvatar: String?
    let recipientSees: Bool?
    let recipientName: String?

    /// The columns of `order_details` in the order in which they are read below. Every statement that reads orders has
    /// this list.
    static let columns: SQL = """
        id, market, kind, version, state, customer, customer_name, provider, provider_name, services, total,
        currency, payment_method, payment_state, payment_version, confirmed_by, deadline, changed_by, reason,
        companion, is_near, latitude, longitude, description, requested_at, changed_at, customer_stars,
        customer_count, provider_stars, provider_count, by_customer_stars, by_customer_service_stars,
        by_customer_comment, by_customer_at, by_provider_stars, by_provider_comment, by_provider_at,
        is_provider_verified, arrived_at, report, ended_by, ended_at, fine, fine_metres, decision, to_customer,
        decision_note, destination_latitude, destination_longitude, destination_description, scheduled_at,
        proposed_at, deposit, deposit_state, deposit_version, shares, particulars, search_end,
        by_merchant_stars, by_merchant_comment, by_merchant_at, provider_vehicle, provider_title,
        provider_gender, provider_avatar, recipient_sees, recipient_name
        """

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
        ending = try OrderEndingColumns(&row)
        errand = try OptionalOrderColumns(&row)
        ratingByMerchant = try Self.rating(&row, hasServiceStars: false)
        vehicle = try row.next()
        providerTitle = try row.next()
        providerGender = try row.next()
        providerAvatar = try row.next()
        recipientSees = try row.next()
        recipientName = try row.next()
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

    /// - Throws: ``StoredOrderError``, or errors of decoding the JSON columns.
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
            lines: try JSON.stored.decode([Order.Line].self, services.text), total: total,
            currency: currency, place: place, destination: errand.destination,
            particulars: try particulars(), requestedAt: requestedAt, provider: titledProvider,
            scheduledAt: errand.scheduledAt, proposedAt: errand.proposedAt, deposit: try errand.deposit(of: id),
            shares: try errand.decodedShares(), version: version, state: state,
            payment: Order.Payment(method: paymentMethod, state: paymentState, version: paymentVersion),
            confirmedBy: actors, deadline: deadline, searchEnd: errand.searchEnd, by: by, reason: reason,
            companion: companion, isNear: isNear,
            changedAt: changedAt, arrivedAt: arrivedAt, report: report, ending: try ending.ending(of: id))
        return OrderDetails(
            order: order, customerStanding: customerStanding, providerStanding: providerStanding,
            ratingByCustomer: ratingByCustomer, ratingByProvider: ratingByProvider,
            ratingByMerchant: ratingByMerchant, vehicle: vehicle, providerAvatar: providerAvatar,
            isProviderVerified: isProviderVerified)
    }

    /// The data of the order's kind. A link may have been removed since the order was made, and a relative's name is not
    /// stored with it.
    private func particulars() throws -> Order.Particulars? {
        guard let recipientSees, case .homeCare(var care)? = try errand.decodedParticulars() else {
            return try errand.decodedParticulars()
        }
        care.relative?.sees = recipientSees
        if let recipientName { care.relative?.name = recipientName }
        return .homeCare(care)
    }

    /// The provider; with the title where customers choose a person by it.
    private var titledProvider: Order.Party? {
        guard let provider, kind == Market.Workflow.visit.rawValue else { return provider }
        return Order.Party(
            account: provider.account, name: provider.name, title: providerTitle,
            gender: providerTitle == nil ? nil : providerGender)
    }
}
