import Foundation
import Hummingbird
import Matching
import Messaging
import Postgres
import ServiceKit

/// Why an order got the provider that it got, or none.
extension OrderRoutes {
    /// `GET {id}/matching`: a page of its rounds, for the admins of its market. Neither customer nor providers: it says of
    /// others what they are rated, how long they have waited and where, in seconds, they were.
    func matching(_ request: Request, _ context: AuthenticatedContext) async throws -> MatchingView {
        let id = try context.uuid("id")
        guard let order = try await reader.pool.first(FindOrder(order: id))?.details().order,
            context.caller.has("admin", in: order.market)
        else { throw OrderNotFound() }
        let scope = CursorScope(
            list: "matching", filters: ["order": id.text], owner: context.caller.accountID.uuidString)
        let page = try PageRequest(request, scope: scope, sealer: cursors)
        let after = Int(page.cursor?.values.first?.integer ?? 0)
        let (explanations, offers) = try await reader.pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                ListExplanations(order: id, after: after, limit: page.fetchLimit), ListOffers(order: id))
        }
        let rounds = try Page(
            rows: explanations, request: page, direction: .ascending, scope: scope, sealer: cursors,
            position: { [.integer(Int64($0.id))] }, item: { try MatchingView.Round($0) })
        return MatchingView(
            order: id.text, rounds: rounds.items, next: rounds.next, offers: offers.map(MatchingView.Offer.init))
    }
}

struct MatchingView: ResponseEncodable, Encodable, Sendable {
    struct Weighed: Encodable, Sendable {
        let provider: String
        /// To the order.
        let travelSeconds: Int
        /// What waiting made good; 0 or less.
        let fairnessSeconds: Int
        /// What missing stars counted as; 0 or more.
        let ratingSeconds: Int
        /// Of a meal: by how much all customers together would wait longer.
        let addedSeconds: Int?
        let cost: Int
    }

    struct LeftOut: Encodable, Sendable {
        let rule: String
        let count: Int
        /// All of them, or of very many as many as are kept.
        let providers: [String]
    }

    struct Round: Encodable, Sendable {
        let at: Date
        let outcome: String
        /// Whom it was offered to, or was to be.
        let provider: String?
        let stage: Int
        let radiusMetres: Int
        let weighedCount: Int
        let weighed: [Weighed]
        let leftOut: [LeftOut]
        /// Meals that were to be brought together.
        let bundle: [String]?

        init(_ row: ListExplanations.Row) throws {
            let reasoning = try JSONDecoder().decode(RoundReasoning.self, from: Data(row.reasoning.text))
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
        /// The trigger that ended it; nil while it is open.
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
    /// Of this page, the oldest first.
    let rounds: [Round]
    /// The cursor of the next page.
    let next: String?
    /// All, on every page.
    let offers: [Offer]
}
