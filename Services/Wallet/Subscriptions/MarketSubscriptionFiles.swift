import Contracts
import Foundation
import Hummingbird
import Messaging
import NIOCore
import Postgres
import ServiceKit

/// Serves a market's subscribers and plan figures as CSV files to its admins.
struct MarketSubscriptionFiles {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/subscribers.csv", use: subscribers)
        group.get("markets/{market}/subscription-figures.csv", use: figures)
    }

    @Sendable private func subscribers(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let query = QueryForm(request)
        let state = query.choice("state", of: Subscription.State.self)
        let plan = query.uuid("plan")
        let account = query.uuid("account")
        try query.finish()
        let (pool, language) = (parts.pool, context.language.rawValue)
        return try await StreamCSV(
            name: "subscribers-\(market.id)",
            head: Subscription.columns.map { $0.text(in: language) },
            part: { after, limit in
                try await pool.query(
                    ListSubscribers(
                        market: market.id, state: state, plan: plan, account: account, after: after, limit: limit))
            }, position: { ($0.endsAt, $0.subscription.id) },
            line: { row in
                let subscription = row.subscription
                return [
                    .text(subscription.id.text), .text(subscription.account.text), .text(row.name),
                    .text(row.plan.text), .text(LocalizedText(row.planName).text(in: language)),
                    .text(subscription.state.name.text(in: language)), .text(row.startsAt.map(Timestamp.text)),
                    .text(Timestamp.text(row.endsAt)), .number(row.price), .text(subscription.currency),
                    .text(row.method.name.text(in: language)),
                    .text(Subscription.renewal(subscription.renews).text(in: language)),
                    .text(subscription.renews ? subscription.method.name.text(in: language) : nil),
                ]
            }
        ).response()
    }

    /// One line per plan; a market has few plans.
    @Sendable private func figures(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let query = QueryForm(request)
        let (from, to) = (query.date("from"), query.date("to"))
        try query.finish()
        let figures = try await parts.pool.query(SumPlans(market: market.id, from: from, to: to))
        let language = context.language.rawValue
        let head = SubscriptionPlan.columns.map { $0.text(in: language) }
        let lines = figures.map { row -> [CSVLine.Cell] in
            [
                .text(row.plan.id.text), .text(LocalizedText(row.plan.name).text(in: language)),
                .text(row.plan.period.name.text(in: language)), .number(row.plan.price), .text(row.plan.currency),
                .text(row.plan.endedAt.map(Timestamp.text)), .number(row.subscribers), .number(row.periods),
                .number(row.renewals), .number(row.profit),
            ]
        }
        let text = ([head.map { .text($0) }] + lines).map(CSVLine.text).joined()
        return .csv(
            name: "subscription-figures-\(market.id)",
            body: ResponseBody(byteBuffer: ByteBuffer(string: CSVLine.byteOrderMark + text)))
    }
}
