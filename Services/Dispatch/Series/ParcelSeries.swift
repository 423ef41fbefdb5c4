import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

extension Series {
    /// A parcel that comes again (X2): each is on the board from its time on.
    struct ParcelWish: Equatable, Sendable, Codable {
        struct Place: Equatable, Sendable, Codable {
            var latitude: Double
            var longitude: Double
            var description: String?
        }

        var name: String
        var description: String?
        var destination: Place
        /// Minor units, as the deposit.
        var payment: Int
        var deposit: Int
        var grams: Int
        var isFragile: Bool
        /// In tenths of a star; nil for none.
        var minimumRating: Int?
        /// The photo of each parcel, until its owner puts another one on it; nil for none.
        var photo: UUID?
    }

    /// The time before its day at which a visit or a parcel is ordered. A parcel is on the board from its time on, and not
    /// before.
    var leadSeconds: TimeInterval { wish.parcel == nil ? Self.ahead : 0 }
    /// The time after its time for which it can still be ordered. A visit cannot begin in the past; a parcel can be carried
    /// later.
    var graceSeconds: TimeInterval { wish.parcel == nil ? 0 : 86_400 }
}

extension Series.Wish {
    /// - Parameter input: a valid request of a parcel.
    init(_ input: PostParcel.Input) {
        self.init(
            services: [], place: input.origin, preferred: nil, recipient: nil,
            parcel: Series.ParcelWish(
                name: input.name, description: input.description,
                destination: Series.ParcelWish.Place(
                    latitude: input.destination.latitude, longitude: input.destination.longitude,
                    description: input.destination.description),
                payment: input.payment, deposit: input.deposit, grams: input.grams, isFragile: input.isFragile,
                minimumRating: input.minimumRating, photo: input.photo))
    }
}

/// Posts the parcels of series, paid by the owner's consent.
struct OrderSeriesParcel: Sendable {
    let post: PostParcel

    /// Checks that such parcels could be posted: the market and both places.
    ///
    /// - Throws: ``OpenOrder/Refusal``
    func check(_ series: Series) throws {
        guard let input = input(series) else { throw OpenOrder.Refusal.notInMarket }
        let settings = try post.open.terms(of: input.market, .parcel).settings
        let area = ServiceArea(corners: settings.serviceArea)
        for (field, place) in [("origin", input.origin), ("destination", input.destination)] {
            guard area.contains(latitude: place.latitude, longitude: place.longitude) else {
                throw OpenOrder.Refusal.outsideArea(field: field)
            }
        }
    }

    /// Posts a parcel; see ``RequestVisit``. A temporary obstacle leads to another try later.
    func request(
        _ series: Series, now: Date, in transaction: PostgresTransaction
    ) async throws -> VisitRequestOutcome {
        guard let input = input(series) else { return .refused(reason: "not-in-market") }
        do {
            let settings = try post.open.terms(of: input.market, .parcel).settings
            let total = input.payment + (input.minimumRating == nil ? 0 : settings.parcelRates.minimumRatingFee)
            if let limit = series.agreedTotal, total > limit || settings.currency != series.currency {
                return .priceRose(to: total, currency: settings.currency)
            }
            return .requested(order: try await post(input, at: now, in: transaction).order.id)
        } catch let refusal as OpenOrder.Refusal {
            switch refusal {
            case .notInMarket: return .refused(reason: "not-in-market")
            case .outsideArea: return .refused(reason: "outside-service-area")
            case .recipientLeaving: return .later
            }
        } catch let refusal as CustomerRefusal {
            switch refusal {
            case .banned: return .refused(reason: Workflow.customerBanned)
            case .blocked: return .refused(reason: Problem.accountBlocked.slug)
            case .methodMissing: return .refused(reason: "payment-method-required")
            // `tooManyOpen` is not thrown here: only single orders are limited.
            case .leaving, .unknown, .tooManyOpen: return .later
            }
        }
    }

    private func input(_ series: Series) -> PostParcel.Input? {
        guard let market = Market.named(series.market), let wish = series.wish.parcel else { return nil }
        var input = PostParcel.Input(
            market: market, owner: series.customer, name: wish.name, description: wish.description,
            origin: series.wish.place,
            destination: Order.Place(
                latitude: wish.destination.latitude, longitude: wish.destination.longitude,
                description: wish.destination.description),
            payment: wish.payment, deposit: wish.deposit, grams: wish.grams, isFragile: wish.isFragile,
            photo: wish.photo, minimumRating: wish.minimumRating)
        input.recurring = Order.Parcel.Recurring(
            series: series.id, currency: series.currency ?? market.defaults.currency,
            consent: series.consent.map { consent in
                Order.HomeCare.Consent(
                    method: consent.method.rawValue, card: consent.card, agreedAt: consent.agreedAt,
                    upTo: series.agreedTotal)
            })
        return input
    }
}

/// The parcel of a series, as its owner sees it.
struct SeriesParcelView: Encodable, Sendable {
    let name: String
    let description: String?
    let destination: OrderView.Place
    let payment: Int
    let deposit: Int
    let grams: Int
    let fragile: Bool
    let minimumRating: Double?
    let photo: String?

    init(_ wish: Series.ParcelWish) {
        name = wish.name
        description = wish.description
        destination = OrderView.Place(
            latitude: wish.destination.latitude, longitude: wish.destination.longitude,
            description: wish.destination.description)
        payment = wish.payment
        deposit = wish.deposit
        grams = wish.grams
        fragile = wish.isFragile
        minimumRating = wish.minimumRating.map { Double($0) / 10 }
        photo = wish.photo?.text
    }
}
