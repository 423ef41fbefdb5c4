import Contracts
import Foundation
import Messaging
import ServiceKit

/// An order as one reader sees it: the reader's part of `OrderSnapshot` and further fields.
struct OrderView: Encodable, Sendable {
    struct Party: Encodable, Sendable {
        /// Nil for a reader who is a stranger to the person.
        let account: String?
        let name: String
        /// The provider's title: its id in the market, and its name.
        var title: String?
        var titleName: String?
        /// The path of the provider's picture, or of the market's logo.
        var avatar: String?
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

    /// How the order is paid, with the words of method and state.
    struct Payment: Encodable, Sendable {
        let method: String?
        let methodText: String?
        let state: OrderSnapshot.Payment.State
        let stateText: String

        init(_ payment: OrderSnapshot.Payment, in language: String) {
            method = payment.method
            methodText = payment.method.flatMap { Market.words(forMethod: $0)?.text(in: language) }
            state = payment.state
            stateText = Market.words(forPayment: payment.state).text(in: language)
        }
    }

    struct Standing: Encodable, Sendable {
        /// Of 5 stars; nil before the first rating.
        let average: Double?
        let count: Int
    }

    struct Rating: Encodable, Sendable {
        let stars: Int
        let serviceStars: Int?
        let comment: String?
        let at: Date
    }

    /// How the order ended, at what fine, and who received the price.
    struct Ending: Encodable, Sendable {
        let by: OrderSnapshot.Actor
        let at: Date
        let reason: String?
        /// Amount besides the price; nil if there is none.
        let fine: Money?
        /// Metres that the fine is for.
        let metres: Int?
        let paidTo: String
        let paidToText: String
    }

    /// Promo code of the order's quote. Minor units.
    struct Promo: Encodable, Sendable {
        let code: String
        let discount: Int
        /// The total less the discount.
        let toPay: Int
    }

    /// Ratings, by the party that gave them.
    struct Ratings: Encodable, Sendable {
        let customer: Rating?
        let provider: Rating?
        /// The merchant's rating of the provider.
        let merchant: Rating?
    }

    let order: String
    let market: String
    let kind: String
    /// The market's name of the kind.
    let kindName: String?
    let version: Int
    let state: OrderSnapshot.State
    /// The market's name of the state, for this reader in the reader's language.
    let label: String
    /// The reader's role in the order.
    let role: OrderSnapshot.Actor
    /// True for a relative of the customer, who sees the customer's view and may not act; else nil.
    let isOnlySeen: Bool?
    let customer: Party
    /// Nil while there is none, or while the reader must not know whom the platform asks.
    let provider: Party?
    let customerRating: Standing
    let providerRating: Standing
    let services: [Service]
    let total: Money
    /// True where the price is that of the rough way, for a provider who has not accepted; else nil.
    let isTotalRough: Bool?
    let payment: Payment
    let confirmedBy: [OrderSnapshot.Actor]
    let deadline: Date?
    let by: OrderSnapshot.Actor
    let reason: String?
    /// Only for the provider and admins.
    let companion: String?
    /// Class of the provider's vehicle.
    let vehicle: String?
    let vehicleName: String?
    let place: Place
    /// Distance from the reader's last position, for a provider who is asked; nil if unknown.
    let metresAway: Int?
    let ratings: Ratings
    let requestedAt: Date
    let changedAt: Date
    let arrivedAt: Date?
    /// The reason in the market's words, if it has them.
    let reasonText: String?
    /// The report that awaits, or had, an admin's decision.
    let report: String?
    let review: ReviewView?
    /// About the reader's own words; nil without any.
    let warnings: [WarningView]?
    let fine: Money?
    let outcome: OrderSnapshot.Outcome?
    let ended: Ending?
    /// Goal of a ride or a delivery.
    let destination: Place?
    /// Time that the order is for; nil means at once.
    let scheduledAt: Date?
    /// Another time that the provider has asked for.
    let proposedAt: Date?
    /// Deposit that the provider leaves with the platform until the end; the state says where it is.
    let deposit: Money?
    let depositState: String?
    let depositStateText: String?
    /// Only for the customer and admins.
    let promo: Promo?
    /// An order has at most one of these, of its kind.
    let parcel: ParcelView?
    let care: CareView?
    let ride: RideView?
    let food: FoodView?
    let bike: BikeView?
    /// Only on the order's own page, of rides, meals and bikes.
    var car: CarView?
    var trip: TripView?

