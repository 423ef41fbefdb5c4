public import Contracts
public import Logging
public import Messaging
import PollThread
public import Postgres
public import ServiceLifecycle
import Locks

/// The markets with the settings that their admins have chosen, as this process knows them.
///
/// A service that runs by settings hears `admin.setting.changed.v1` (``hear(in:)``) and runs this as a component: each
/// process reads its schema's table again once a second, so a change holds everywhere within about a second of being
/// heard. Needs ``migrations``.
public final class LiveMarkets: Service {
    public static let migrations = [
        Migration(
            component: "markets", version: 1, name: "market_settings",
            sql: String(decoding: PackageResources._001_market_settings_sql, as: UTF8.self))
    ]
    static let refreshInterval: Duration = .seconds(1)

    private let pool: PostgresPool
    private let logger: Logger
    private let settings: Mutex<[String: MarketSettings]>

    public init(pool: PostgresPool, logger: Logger) {
        self.pool = pool
        self.logger = logger
        settings = Mutex(Self.defaults)
    }

    private static var defaults: [String: MarketSettings] {
        Dictionary(uniqueKeysWithValues: Market.all.map { ($0.id, $0.defaults) })
    }

    /// Nil for a market that there is not.
    public func settings(of market: String) -> MarketSettings? {
        settings.withLock { $0[market] }
    }

    /// Makes the handlers keep what admins change. In the handler's transaction; repeats and late ones do nothing.
    public static func hear(in handlers: inout MessageHandlers) {
        handlers.on(SettingChanged.self) { received, transaction in
            let change = received.message
            transaction.send(
                StoreMarketSetting(
                    market: change.market, key: change.key, value: change.value, version: change.version))
        }
    }

    /// Reads the table now. Components that need settings from their first moment on await this before they start.
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
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await self.refresh()
                } catch {
                    self.logger.warning("settings not read", metadata: ["error": "\(error)"])
                }
                do { try await self.pool.thread.sleep(until: .now + Self.refreshInterval) } catch { return }
            }
        }
    }
}
