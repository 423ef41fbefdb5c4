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

        // A meal that ended without a courier is the restaurant's alone; a hire has nobody to rate.
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
                market: order.market, account: other.account, role: isProvider ? .customer : .provider,
                stars: restaurant == nil ? input.stars : input.serviceStars ?? input.stars))
        if restaurant == nil, let merchant = order.merchant, let stars = input.serviceStars {
            transaction.send(AddStars(market: order.market, account: merchant.account, role: .provider, stars: stars))
        }
        try transaction.publish(
            RatingGiven(
                order: id, market: order.market, from: account, to: other.account, by: OrderSnapshot.Actor(by),
                stars: input.stars, serviceStars: input.serviceStars, comment: input.comment, at: now))
        let rating = OrderDetails.Rating(
            stars: input.stars, serviceStars: input.serviceStars, comment: input.comment, at: now)
        return details.rated(rating, by: by)
    }
}
