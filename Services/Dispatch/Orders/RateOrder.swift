import Contracts
import Foundation
import Messaging
import Postgres

/// Rates the other party of a completed order, once and without a way back. A restaurant rates the courier; in a meal
/// the customer's stars for the service are the restaurant's.
struct RateOrder: Sendable {
    struct Input: Sendable {
        /// 1...5, for the person.
        let stars: Int
        /// 1...5, for the service.
        let serviceStars: Int?
        let comment: String?
    }

    enum Refusal: Error, Equatable {
        case alreadyRated
        /// Only the customer rates the service, which is the provider's or the merchant's own.
        case serviceStarsByProvider
    }

    /// - Throws: ``OrderNotFound``, ``OrderRefusal``, ``Refusal``
    func callAsFunction(
        _ id: UUID, by account: UUID, _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let (_, rows) = try await transaction.queryAll(LockOrder(order: id), FindOrder(order: id))
        guard let details = try rows.first?.details(), let by = details.order.role(of: account) else {
            throw OrderNotFound()
        }
        let order = details.order
        guard order.state == .completed else { throw OrderRefusal.wrongState(order.state) }
        let isProvider = by == .provider
        if by != .customer, input.serviceStars != nil { throw Refusal.serviceStarsByProvider }
        guard details.rating(by: by) == nil else { throw Refusal.alreadyRated }

        if order.kind == Workflow.bikePickUp.kind {
            return try await rateHire(details, input, at: now, in: transaction)
        }
        // A meal that ended without a courier is the restaurant's alone.
        let restaurant = by == .customer && order.provider == nil ? order.merchant : nil
        let merchant = restaurant.map { Order.Party(account: $0.account, name: $0.name) }
        guard let other = isProvider ? order.customer : order.provider ?? merchant else {
            throw OrderRefusal.wrongActor
        }
        transaction.send(
            InsertRating(
                order: id, by: by, stars: input.stars, serviceStars: input.serviceStars, comment: input.comment, at: now
            ))
        transaction.send(
            AddStars(
                market: order.market, account: other.account,
                role: isProvider ? .customer : restaurant == nil ? .provider : .merchant,
                stars: restaurant == nil ? input.stars : input.serviceStars ?? input.stars))
        if restaurant == nil, let merchant = order.merchant, let stars = input.serviceStars {
            transaction.send(AddStars(market: order.market, account: merchant.account, role: .merchant, stars: stars))
        }
        try transaction.publish(
            RatingGiven(
                order: id, market: order.market, from: account, to: other.account, by: OrderSnapshot.Actor(by),
                stars: input.stars, serviceStars: input.serviceStars, comment: input.comment,
                merchant: by == .customer ? order.merchant?.account : nil, at: now))
        let rating = OrderDetails.Rating(
            stars: input.stars, serviceStars: input.serviceStars, comment: input.comment, at: now)
        return details.rated(rating, by: by)
    }

    /// Rates a hire, which nobody provides: the stars are the bike's, those for the service the racks' where it was taken
    /// and brought back. No person is told.
    private func rateHire(
        _ details: OrderDetails, _ input: Input, at now: Date, in transaction: PostgresTransaction
    ) async throws -> OrderDetails {
        let order = details.order
        guard let hire = order.bike else { throw OrderRefusal.wrongActor }
        transaction.send(
            InsertRating(
                order: order.id, by: .customer, stars: input.stars, serviceStars: input.serviceStars,
                comment: input.comment, at: now))
        if let bike = hire.bike { transaction.send(AddBikeStars(bike: bike, stars: input.stars)) }
        transaction.send(
            AddRackStars(order: order.id, rack: hire.rack, stars: input.serviceStars ?? input.stars))
        var rated = details
        rated.ratingByCustomer = OrderDetails.Rating(
            stars: input.stars, serviceStars: input.serviceStars, comment: input.comment, at: now)
        return rated
    }
}