    /// - Parameters:
    ///   - known: the order's market as its admins have changed it last; nil where this program does not know it.
    ///   - isStranger: whether the reader is a provider who does not hold the order; the reason why the order is on the
    ///     board again is hidden then.
    ///   - isOnlySeen: whether the reader is a relative of the customer.
    init(
        _ details: OrderDetails, of known: Market?, for role: OrderActor, in language: String,
        isStranger: Bool = false, isOnlySeen: Bool = false
    ) {
        var order = details.order
        if isStranger { order.reason = nil }
        let whole = OrderSnapshot(order)
        let snapshot = whole.part(of: OrderSnapshot.Actor(role))
        self.order = order.id.text
        market = order.market
        kind = order.kind
        kindName = known?.name(ofKind: order.kind, in: language)
        version = order.version
        state = snapshot.state
        self.role = OrderSnapshot.Actor(role)
        self.isOnlySeen = isOnlySeen ? true : nil
        label =
            known?.label(
                of: snapshot.labelState, for: self.role, in: language, kind: order.kind,
                provider: snapshot.provider?.providerTitle)
            ?? snapshot.state.rawValue
        // On the board a stranger reads the owner's name, and not the account by which the person's page is found.
        customer = Party(account: isStranger ? nil : order.customer.account.text, name: order.customer.name)
        // Hides the asked provider from customer and merchant until acceptance.
        let isAsked =
            (role == .customer || role == .merchant) && order.state == .offered && order.searchKind != nil
        provider = isAsked ? nil : order.provider.map { Party($0, details, of: known, in: language) }
        customerRating = Standing(role == .merchant ? .none : details.customerStanding)
        providerRating = Standing(isAsked ? .none : details.providerStanding)
        services = snapshot.services.map { Service(service: $0.service, name: $0.name, price: $0.price) }
        total = snapshot.total
        isTotalRough = role == .provider && whole.isPriceRoughForProvider ? true : nil
        payment = Payment(snapshot.payment, in: language)
        confirmedBy = snapshot.confirmedBy
        deadline = order.deadline
        by = snapshot.by
        reason = order.reason
        companion = role == .customer || role == .merchant ? nil : order.companion
        vehicle = isAsked ? nil : details.vehicle
        vehicleName = vehicle.flatMap { Market.words(forSize: $0)?.text(in: language) }
        // Flat, floor and gate code are only for the provider who holds the order.
        let isOutside = isStranger || role == .provider && !order.isTaken
        place = Place(role == .provider ? order.placeForProvider : order.place, isDescribed: !isOutside)
        metresAway = role == .provider && !isStranger ? details.metresAway : nil
        ratings = Ratings(details, for: role)
        requestedAt = order.requestedAt
        changedAt = order.changedAt
        arrivedAt = order.arrivedAt
        reasonText = order.reason.flatMap { known?.words(for: $0)?.text(in: language) }
        report = order.report?.text
        review = ReviewView(order, in: language)
        warnings = WarningView.of(
            isOnlySeen ? [] : Self.words(of: self.role, in: details, by: snapshot.by), in: order.market, language)
        fine = snapshot.fine
        outcome = snapshot.outcome
        ended = Ending(order, snapshot, in: language)
        // The destination of a meal is hidden from the restaurant always, and from the courier until acceptance.
        let isHidden = order.merchant != nil && (role == .merchant || role == .provider && isOutside)
        destination = isHidden ? nil : (isOutside ? order.roughDestination : order.destination).map { Place($0) }
        scheduledAt = order.scheduledAt
        proposedAt = order.proposedAt
        deposit = snapshot.deposit
        depositState = order.deposit?.state.rawValue
        depositStateText = order.deposit?.state.name.text(in: language)
        promo = Promo(snapshot)
        parcel = order.parcel.map { ParcelView($0, of: order, metres: isOutside ? order.roughWayMetres : nil) }
        care = order.homeCare.map { CareView($0, of: order, for: role) }
        let way = isOutside ? order.roughWay : nil
        ride = order.ride.map { RideView($0, for: role, in: language, isOnlySeen: isOnlySeen, way: way) }
        // The restaurant sees only the rough distance.
        let courierWay = role == .merchant ? order.roughWay : way
        food = order.food.map { FoodView($0, of: order, for: role, in: language, way: courierWay) }
        bike = order.bike.map { BikeView($0, in: language, way: way) }
    }
}

extension OrderView.Party {
    /// The provider of an order.
    init(_ provider: Order.Party, _ details: OrderDetails, of market: Market?, in language: String) {
        let title = market?.title(provider.title)
        self.init(
            account: provider.account.text, name: provider.name, title: provider.title,
            titleName: title?.name(of: provider.gender).text(in: language),
            avatar: AvatarPath.path(of: details.providerAvatar, in: details.order.market))
    }
}

extension OrderView.Place {
    init(_ place: Order.Place, isDescribed: Bool = true) {
        self.init(
            latitude: place.latitude, longitude: place.longitude, description: isDescribed ? place.description : nil)
    }
}

extension OrderView.Promo {
    /// Nil if the order has no promo code or the reader must not see it.
    init?(_ order: OrderSnapshot) {
        guard let promo = order.promo else { return nil }
        // The discount is at most the final price, which may be lower than the quote.
        let discount = min(promo.discount, order.total.amount)
        self.init(code: promo.code, discount: discount, toPay: order.total.amount - discount)
    }
}

extension OrderView.Ending {
    /// Nil while the order is open.
    init?(_ order: Order, _ snapshot: OrderSnapshot, in language: String) {
        guard let ending = order.ending, let paidTo = order.paidTo else { return nil }
        self.init(
            by: OrderSnapshot.Actor(ending.by), at: ending.at, reason: order.reason, fine: snapshot.fine,
            metres: snapshot.fine == nil ? nil : ending.fine?.metres, paidTo: paidTo.rawValue,
            paidToText: paidTo.name.text(in: language))
    }
}

extension OrderView.Standing {
    init(_ standing: OrderDetails.Standing) {
        count = standing.count
        // Rounded to one decimal.
        average = standing.count == 0 ? nil : (Double(standing.stars) / Double(standing.count) * 10).rounded() / 10
    }
}

extension OrderView.Rating {
    init(_ rating: OrderDetails.Rating) {
        self.init(stars: rating.stars, serviceStars: rating.serviceStars, comment: rating.comment, at: rating.at)
    }
}

extension OrderView.Ratings {
    /// A customer or provider sees the other's rating after giving one; a merchant sees only its own; admins see all.
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

extension OrderView {
    /// The words that the reader has written on the order.
    /// - Parameter last: who has changed the order last: the reason is in his or her words.
    private static func words(
        of reader: OrderSnapshot.Actor, in details: OrderDetails, by last: OrderSnapshot.Actor
    ) -> [String?] {
        // The reason of a decided order is the reporter's, and no longer of whoever changed it last.
        let isOwn = reader == last && details.order.ending?.verdict == nil
        let reason = isOwn ? details.order.reason : nil
        switch reader {
        case .customer: return [details.order.place.description, details.ratingByCustomer?.comment, reason]
        case .provider: return [details.ratingByProvider?.comment, reason]
        // Ordered for a caller just now.
        case .admin where last == .admin: return [details.order.place.description, reason]
        default: return [reason]
        }
    }
}
