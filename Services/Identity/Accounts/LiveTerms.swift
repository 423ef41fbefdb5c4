import Contracts
import Foundation
import Locks
import Logging
import Messaging
import PollThread
import Postgres
import SeraiJSON
import ServiceKit
import ServiceLifecycle

/// The terms that markets' admins have published (X8), as this process knows them. Each process reads them once a second,
/// as it does settings; until it has read them nothing is served.
final class LiveTerms: Service {
    static let refreshInterval: Duration = .seconds(1)
    static let firstInterval: Duration = .milliseconds(250)

    private let pool: PostgresPool
    private let logger: Logger
    private let terms = Mutex<[String: Market.Onboarding.Terms]>([:])
    private let wasRead = Mutex(false)

    init(pool: PostgresPool, logger: Logger) {
        (self.pool, self.logger) = (pool, logger)
    }

    /// What a market asks of people, with the terms of now.
    func current(_ market: String, in onboarding: Market.Onboarding) -> Market.Onboarding {
        guard let published = terms.withLock({ $0[market] }) else { return onboarding }
        var current = onboarding
        current.terms = published
        return current
    }

    var feature: Feature {
        Feature(
            "terms", handlers: { self.register(in: &$0) },
            components: [ServiceComponent("terms", stage: .relay, self) { try await self.loaded() }])
    }

    func register(in handlers: inout MessageHandlers) {
        handlers.on(TermsPublished.self) { received, transaction in
            transaction.send(try StoreMarketTerms(received.message))
        }
    }

    func refresh() async throws {
        let rows = try await pool.query(ListMarketTerms())
        let read = try rows.map { row in
            (
                row.market,
                Market.Onboarding.Terms(
                    version: row.version, text: try JSON.stored.decode(LocalizedText.self, row.words.utf8))
            )
        }
        terms.withLock { $0 = Dictionary(read) { first, _ in first } }
        wasRead.withLock { $0 = true }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await self.refresh()
                } catch {
                    self.logger.warning("terms not read", metadata: ["error": "\(error)"])
                }
                let interval = self.wasRead.withLock { $0 } ? Self.refreshInterval : Self.firstInterval
                do { try await self.pool.thread.sleep(until: .now + interval) } catch { return }
            }
        }
    }

    private func loaded() async throws {
        while !wasRead.withLock({ $0 }) { try await pool.thread.sleep(until: .now + .milliseconds(20)) }
    }
}

struct StoreMarketTerms: Statement {
    static let sql: SQL = """
        INSERT INTO market_terms (market, version, words, number) VALUES ($1, $2, $3, $4)
        ON CONFLICT (market) DO UPDATE
        SET version = excluded.version, words = excluded.words, number = excluded.number
        WHERE market_terms.number < excluded.number
        """
    let told: TermsPublished
    private let words: String

    init(_ told: TermsPublished) throws {
        self.told = told
        words = try JSON.stored.text(told.text)
    }

    func bind(_ bindings: inout Bindings) { bindings.append(told.market, told.version, words, told.number) }
}

struct MarketTermsRow: Sendable {
    let market: String
    let version: String
    /// JSON.
    let words: String
}

struct ListMarketTerms: Statement {
    static let sql: SQL = "SELECT market, version, words FROM market_terms"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> MarketTermsRow {
        MarketTermsRow(market: try row.next(), version: try row.next(), words: try row.next())
    }
}

/// Lets the terms of the next `admin republish` replace the stored ones.
struct DoubtMarketTerms: Statement {
    static let sql: SQL = "UPDATE market_terms SET number = 0"
}
