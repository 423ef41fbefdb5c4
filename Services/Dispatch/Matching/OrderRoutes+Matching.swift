import Contracts
import Foundation
import Hummingbird
import Matching
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// Explains why an order got its provider, or none.
extension OrderRoutes {
    /// Lets only an admin of the order's market pass who is no party of it and is linked to none of its parties: what is
    /// for the desk alone is not shown to a customer, a provider or a relative who happens to be an admin.
    ///
    /// - Throws: ``OrderNotFound``
    func requireUninvolvedAdmin(of order: Order, _ caller: Caller, in transaction: PostgresTransaction) async throws {
        guard try caller.isAdmin(in: order.market), order.role(of: caller.accountID) == nil else {
            throw OrderNotFound()
        }
        let parties = [order.customer.account] + [order.provider?.account, order.merchant?.account].compactMap { $0 }
        let relative = [order.homeCare?.relative?.account].compactMap { $0 }
        let isLinked = try await transaction.first(
            IsLinkedToAny(account: caller.accountID, others: parties + relative))
        if isLinked != false { throw OrderNotFound() }
    }

    /// `GET {id}/matching`: a page of the order's rounds, for the market's admins only. It shows other providers'
    /// ratings, waiting times and travel times, so customer and providers must not see it. Each read is published for
    /// the audit log.
    func matching(_ request: Request, _ context: AuthenticatedContext) async throws -> MatchingView {
        let id = try context.uuid("id")
        guard let order = try await reader.pool.first(FindOrder(order: id))?.details().order else {
            throw OrderNotFound()
        }
        try await reader.pool.withTransaction(.readOnly) { transaction in
            try await requireUninvolvedAdmin(of: order, context.caller, in: transaction)
        }
        let page = try QueryForm(lenient: request).page(
            of: "matching", where: ["order": id.text], owner: context.caller.accountID, sealedBy: cursors)
        let after = Int(page.cursor?.values.first?.integer ?? 0)
        let (explanations, offers) = try await reader.pool.withTransaction { transaction in
            try transaction.publish(
                DispatchListViewed(
                    "matching", of: id, in: order.market, by: context.caller.accountID, isLater: page.cursor != nil,
                    at: clock()))
            return try await transaction.queryAll(
                ListExplanations(order: id, after: after, limit: page.fetchLimit), ListOffers(order: id))
        }
        let rounds = try page.answer(
            explanations, position: { [.integer(Int64($0.id))] }, item: { try MatchingView.Round($0) })
        return MatchingView(
            order: id.text, rounds: rounds.items, next: rounds.next, offers: offers.map(MatchingView.Offer.init))
    }
}

struct MatchingView: ResponseEncodable, Encodable, Sendable {
    struct Weighed: Encodable, Sendable {
        let provider: String
        /// Travel time to the order's start.
        let travelSeconds: Int
        /// Bonus for waiting; 0 or less.
        let fairnessSeconds: Int
        /// Penalty for missing stars; 0 or more.
        let ratingSeconds: Int
        /// For a meal: seconds by which all customers together would wait longer.
        let addedSeconds: Int?
        let cost: Int
    }

    struct LeftOut: Encodable, Sendable {
        let rule: String
        let count: Int
        /// The left-out providers; at most as many as are stored.
        let providers: [String]
    }

    struct Round: Encodable, Sendable {
        let at: Date
        let outcome: String
        /// The provider to whom the order was offered, or was to be.
        let provider: String?
        let stage: Int
        let radiusMetres: Int
        let weighedCount: Int
        let weighed: [Weighed]
        let leftOut: [LeftOut]
        /// The meals that were to be delivered together.
        let bundle: [String]?

        init(_ row: ListExplanations.Row) throws {
            let reasoning = try JSON.stored.decode(RoundReasoning.self, row.reasoning.text)
            at = row.at
            outcome = reasoning.outcome.rawValue
            provider = reasoning.provider?.text
            stage = reasoning.stage
            radiusMetres = reasoning.radiusMetres
            weighedCount = reasoning.weighedCount
            weighed = reasoning.weighed.map {
                Weighed(
                    provider: $0.provider.text, travelSeconds: $0.travel, fairnessSeconds: $0.fairness,
                    ratingSeconds: $0.rating, addedSeconds: $0.added,
                    cost: ($0.added ?? $0.travel) + $0.fairness + $0.rating)
            }
            bundle = reasoning.bundle?.map(\.text)
            leftOut = reasoning.leftOut.map {
                LeftOut(rule: $0.rule.rawValue, count: $0.count, providers: $0.providers.map(\.text))
            }
        }
    }

    struct Offer: Encodable, Sendable {
        let provider: String
        let offeredAt: Date
        /// Trigger that ended the offer; nil while it is open.
        let outcome: String?
        let endedAt: Date?

        init(_ row: ListOffers.Row) {
            provider = row.provider.text
            offeredAt = row.offeredAt
            outcome = row.outcome
            endedAt = row.endedAt
        }
    }

    let order: String
    /// Rounds of this page, oldest first.
    let rounds: [Round]
    /// Cursor of the next page.
    let next: String?
    /// All offers, on every page.
    let offers: [Offer]
}
