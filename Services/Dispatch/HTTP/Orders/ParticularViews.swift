import Foundation
import Matching
import Messaging

/// What is carried.
struct ParcelView: Encodable, Sendable {
    let name: String
    let description: String?
    let grams: Int
    let isFragile: Bool
    let photo: String?
    /// From the origin to the destination, as the crow flies.
    let metres: Int

    init(_ parcel: Order.Parcel) {
        name = parcel.name
        description = parcel.description
        grams = parcel.grams
        isFragile = parcel.isFragile
        photo = parcel.photo?.text
        metres = parcel.metres
    }
}

/// A bike of a rack.
struct BikeView: Encodable, Sendable {
    let rack: String
    let bike: String?
    /// What the hire costs by its time, in minor units.
    let perMinute: Int?

    init(_ bike: Order.Bike) {
        rack = bike.rack.text
        self.bike = bike.bike?.text
        perMinute = bike.tariff?.perMinute
    }
}

/// A visit of a care partner.
struct CareView: Encodable, Sendable {
    struct Relative: Encodable, Sendable {
        let account: String
        let name: String
    }

    /// For whom, when that is not the customer.
    let relative: Relative?
    /// Whom the customer would like; not for the partner who was sent.
    let preferred: String?
    let minutes: Int
    /// Whether an admin ordered it for a caller.
    let isByPhone: Bool

    init(_ care: Order.HomeCare, for role: OrderActor) {
        relative = care.relative.map { Relative(account: $0.account.text, name: $0.name) }
        preferred = role == .provider ? nil : care.preferred?.text
        minutes = care.minutes
        isByPhone = care.orderedBy != nil
    }
}
