import ArgumentParser
import LiveMarkets
import Logging
import Messaging
import Postgres
import ServiceKit

struct DispatchService: RepublishingService {
    static let name = "dispatch"
    static let about = "Runs orders: who does what, for whom, and how it ends."
    static let keys =
        ProviderParts.keys + PlaceParts.keys + [DispatchRole.key.erased, DispatchRole.lanesKey.erased]
    static let migrations =
        MessagingMigrations.all + IdempotencyStore.migrations + EndedSessions.migrations
        + AccountDeletionGuard.migrations
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
            migration(10, "series", PackageResources._010_series_sql),
            migration(11, "quotes", PackageResources._011_quotes_sql),
            migration(12, "restaurants", PackageResources._012_restaurants_sql),
            migration(13, "bikes", PackageResources._013_bikes_sql),
            migration(14, "bans", PackageResources._014_bans_sql),
            migration(15, "customers", PackageResources._015_customers_sql),
            migration(16, "searches and relatives", PackageResources._016_searches_and_relatives_sql),
            migration(17, "retention", PackageResources._017_retention_sql),
            migration(18, "searches", PackageResources._018_searches_sql),
            migration(19, "meals", PackageResources._019_meals_sql),
            migration(20, "newest word about bans", PackageResources._020_newest_word_about_bans_sql),
            migration(21, "trips", PackageResources._021_trips_sql),
            migration(22, "roles by account", PackageResources._022_roles_by_account_sql),
            migration(23, "lost roles", PackageResources._023_lost_roles_sql),
            migration(24, "blocks", PackageResources._024_blocks_sql),
            migration(25, "photos", PackageResources._025_photos_sql),
            migration(26, "currencies", PackageResources._026_currencies_sql),
            migration(27, "promo codes and methods", PackageResources._027_promo_codes_and_methods_sql),
            migration(28, "trails", PackageResources._028_trails_sql),
            migration(29, "ban_plan", PackageResources._029_ban_plan_sql),
            migration(30, "acceptance times", PackageResources._030_acceptance_times_sql),
            migration(31, "search names", PackageResources._031_search_names_sql),
            migration(32, "how series are paid", PackageResources._032_how_series_are_paid_sql),
            migration(33, "rough ways of the board", PackageResources._033_rough_ways_of_the_board_sql),
            migration(34, "steady walks", PackageResources._034_steady_walks_sql),
            migration(35, "what customers got back", PackageResources._035_what_customers_got_back_sql),
            migration(36, "copies that are told again", PackageResources._036_copies_that_are_told_again_sql),
        ]
    static let catalogues: [Language: [UInt8]] = [
        .english: PackageResources.en_json, .arabic: PackageResources.ar_json,
    ]
    static let commands: [any AsyncParsableCommand.Type] = [
        MarketsCommand.self, WorkflowCommand.self, RepublishCommand<Self>.self, RebuildCommand<Self>.self,
    ]

    static func republished(_ pool: PostgresPool, _ logger: Logger) async throws -> [RepublishedKind] {
        [RepublishOrders.kind]
    }

    static func compose(_ bootstrap: ServiceBootstrap) async throws -> [ServiceComponent] {
        try await DispatchParts(bootstrap).components
    }

    private static func migration(_ version: Int, _ name: String, _ sql: [UInt8]) -> Migration {
        Migration(component: Self.name, version: version, name: name, sql: String(decoding: sql, as: UTF8.self))
    }
}
