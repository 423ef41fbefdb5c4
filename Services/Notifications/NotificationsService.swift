import ArgumentParser
import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

struct NotificationsService: FeatureService, RebuildingService {
    static let name = "notifications"
    static let about = "Tells people what concerns them: a live stream and an inbox for each account."
    static let keys = NotificationsConfiguration.keys
    static let layerMigrations = LiveMarkets.migrations
    static let ownMigrations = MigrationFiles.all
    static let catalogues: [Language: [UInt8]] = [
        .english: PackageResources.en_json, .arabic: PackageResources.ar_json,
    ]
    static let openAPI = PackageResources.openapi_yaml
    static let commands: [any AsyncParsableCommand.Type] = [RebuildCommand<Self>.self]
    /// One transaction at a time: what comes meanwhile is its next batch, so the busier, the less each costs.
    static var consuming: ConsumerRunner.Configuration {
        var consuming = ConsumerRunner.Configuration()
        consuming.workers = 1
        consuming.batchLimit = 200
        consuming.batchSpacing = .milliseconds(20)
        return consuming
    }

    static func parts(_ base: ServiceBase) throws -> NotificationsParts {
        NotificationsParts(
            base, hub: StreamHub(limits: try NotificationsConfiguration.limits(base.bootstrap.configuration)))
    }

    static func features(_ parts: NotificationsParts) throws -> [Feature] {
        let gateways = try PushGateways(parts.base.bootstrap.configuration)
        return [
            parts.markets.feature, .inbox(parts), .adminInbox(parts), try .streams(parts), .notices(parts),
            try .deliveries(parts, gateways), try .devices(parts, gateways), try .choices(parts), try .webhooks(parts),
            .conversations(parts), try .calls(parts), try .generalNotices(parts),
            .operating(Self.self, pool: parts.base.pool, cursors: parts.base.cursors, clock: parts.clock),
        ]
    }

    static func record(_ act: OperatorAct, at now: Date, in transaction: PostgresTransaction) throws {
        try transaction.publish(
            NotificationsDeadMessageManaged(
                act: act.kind.rawValue, message: act.message, details: act.details, by: act.by, at: now))
    }

    static func record(_ read: RecordedRead, at now: Date, in transaction: PostgresTransaction) throws {
        try transaction.publish(
            NotificationsListViewed(
                market: read.market, list: read.list, filter: read.filter, isFile: read.isFile, by: read.by, at: now))
    }

    static let copies = [
        CopiedKind("people", from: "identity republish --only accounts") { pool in
            try await pool.executeInBatches(of: ResetPeopleVersions.limit, ResetPeopleVersions())
        },
        CopiedKind("orders", from: "dispatch republish --only orders") { pool in
            try await pool.executeInBatches(of: ResetTalkOrders.limit, ResetTalkOrders())
        },
        CopiedKind("settings", from: "admin republish") { pool in try await LiveMarkets.doubt(pool) },
    ]
}

/// The parts that the features share.
struct NotificationsParts: Sendable {
    let base: ServiceBase
    let hub: StreamHub
    let markets: LiveMarkets
    let texts: InboxTexts

    var clock: @Sendable () -> Date { base.clock }

    init(_ base: ServiceBase, hub: StreamHub) {
        self.base = base
        self.hub = hub
        markets = LiveMarkets(pool: base.pool, logger: base.bootstrap.logger)
        texts = InboxTexts(catalogue: base.bootstrap.catalogue)
    }
}
