import Contracts
import Foundation
import Matching
import Postgres

/// An owner wants a parcel carried. It is on the board once it is paid.
struct PostParcel: Sendable {
    struct Input: Sendable {
        let market: Market
        let owner: UUID
        let name: String
        let description: String?
        let origin: Order.Place
        let destination: Order.Place
        /// Minor units; zero is a favour.
        let payment: Int
        /// What the carrier leaves with the platform, in minor units; zero is nothing.
        let deposit: Int
        let grams: Int
        let isFragile: Bool
        /// Of the owner's own.
        var photo: UUID?
        /// Which the amounts are said to be in; nil is the market's of this moment.
        var currency: String?
    }

    let open: OpenOrder
    let usePhoto = UsePhoto()

    /// The amounts are in another currency than the market's is now. Nothing has changed.
    struct OtherCurrency: Error, Equatable { let currency: String }

    /// - Throws: ``OpenOrder/Refusal``, ``OrdererRefusal``, ``OtherCurrency``, ``PhotoRefusal/notOwn(field:)``
    func callAsFunction(
        _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let origin = GeoPoint(latitude: input.origin.latitude, longitude: input.origin.longitude)
        let destination = GeoPoint(latitude: input.destination.latitude, longitude: input.destination.longitude)
        let parcel = Order.Parcel(
            name: input.name, description: input.description, grams: input.grams, isFragile: input.isFragile,
            photo: input.photo, metres: Int(origin.metres(to: destination).rounded()))
        let settings = try open.terms(of: input.market, .parcel).settings
        if let named = input.currency, named != settings.currency { throw OtherCurrency(currency: settings.currency) }
        // What is paid for, by the parcel's own name, in the wallet's statement too.
        let names = Dictionary(settings.languages.map { ($0, input.name) }) { first, _ in first }
        let details = try await open(
            OpenOrder.Input(
                market: input.market, kind: .parcel, customer: input.owner,
                lines: [Order.Line(service: "parcel", names: names, price: input.payment)], total: input.payment,
                currency: settings.currency, place: input.origin, destination: input.destination,
                deposit: input.deposit, particulars: .parcel(parcel)),
            at: now, in: transaction)
        if let photo = input.photo {
            try await usePhoto(photo, of: input.owner, as: "photo", at: now, in: transaction)
        }
        return details
    }
}
