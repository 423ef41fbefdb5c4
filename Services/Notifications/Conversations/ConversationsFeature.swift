import Contracts
import Foundation
import LiveMarkets
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

extension Feature {
    /// Lets the parties of an order write to each other, and everybody to the support.
    static func conversations(_ parts: NotificationsParts) -> Feature {
        let base = parts.base
        let purge = TalkPurge(
            pool: base.pool, markets: parts.markets, clock: parts.clock, logger: base.bootstrap.logger)
        return Feature(
            "conversations",
            routes: { routes in
                for add in ConversationsFeature.routes(parts) { add(routes) }
            },
            handlers: { TalkHandlers.register(parts.hub, parts.markets, in: &$0) },
            working: [ServiceComponent("talk purge", stage: .background, purge)],
            uploads: [ConversationRoutes.filePath: ConversationRoutes.maximumFileBytes])
    }
}

enum ConversationsFeature {
    static func routes(_ parts: NotificationsParts) -> [@Sendable (ServiceRoutes) -> Void] {
        let (base, metrics) = (parts.base, parts.base.bootstrap.registry)
        let talk = ConversationRoutes(
            pool: base.pool, markets: parts.markets, hub: parts.hub, idempotency: base.idempotency,
            cursors: base.cursors, metrics: metrics, clock: parts.clock)
        let inquiries = InquiryRoutes(
            pool: base.pool, send: SendMessage(hub: parts.hub, markets: parts.markets), idempotency: base.idempotency,
            cursors: base.cursors, metrics: metrics, clock: parts.clock)
        let desk = DeskRoutes(
            pool: base.pool, hub: parts.hub, idempotency: base.idempotency, cursors: base.cursors, clock: parts.clock)
        let canned = CannedAnswerRoutes(
            pool: base.pool, markets: parts.markets, idempotency: base.idempotency, clock: parts.clock)
        let waiting = WaitingTalkRoutes(pool: base.pool)
        return [
            { talk.add(to: $0) }, { inquiries.add(to: $0) }, { desk.add(to: $0.signedIn) },
            { waiting.add(to: $0.signedIn) }, { canned.add(to: $0.signedIn) },
        ]
    }
}

/// Deletes conversations and copies of orders after the retention time of their market (Q9), and what admins have of
/// deleted messages when nothing of the conversation is reported any more. Any number of processes
/// may run it.
struct TalkPurge: Service {
    static let batch = 200
    static let interval: Duration = .seconds(300)

    let pool: PostgresPool
    let markets: LiveMarkets
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "conversations not purged") {
            try await purge(at: clock())
        }
    }

    func purge(at now: Date) async throws {
        for market in Market.all {
            let start = markets.retentionStart(of: market, before: now)
            try await pool.executeInBatches(
                of: Self.batch, PurgeConversations(market: market.id, before: start, limit: Self.batch))
            try await pool.executeInBatches(
                of: Self.batch, PurgeTalkOrders(market: market.id, before: start, limit: Self.batch))
        }
        try await pool.executeInBatches(of: Self.batch, PurgeDeletedMessages(limit: Self.batch))
    }
}
