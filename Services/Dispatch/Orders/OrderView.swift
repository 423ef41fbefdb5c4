import Contracts
import Foundation
import Messaging

/// An order as one reader is shown it: the fields of `OrderSnapshot`, and what is the reader's alone.
struct OrderView: Encodable, Sendable {
    struct Party: Encodable, Sendable {
        let account: String
        let name: String
    }

    struct Service: Encodable, Sendable {
        let service: String
        let name: LocalizedText
        let price: Int
    }

    struct Place: Encodable, Sendable {
        let latitude: Double
        let longitude: Double
        let description: String?
    }

    struct Standing: Encodable, Sendable {
        /// Of 5; nil before the first.
        let average: Double?
        let count: Int
    }

    struct Rating: Encodable, Sendable {
        let stars: Int
        let serviceStars: Int?
        let comment: String?
        let at: Date
    }

    /// How it ended, what that cost, and who got the price.
    struct Ending: Encodable, Sendable {
        let by: OrderSnapshot.Actor
        let at: Date
        let reason: String?
        /// Beside the price; nil where there is none.
        let fine: Money?
        /// For how much of a way.
        let metres: Int?
        let paidTo: String
    }

    /// A promo code with which it was quoted. Minor units.
    struct Promo: Encodable, Sendable {
        let code: String
        let discount: Int
        /// The total less the discount.
        let toPay: Int
    }

    /// By who gave it.
    struct Ratings: Encodable, Sendable {
        let customer: Rating?
        let provider: Rating?
        /// Of the provider, where there is a merchant.
        let merchant: Rating?
    }

    let order: String
    let market: String
    let kind: String
    let version: Int
    let state: OrderSnapshot.State
    /// The market's word for the state, to this reader in his or her language.
    let label: String
    /// Who the reader is to the order.
    let role: OrderSnapshot.Actor
    /// True for a relative of the customer, who sees what the customer does and does nothing with it.
    let isOnlySeen: Bool?
    let customer: Party
    /// Nil while there is nobody.
    let provider: Party?
    let customerRating: Standing
    let providerRating: Standing
    let services: [Service]
    let total: Money
    let payment: OrderSnapshot.Payment
    let confirmedBy: [OrderSnapshot.Actor]
    let deadline: Date?
    let by: OrderSnapshot.Actor
    let reason: String?
    /// The provider's and admins' to know.
    let companion: String?
    /// The class of what its provider drives.
    let vehicle: String?
    let place: Place
    /// To who is asked for it, from his or her own last place; nil when that is not known.
    let metresAway: Int?
    let ratings: Ratings
    let requestedAt: Date
    let changedAt: Date
    let arrivedAt: Date?
    /// The reason in the market's words, where it has them.
    let reasonText: String?
    /// Which an admin is to decide about, or has.
    let report: String?
    let fine: Money?
    let outcome: OrderSnapshot.Outcome?
    let ended: Ending?
    /// Where to, of what is carried.
    let destination: Place?
    /// For when; nil is at once.
    let scheduledAt: Date?
    /// Another time that the provider asks for.
    let proposedAt: Date?
    /// What its provider leaves with the platform until its end, and where that is.
    let deposit: Money?
    let depositState: String?
    /// For its customer and admins.
    let promo: Promo?
    /// Of these an order has its own kind's.
    let parcel: ParcelView?
    let care: CareView?
    let ride: RideView?
    let food: FoodView?
    let bike: BikeView?

