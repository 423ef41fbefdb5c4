public import Contracts
public import Logging
public import Messaging
import PollThread
public import Postgres
public import ServiceKit
public import ServiceLifecycle
import Locks

/// The markets with the current settings of their admins, as this process knows them.
///
/// A service that uses settings consumes `admin.setting.changed.v1` (``register(in:)``) and runs this as a component before
/// its consumers, started when ``loaded()`` returns. Each process reads its schema's table once a second, so a change
/// is effective everywhere about a second after it was received. Needs ``migrations``.
public final class LiveMarkets: Service {
    public static let migrations = [
        Migration(
            component: "markets", version: 1, name: "market_settings",
            sql: String(decoding: PackageResources._001_market_settings_sql, as: UTF8.self)),
        Migration(
            component: "markets", version: 2, name: "comments",
            sql: String(decoding: PackageResources._002_comments_sql, as: UTF8.self)),
    ]
    static let refreshInterval: Duration = .seconds(1)
    /// The interval until the table was read for the first time.
    static let firstInterval: Duration = .milliseconds(250)

    private let pool: PostgresPool
    private let logger: Logger
    private let settings: Mutex<[String: MarketSettings]>
    private let wasRead = Mutex(false)

    public init(pool: PostgresPool, logger: Logger) {
        self.pool = pool
        self.logger = logger
        settings = Mutex(Self.defaults)
    }

    private static var defaults: [String: MarketSettings] {
        Dictionary(uniqueKeysWithValues: Market.all.map { ($0.id, $0.defaults) })
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
    }

    /// Lets the settings of the next `admin republish` replace the stored ones, whatever their versions.
    public static func doubt(_ pool: PostgresPool) async throws {
        _ = try await pool.execute(DoubtSettings())
    }

    /// Waits until the table was read once, however long the database is away. Components that use settings start after
    /// this: until then ``settings(of:)`` returns the markets' initial settings, which an admin may have changed long
    /// ago.
    /// - Throws: when the task is cancelled.
    public func loaded() async throws {
        while !wasRead.withLock({ $0 }) { try await pool.thread.sleep(until: .now + .milliseconds(20)) }
    }

    /// Reads the table now.
    public func refresh() async throws {
        var fresh = Self.defaults
        for row in try await pool.query(ListMarketSettings()) {
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
