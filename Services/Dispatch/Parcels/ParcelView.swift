import Foundation
import Messaging
import SeraiJSON

/// The parcel of an order.
struct ParcelView: Encodable, Sendable {
    /// How the pay falls when the parcel is late, and how it fell.
    struct Late: Encodable, Sendable {
        /// Seconds from the pick-up to the promised delivery.
        let seconds: Int
        let fallSeconds: Int
        let lowestPercent: Int
        /// The promised time; nil before the pick-up.
        let deliverBy: Date?
        let deliveredAt: Date?
        /// The part of the pay that was paid; nil before the delivery.
        let percent: Int?
    }

    let name: String
    let description: String?
    let grams: Int
    let isFragile: Bool
    let photo: String?
    /// Straight-line metres from the origin to the destination.
    let metres: Int
    /// The rating that the owner asks of a carrier, in stars.
    let minimumRating: Double?
    /// Nil where lateness costs nothing.
    let late: Late?
    /// Whether the carrier lets the owner follow the way now.
    let isFollowed: Bool

    /// - Parameter metres: rough distance for this reader; nil shows the exact one.
    init(_ parcel: Order.Parcel, of order: Order, metres: Int? = nil) {
        name = parcel.name
        description = parcel.description
        grams = parcel.grams
        isFragile = parcel.isFragile
        photo = parcel.photo?.text
        self.metres = metres ?? parcel.metres
        isFollowed = order.isFollowed
        minimumRating = parcel.minimumRating.map { Double($0.tenths) / 10 }
        late = parcel.late.map { terms in
            Late(
                seconds: terms.seconds, fallSeconds: terms.fallSeconds, lowestPercent: terms.lowestPercent,
                deliverBy: order.deliverBy, deliveredAt: parcel.delivery?.at, percent: parcel.delivery?.percent)
        }
    }
}
