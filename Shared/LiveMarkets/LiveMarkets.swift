public import Contracts
public import Logging
public import Messaging
import PollThread
public import Postgres
import SeraiJSON
public import ServiceKit
public import ServiceLifecycle
import Locks

/// The markets with the current settings and catalogues of their admins, as this process knows them.
///
/// A service that uses them consumes `admin.setting.changed.v1` and `admin.catalogue.changed.v1` (``register(in:)``), and
/// runs this as a component before its consumers, started when ``loaded()`` returns. Each process reads its schema's
/// tables once a second, so a change is effective everywhere about a second after it was received. Needs ``migrations``.
public final class LiveMarkets: Service {
    public static let migrations = [
        Migration(
            component: "markets", version: 1, name: "market_settings",
            sql: String(decoding: PackageResources._001_market_settings_sql, as: UTF8.self)),
        Migration(
            component: "markets", version: 2, name: "comments",
            sql: String(decoding: PackageResources._002_comments_sql, as: UTF8.self)),
        Migration(
            component: "markets", version: 3, name: "market_catalogue",
            sql: String(decoding: PackageResources._003_market_catalogue_sql, as: UTF8.self)),
    ]
    static let refreshInterval: Duration = .seconds(1)
    /// The interval until the table was read for the first time.
    static let firstInterval: Duration = .milliseconds(250)

    private let pool: PostgresPool
    private let logger: Logger
    private let settings: Mutex<[String: MarketSettings]>
    private let catalogue: Mutex<Catalogue>
    private let wasRead = Mutex(false)

    public init(pool: PostgresPool, logger: Logger) {
        self.pool = pool
        self.logger = logger
        settings = Mutex(Self.defaults)
        catalogue = Mutex(Catalogue())
    }

    private static var defaults: [String: MarketSettings] {
        Dictionary(uniqueKeysWithValues: Market.all.map { ($0.id, $0.defaults) })
    }

    /// The catalogues of all markets, with the rows that they were read from.
    private struct Catalogue: Sendable {
        var rows: [MarketCatalogueRow] = []
        var markets = Dictionary(uniqueKeysWithValues: Market.all.map { ($0.id, $0) })

        init() {}

        init(_ rows: [MarketCatalogueRow], _ logger: Logger) {
            self.rows = rows
            for (id, rows) in Dictionary(grouping: rows, by: \.market) {
                // A newer version of the program may have markets and entries that this one does not know.
                guard let market = markets[id] else { continue }
                markets[id] = market.with(
                    rows.compactMap { row in
                        do {
                            return try JSON.stored.decode(CatalogueEntry.self, row.entry.utf8)
                        } catch {
                            logger.error(
                                "entry not understood",
                                metadata: ["market": "\(id)", "section": "\(row.section)", "entry": "\(row.id)"])
                            return nil
                        }
                    })
            }
        }
    }

    /// Keeps what admins change, in every process of a service.
    public var feature: Feature {
        Feature(
            "markets", handlers: Self.register(in:),
            components: [ServiceComponent("markets", stage: .relay, self) { try await self.loaded() }])
    }

    /// Nil for an unknown market.
    public func settings(of market: String) -> MarketSettings? {
        settings.withLock { $0[market] }
    }

    /// The market with this id, with what its admins have changed of its catalogue.
    public func named(_ market: String) -> Market? { catalogue.withLock { $0.markets[market] } }

    public var all: [Market] { Market.all.map { named($0.id) ?? $0 } }

    /// The reasons of orders that are no person's own words; see ``OrderSnapshot/reasons``.
    public var reasons: Set<String> { OrderSnapshot.reasons.union(all.flatMap(\.reasons)) }

    /// Registers handlers that store the admins' changes, in the handler's transaction. Repeated and older changes do
    /// nothing.
    public static func register(in handlers: inout MessageHandlers) {
        handlers.on(SettingChanged.self) { received, transaction in
            let change = received.message
            transaction.send(
                StoreMarketSetting(
                    market: change.market, key: change.key, value: change.value, version: change.version))
        }
        handlers.on(SettingsTold.self) { received, transaction in
            let told = received.message
            transaction.send(StoreToldSettings(told: told))
            transaction.send(DropUntoldSettings(told: told))
        }
        handlers.on(CatalogueChanged.self) { received, transaction in
            let change = received.message
            let rows = try change.entries.map {
                try MarketCatalogueRow($0, of: change.market, version: change.version)
            }
            transaction.send(StoreCatalogueEntries(market: change.market, rows: rows, isTold: false))
        }
        handlers.on(CatalogueTold.self) { received, transaction in
            let told = received.message
            let rows = try told.entries.map { try MarketCatalogueRow($0.entry, of: told.market, version: $0.version) }
            transaction.send(StoreCatalogueEntries(market: told.market, rows: rows, isTold: true))
            transaction.send(DropUntoldEntries(told: told))
        }
    }

    /// Lets the settings and the catalogues of the next `admin republish` replace the stored ones, whatever their versions.
    public static func doubt(_ pool: PostgresPool) async throws {
        try await pool.withTransaction { transaction in
            try await transaction.execute(DoubtSettings())
            try await transaction.execute(DoubtCatalogue())
        }
    }

    /// Waits until the table was read once, however long the database is away. Components that use settings start after
    /// this: until then ``settings(of:)`` and ``named(_:)`` return the markets of their files, which an admin may have
    /// changed long ago.
    /// - Throws: when the task is cancelled.
    public func loaded() async throws {
        while !wasRead.withLock({ $0 }) { try await pool.thread.sleep(until: .now + .milliseconds(20)) }
    }

    /// Reads the tables now.
    public func refresh() async throws {
        var fresh = Self.defaults
        let (rows, entries) = try await pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(ListMarketSettings(), ListMarketCatalogue())
        }
        for row in rows {
            // A newer version of the program may have settings and markets that this one does not know.
            guard let key = MarketSettings.Key(rawValue: row.key), var market = fresh[row.market] else { continue }
            do {
                try market.set(key, to: row.value)
                fresh[row.market] = market
            } catch {
                logger.error("setting not understood", metadata: ["market": "\(row.market)", "key": "\(row.key)"])
            }
        }
        settings.withLock { $0 = fresh }
        // The texts of entries are read only when there are others.
        if catalogue.withLock({ $0.rows != entries }) {
            let read = Catalogue(entries, logger)
            catalogue.withLock { $0 = read }
        }
        wasRead.withLock { $0 = true }
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await self.refresh()
                } catch {
                    self.logger.warning("settings not read", metadata: ["error": "\(error)"])
                }
                let interval = self.wasRead.withLock { $0 } ? Self.refreshInterval : Self.firstInterval
                do { try await self.pool.thread.sleep(until: .now + interval) } catch { return }
            }
        }
    }
}