    /// - Parameters:
    ///   - isStranger: of somebody who only might become its provider. Why it is on the board again is not his to know.
    ///   - isOnlySeen: of a relative of its customer.
    init(
        _ details: OrderDetails, for role: OrderActor, in language: String, isStranger: Bool = false,
        isOnlySeen: Bool = false
    ) {
        var order = details.order
        if isStranger { order.reason = nil }
        let snapshot = OrderSnapshot(order).part(of: OrderSnapshot.Actor(role))
        self.order = order.id.text
        market = order.market
        kind = order.kind
        version = order.version
        state = snapshot.state
        self.role = OrderSnapshot.Actor(role)
        self.isOnlySeen = isOnlySeen ? true : nil
        label =
            Market.named(order.market)?.label(of: snapshot.state, for: self.role, in: language, kind: order.kind)
            ?? snapshot.state.rawValue
        customer = Party(account: order.customer.account.text, name: order.customer.name)
        // Whom the platform asks is nobody's business before he or she says yes.
        let isAsked =
            (role == .customer || role == .merchant) && order.state == .offered && order.searchKind != nil
        provider = isAsked ? nil : order.provider.map { Party(account: $0.account.text, name: $0.name) }
        customerRating = Standing(role == .merchant ? .none : details.customerStanding)
        providerRating = Standing(isAsked ? .none : details.providerStanding)
        services = snapshot.services.map { Service(service: $0.service, name: $0.name, price: $0.price) }
        total = snapshot.total
        payment = snapshot.payment
        confirmedBy = snapshot.confirmedBy
        deadline = order.deadline
        by = snapshot.by
        reason = order.reason
        companion = role == .customer || role == .merchant ? nil : order.companion
        vehicle = isAsked ? nil : details.vehicle
        // Flats, floors and gate codes are for who has it, not for who is asked or had what came to nothing.
        let isOutside = isStranger || role == .provider && !order.isTaken
        place = Place(role == .provider && !isStranger ? order.placeForProvider : order.place, isDescribed: !isOutside)
        metresAway = role == .provider && !isStranger ? details.metresAway : nil
        ratings = Ratings(details, for: role)
        requestedAt = order.requestedAt
        changedAt = order.changedAt
        arrivedAt = order.arrivedAt
        reasonText = order.reason.flatMap { Market.named(order.market)?.words(for: $0)?.text(in: language) }
        report = order.report?.text
        fine = snapshot.fine
        outcome = snapshot.outcome
        ended = Ending(order, snapshot)
        // Of a meal: who cooks it never needs to know, and who is to bring it does once he or she has it.
        let isHidden = order.merchant != nil && (role == .merchant || role == .provider && isOutside)
        destination = isHidden ? nil : order.destination.map { isOutside ? Place.roughly($0) : Place($0) }
        scheduledAt = order.scheduledAt
        proposedAt = order.proposedAt
        deposit = snapshot.deposit
        depositState = order.deposit?.state.rawValue
        promo = Promo(snapshot)
        parcel = order.parcel.map { ParcelView($0, metres: isOutside ? order.roughWayMetres : nil) }
        care = order.homeCare.map { CareView($0, for: role) }
        let way = isOutside ? order.roughWay : nil
        ride = order.ride.map { RideView($0, for: role, isOnlySeen: isOnlySeen, way: way) }
        // Nor does who cooks it need to know how far that is.
        let courierWay = role == .merchant ? order.roughWay : way
        food = order.food.map { FoodView($0, of: order, for: role, way: courierWay) }
        bike = order.bike.map { BikeView($0, way: way) }
    }
}

extension OrderView.Place {
    init(_ place: Order.Place, isDescribed: Bool = true) {
        self.init(
            latitude: place.latitude, longitude: place.longitude, description: isDescribed ? place.description : nil)
    }

    /// To about a kilometre, as it is told to who only might go there.
    static func roughly(_ place: Order.Place) -> OrderView.Place {
        OrderView.Place(place.toKilometre)
    }
}

extension OrderView.Promo {
    /// Nil where the reader sees none.
    init?(_ order: OrderSnapshot) {
        guard let promo = order.promo else { return nil }
        // What costs less in the end takes no more off than it costs.
        let discount = min(promo.discount, order.total.amount)
        self.init(code: promo.code, discount: discount, toPay: order.total.amount - discount)
    }
}

extension OrderView.Ending {
    /// Nil while the order goes on.
    init?(_ order: Order, _ snapshot: OrderSnapshot) {
        guard let ending = order.ending, let paidTo = order.paidTo else { return nil }
        self.init(
            by: OrderSnapshot.Actor(ending.by), at: ending.at, reason: order.reason, fine: snapshot.fine,
            metres: snapshot.fine == nil ? nil : ending.fine?.metres, paidTo: paidTo.rawValue)
    }
}

extension OrderView.Standing {
    init(_ standing: OrderDetails.Standing) {
        count = standing.count
        // One decimal, as stars are shown.
        average = standing.count == 0 ? nil : (Double(standing.stars) / Double(standing.count) * 10).rounded() / 10
    }
}

extension OrderView.Rating {
    init(_ rating: OrderDetails.Rating) {
        self.init(stars: rating.stars, serviceStars: rating.serviceStars, comment: rating.comment, at: rating.at)
    }
}

extension OrderView.Ratings {
    /// A party sees the other's once its own is given, a merchant nobody's; admins see all.
    init(_ details: OrderDetails, for role: OrderActor) {
        let isRated = details.ratingByProvider != nil
        let seesCustomers = role == .customer || role == .admin || role == .provider && isRated
        let seesProviders =
            role == .provider || role == .admin || role == .customer && details.ratingByCustomer != nil
        let seesMerchants = role == .merchant || role == .admin || role == .provider && isRated
        customer = seesCustomers ? details.ratingByCustomer.map(OrderView.Rating.init) : nil
        provider = seesProviders ? details.ratingByProvider.map(OrderView.Rating.init) : nil
        merchant = seesMerchants ? details.ratingByMerchant.map(OrderView.Rating.init) : nil
    }
}
