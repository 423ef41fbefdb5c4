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
    }

    let open: OpenOrder

    /// - Throws: ``OpenOrder/Refusal``
    func callAsFunction(
        _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let origin = GeoPoint(latitude: input.origin.latitude, longitude: input.origin.longitude)
        let destination = GeoPoint(latitude: input.destination.latitude, longitude: input.destination.longitude)
        let parcel = Order.Parcel(
            name: input.name, description: input.description, grams: input.grams, isFragile: input.isFragile,
            photo: nil, metres: Int(origin.metres(to: destination).rounded()))
        // What is paid for, by the parcel's own name, in the wallet's statement too.
        let names = Dictionary(input.market.languages.map { ($0, input.name) }) { first, _ in first }
        return try await open(
            OpenOrder.Input(
                market: input.market, kind: .parcel, customer: input.owner,
                lines: [Order.Line(service: "parcel", names: names, price: input.payment)], total: input.payment,
                place: input.origin, destination: input.destination, deposit: input.deposit,
                particulars: .parcel(parcel)),
            at: now, in: transaction)
    }
}
