import ArgumentParser
import Contracts
import Foundation
import LiveMarkets
import Logging
import Messaging
import Postgres
import ServiceKit

struct DispatchService: FeatureService, RepublishingService {
    static let name = "dispatch"
    static let about = "Runs orders: who does what, for whom, and how it ends."
    static let keys =
        ProviderParts.keys + PlaceParts.keys + [DispatchConfiguration.role.erased, DispatchConfiguration.lanes.erased]
    static let layerMigrations = AccountDeletionGuard.migrations + LiveMarkets.migrations
    static let ownMigrations = MigrationFiles.all
    static let catalogues: [Language: [UInt8]] = [
        .english: PackageResources.en_json, .arabic: PackageResources.ar_json,
    ]
    static let openAPI = PackageResources.openapi_yaml
    static let commands: [any AsyncParsableCommand.Type] = [
        MarketsCommand.self, WorkflowCommand.self, RepublishCommand<Self>.self, RebuildCommand<Self>.self,
    ]

    static var relaying: Relay.Configuration? {
        var relaying = Relay.Configuration()
        relaying.spacing = .milliseconds(10)
        return relaying
    }

    static func role(_ configuration: ServiceConfiguration) throws -> ServiceRole {
        try configuration[DispatchConfiguration.role]
    }

    static func parts(_ base: ServiceBase) throws -> DispatchParts { try DispatchParts(base) }

    static func features(_ parts: DispatchParts) throws -> [Feature] {
        [
            parts.markets.feature, .orders(parts), try .matching(parts), .rides(parts), .restaurants(parts),
            .homeCare(parts), .desk(parts), .parcels(parts), try .bikes(parts), .series(parts), .quotes(parts),
            .photos(parts), .places(parts), .providers(parts), .positions(parts), .projections(parts),
            .retelling(Self.self, "orders", as: "orders", pool: parts.pool, logger: parts.base.bootstrap.logger),
            .operating(Self.self, pool: parts.pool, cursors: parts.base.cursors, clock: parts.clock),
        ]
    }

    static func republished(_ pool: PostgresPool, _ logger: Logger) async throws -> [RepublishedKind] {
        [RepublishOrders.kind]
    }

    static func record(_ read: RecordedRead, at now: Date, in transaction: PostgresTransaction) throws {
        try transaction.publish(
            DispatchListViewed(
                market: read.market, list: read.list, filter: read.filter, isFile: read.isFile, by: read.by,
                at: now))
    }

    static func record(_ act: OperatorAct, at now: Date, in transaction: PostgresTransaction) throws {
        try transaction.publish(
            DispatchDeadMessageManaged(
                act: act.kind.rawValue, message: act.message, details: act.details, by: act.by, at: now))
    }
}

enum DispatchConfiguration {
    static let role = ConfigurationKey<ServiceRole>(
        "role", "What this process does: api answers requests, worker runs rounds, deadlines and messages.",
        default: .all)
    static let lanes = ConfigurationKey<Int>(
        "rounds.parallel", "How many rounds a worker runs at once, each of another area.", default: 4, in: 1...64)
}
