import ArgumentParser
import Contracts
import Foundation
import LiveMarkets
import Logging
import Messaging
import Postgres
import ServiceKit

struct WalletService: FeatureService, RepublishingService, RebuildingService {
    static let name = "wallet"
    static let about = "Holds, divides and gives back money, in a ledger of double entry."
    static let keys = WalletConfiguration.all
    static let layerMigrations = AccountDeletionGuard.migrations + LiveMarkets.migrations
    static let ownMigrations = MigrationFiles.all + [.appendOnly()]
    static let catalogues: [Language: [UInt8]] = [
        .english: PackageResources.en_json, .arabic: PackageResources.ar_json,
    ]
    static let openAPI = PackageResources.openapi_yaml
    static let commands: [any AsyncParsableCommand.Type] = [
        VerifyCommand.self, RepublishMethodsCommand.self, MeasureCommand.self, RepublishCommand<Self>.self,
        RebuildCommand<Self>.self,
    ]

    static func parts(_ base: ServiceBase) throws -> WalletParts { try WalletParts(base) }

    static func features(_ parts: WalletParts) -> [Feature] {
        [
            parts.markets.feature, .ledger(parts), .payments(parts), .charges(parts), .cards(parts), .topUps(parts),
            .refunds(parts), .cashOuts(parts), .subscriptions(parts), .promotions(parts), .fines(parts), .debts(parts),
            .disputes(parts), .approvals(parts), .statements(parts), .accounts(parts), .paymentProvider(parts),
            .applePay(parts),
            .retelling(Self.self, "payments", as: "payments", pool: parts.pool, logger: parts.logger),
            .operating(Self.self, pool: parts.pool, cursors: parts.sealer, clock: parts.clock),
        ]
    }

    static func record(_ read: RecordedRead, at now: Date, in transaction: PostgresTransaction) throws {
        try transaction.publish(
            WalletListViewed(
                market: read.market, list: read.list, filter: read.filter, isFile: read.isFile, by: read.by, at: now))
    }

    static func record(_ act: OperatorAct, at now: Date, in transaction: PostgresTransaction) throws {
        try transaction.publish(
            WalletDeadMessageManaged(
                act: act.kind.rawValue, message: act.message, details: act.details, by: act.by, at: now))
    }

    static let copies = [
        CopiedKind("settings", from: "admin republish") { pool in try await LiveMarkets.doubt(pool) }
    ]

    static func republished(_ pool: PostgresPool, _ logger: Logger) async throws -> [RepublishedKind] {
        RepublishMoney(pool: pool, markets: LiveMarkets(pool: pool, logger: logger), clock: { Date() }).kinds
    }
}
