import ArgumentParser
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

struct DispatchService: SeraiService {
    static let name = "dispatch"
    static let about = "Runs orders: who does what, for whom, and how it ends."
    static let keys = ProviderParts.keys + PlaceParts.keys
    static let migrations =
        MessagingMigrations.all + IdempotencyStore.migrations + EndedSessions.migrations + LeavingAccounts.migrations
        + LiveMarkets.migrations + [
            migration(1, "people", PackageResources._001_people_sql),
            migration(2, "orders", PackageResources._002_orders_sql),
            migration(3, "positions", PackageResources._003_positions_sql),
            migration(4, "endings and reports", PackageResources._004_endings_and_reports_sql),
            migration(5, "subscriptions", PackageResources._005_subscriptions_sql),
            migration(6, "orders of every kind", PackageResources._006_orders_of_every_kind_sql),
            migration(7, "board", PackageResources._007_board_sql),
            migration(8, "earnings", PackageResources._008_earnings_sql),
            migration(9, "home care", PackageResources._009_home_care_sql),
            placeMigration(1, "series", PackageResources._020_series_sql),
            placeMigration(2, "quotes", PackageResources._021_quotes_sql),
            placeMigration(3, "restaurants", PackageResources._022_restaurants_sql),
            placeMigration(4, "bikes", PackageResources._023_bikes_sql),
        ]
    static let catalogues: [Language: [UInt8]] = [
        .english: PackageResources.en_json, .arabic: PackageResources.ar_json,
    ]
    static let commands: [any AsyncParsableCommand.Type] = [MarketsCommand.self, WorkflowCommand.self]

    static func compose(_ bootstrap: ServiceBootstrap) async throws -> [ServiceComponent] {
        try await DispatchParts(bootstrap).components
    }

    /// Of what ``PlaceParts`` keeps: counted by itself, behind the others.
    private static func placeMigration(_ version: Int, _ name: String, _ sql: [UInt8]) -> Migration {
        Migration(component: "dispatch places", version: version, name: name, sql: String(decoding: sql, as: UTF8.self))
    }

    private static func migration(_ version: Int, _ name: String, _ sql: [UInt8]) -> Migration {
        Migration(component: Self.name, version: version, name: name, sql: String(decoding: sql, as: UTF8.self))
    }
}
