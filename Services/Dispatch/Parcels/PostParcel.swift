import Contracts
import Foundation
import Matching
import Postgres

/// Posts a parcel. It is on the board once it is paid.
struct PostParcel: Sendable {
    struct Input: Sendable {
        let market: Market
        let owner: UUID
        let name: String
        let description: String?
        var origin: Order.Place
        var destination: Order.Place
        /// Minor units; zero is a favour.
        let payment: Int
        /// Deposit of the carrier, in minor units; zero means none.
        let deposit: Int
        let grams: Int
        let isFragile: Bool
        /// One of the owner's own photos.
        var photo: UUID?
        /// Currency of the amounts as the client states it; nil means the market's current one.
        var currency: String?
        /// The rating that the owner asks of a carrier, in tenths of a star; nil for none.
        var minimumRating: Int?
        /// Nil for a single parcel.
        var recurring: Order.Parcel.Recurring?
    }

    let open: OpenOrder
    let usePhoto = UsePhoto()

    /// The amounts are in another currency than the market's current one. Nothing has changed.
    struct OtherCurrency: Error, Equatable { let currency: String }

    /// - Throws: ``OpenOrder/Refusal``, ``CustomerRefusal``, ``OtherCurrency``, ``PhotoRefusal/notOwn(field:)``
    func callAsFunction(
        _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let origin = GeoPoint(latitude: input.origin.latitude, longitude: input.origin.longitude)
        let destination = GeoPoint(latitude: input.destination.latitude, longitude: input.destination.longitude)
        let settings = try open.terms(of: input.market, .parcel).settings
        if let named = input.currency, named != settings.currency { throw OtherCurrency(currency: settings.currency) }
        let metres = Int(origin.metres(to: destination).rounded())
        let parcel = Order.Parcel(
            name: input.name, description: input.description, grams: input.grams, isFragile: input.isFragile,
            photo: input.photo, metres: metres,
            minimumRating: input.minimumRating.map {
                Order.Parcel.MinimumRating(tenths: $0, fee: settings.parcelRates.minimumRatingFee)
            },
            late: settings.latePay.map {
                Order.Parcel.LateTerms($0, metres: metres, metresPerMinute: settings.speedMetresPerMinute)
            }, recurring: input.recurring)
        // The wallet's statement, too, shows the parcel's own name.
        let names = Dictionary(settings.languages.map { ($0, input.name) }) { first, _ in first }
        var lines = [Order.Line(service: "parcel", names: names, price: input.payment)]
        if parcel.fee > 0 { lines.append(Self.feeLine(parcel.fee)) }
        let details = try await open(
            OpenOrder.Input(
                market: input.market, kind: .parcel, customer: input.owner,
                lines: lines, total: input.payment + parcel.fee, currency: settings.currency, place: input.origin,
                destination: input.destination,
                deposit: input.deposit, particulars: .parcel(parcel)),
            at: now, in: transaction)
        if let photo = input.photo {
            try await usePhoto(photo, of: input.owner, as: "photo", at: now, in: transaction)
        }
        return details
    }

    private static func feeLine(_ fee: Int) -> Order.Line {
        Order.Line(
            service: OrderSnapshot.Service.minimumRating,
            names: ["en": "A carrier with good ratings", "ar": "ناقل بتقييم جيد"], price: fee)
    }
}
