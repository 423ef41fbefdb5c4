import ArgumentParser
import Contracts
import Foundation
import LiveMarkets
import Logging
import Messaging
import Postgres
import ServiceKit

/// Accounts, passwords, sessions and roles.
struct IdentityService: FeatureService, RepublishingService, RebuildingService {
    static let name = "identity"
    static let about = "Accounts, sessions and roles."
    static let keys = IdentityConfiguration.keys + OpenIDConfiguration.keys
    static let layerMigrations = LiveMarkets.migrations
    static let ownMigrations = MigrationFiles.all
    static let catalogues: [Language: [UInt8]] = [
        .english: PackageResources.en_json, .arabic: PackageResources.ar_json,
    ]
    static let openAPI = PackageResources.openapi_yaml
    static let commands: [any AsyncParsableCommand.Type] = [
        CreateKeysCommand.self, CreateAdminCommand.self, RotateSigningKeyCommand.self, RotateKeysCommand.self,
        MendNumbersCommand.self, RepublishCommand<Self>.self, RebuildCommand<Self>.self,
    ]

    /// Of each order its end and its ratings come here, and nobody waits for what follows from them.
    static var consuming: ConsumerRunner.Configuration {
        var consuming = ConsumerRunner.Configuration()
        consuming.workers = 1
        consuming.batchWindow = .milliseconds(100)
        return consuming
    }

    static func parts(_ base: ServiceBase) async throws -> IdentityParts { try await IdentityParts(base) }

    static func features(_ parts: IdentityParts) throws -> [Feature] {
        [
            parts.markets.feature, parts.terms.feature, .accounts(parts), .apiKeys(parts), .contacts(parts),
            .sessions(parts),
            .secondFactor(parts),
            .passwords(parts), .nafath(parts), .documents(parts), .places(parts), .links(parts),
            try .sharedPlaces(parts), .groups(parts), .bans(parts),
            .deletion(parts), .people(parts), .roles(parts), .admins(parts), try .keys(parts),
            .retelling(
                Self.self, "people", as: "accounts", pool: parts.pool, logger: parts.base.bootstrap.logger),
            .operating(Self.self, pool: parts.pool, cursors: parts.cursors, clock: parts.clock),
        ]
    }

    static func record(_ read: RecordedRead, at now: Date, in transaction: PostgresTransaction) throws {
        try transaction.publish(
            IdentityListViewed(
                market: read.market, list: read.list, filter: read.filter, isFile: read.isFile, by: read.by, at: now))
    }

    static func record(_ act: OperatorAct, at now: Date, in transaction: PostgresTransaction) throws {
        try transaction.publish(
            IdentityDeadMessageManaged(
                act: act.kind.rawValue, message: act.message, details: act.details, by: act.by, at: now))
    }

    static let copies = [
        CopiedKind("settings", from: "admin republish") { pool in try await LiveMarkets.doubt(pool) },
        CopiedKind("terms", from: "admin republish") { pool in try await pool.execute(DoubtMarketTerms()) },
    ]

    static func republished(_ pool: PostgresPool, _ logger: Logger) async throws -> [RepublishedKind] {
        RepublishPeople.kinds { Date() }
    }
}
