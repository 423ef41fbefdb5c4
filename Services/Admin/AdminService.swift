import ArgumentParser
import Contracts
import Foundation
import Logging
import Messaging
import Postgres
import ServiceKit

struct AdminService: FeatureService, RepublishingService, RebuildingService {
    static let name = "admin"
    static let about =
        "Settings and catalogues of markets, the audit log, and what admins see of people, orders and money."
    static let keys =
        OpenMeteo.keys + [
            SiteRoutes.urlKey.erased, SeedContent.key.erased, FeedClient.privateKey.erased,
            CommonKeys.lateDatabaseURL.erased,
        ]
    static let ownMigrations = MigrationFiles.all + [.appendOnly()]
    static let catalogues: [Language: [UInt8]] = [
        .english: PackageResources.en_json, .arabic: PackageResources.ar_json,
    ]
    static let openAPI = PackageResources.openapi_yaml
    static let commands: [any AsyncParsableCommand.Type] = [RepublishCommand<Self>.self, RebuildCommand<Self>.self]

    /// Every event of every service comes here, and nobody waits for it. Of an order with several events in a batch only the
    /// newest snapshot is written.
    static var consuming: ConsumerRunner.Configuration {
        var consuming = ConsumerRunner.Configuration()
        consuming.workers = 1
        consuming.batchLimit = 200
        consuming.batchWindow = .milliseconds(200)
        return consuming
    }

    static func parts(_ base: ServiceBase) throws -> AdminRoutes {
        let logger = base.bootstrap.logger
        let configuration = base.bootstrap.configuration
        let weather = try OpenMeteo(configuration).map { WeatherDesk(source: $0, logger: logger) }
        return AdminRoutes(
            pool: base.pool, replica: try base.bootstrap.lateReads(on: base.pool.thread), sealer: base.cursors,
            idempotency: base.idempotency, clock: base.clock,
            catalogue: base.bootstrap.catalogue, logger: logger, weather: weather,
            siteURL: try configuration[SiteRoutes.urlKey], seedsContent: try configuration[SeedContent.key],
            feedAddress: OutgoingAddress(allowsPrivate: try configuration[FeedClient.privateKey]))
    }

    static func features(_ routes: AdminRoutes) -> [Feature] {
        [
            .settings(routes), .catalogue(routes), .content(routes), .site(routes), .feeds(routes), .orders(routes),
            .money(routes),
            .people(routes),
            .reports(routes), .statistics(routes), .audit(routes), .retention(routes), .guide(routes), .rebuild(routes),
            .operating(Self.self, pool: routes.pool, cursors: routes.sealer, clock: routes.clock),
        ]
    }

    static let copies = RebuildReadModels.Part.allCases.map { part in
        CopiedKind(part.rawValue, from: part.source) { pool in
            try await RebuildReadModels(pool: pool)([part], empties: true, at: Date())
        } doubt: { pool in
            try await RebuildReadModels(pool: pool)([part], empties: false, at: Date())
        }
    }

    static func republished(_ pool: PostgresPool, _ logger: Logger) async throws -> [RepublishedKind] {
        [RepublishSettings.kind, RepublishCatalogue.kind, TellTerms.republished { Date() }]
    }

    static func record(_ read: RecordedRead, at now: Date, in transaction: PostgresTransaction) throws {
        transaction.send(InsertAudit(try AuditEntry.read(read, at: now)))
    }

    static func record(_ act: OperatorAct, at now: Date, in transaction: PostgresTransaction) throws {
        transaction.send(
            InsertAudit(
                try AuditEntry.deadMessage(
                    .timeOrdered(), act.kind.rawValue, act.message, act.details, by: act.by, of: name, at: now)))
    }
}
