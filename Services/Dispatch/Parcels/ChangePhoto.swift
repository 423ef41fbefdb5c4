import Foundation
import Messaging
import Postgres

/// Puts another photo on a parcel, or takes it off, as its owner may until it is picked up: a parcel of a series, or one
/// that a business has posted by an API key, gets its own picture this way (O11, X2).
struct ChangePhoto: Sendable {
    let usePhoto = UsePhoto()

    /// - Parameter photo: one of the owner's own photos; nil for none.
    /// - Throws: ``OrderNotFound`` for strangers and other kinds; ``OrderRefusal/wrongActor`` for the carrier;
    ///   ``OrderRefusal/wrongState(_:)`` from the pick-up on; ``PhotoRefusal/notOwn(field:)``
    func callAsFunction(
        _ photo: UUID?, of id: UUID, by account: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let (_, rows) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id))
        guard var details = try rows.first?.details(), let role = details.order.role(of: account),
            case .parcel(var parcel)? = details.order.particulars
        else { throw OrderNotFound() }
        guard role == .customer else { throw OrderRefusal.wrongActor }
        guard details.order.isBeforePickUp else { throw OrderRefusal.wrongState(details.order.state) }
        parcel.photo = photo
        details.order.particulars = .parcel(parcel)
        transaction.send(try UpdateParticulars(details.order))
        if let photo { try await usePhoto(photo, of: account, as: "photo", at: now, in: transaction) }
        return details
    }
}

extension Order {
    /// Whether the owner still has the parcel, as far as anybody has said.
    var isBeforePickUp: Bool { parcel != nil && [.pending, .requested, .accepted].contains(state) }
}
