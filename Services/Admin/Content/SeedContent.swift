import Contracts
import Foundation
import Logging
import Messaging
import PollThread
import Postgres
import ServiceKit
import ServiceLifecycle

/// Gives each market the texts that it starts with, once. A section that ever had an entry is left alone, since its
/// admins may have changed all of it.
struct SeedContent: Service {
    static let key = ConfigurationKey<Bool>(
        "content.seeds", "Whether sections without texts get those that come with the program.", default: true)
    static let retry: Duration = .seconds(5)

    let pool: PostgresPool
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await self()
                    break
                } catch {
                    logger.warning("texts not stored", metadata: ["error": "\(error)"])
                }
                do { try await pool.thread.sleep(until: .now + Self.retry) } catch { return }
            }
        }
        // try?: the work is done, and a component ends with its service.
        try? await gracefulShutdown()
    }

    func callAsFunction() async throws {
        for market in Market.all {
            for (section, entries) in try ContentSeeds.entries(of: market.id) where !entries.isEmpty {
                try await pool.withTransaction { transaction in
                    try await seed(entries, in: section, of: market, transaction)
                }
            }
        }
    }

    private func seed(
        _ entries: [Content], in section: ContentSection, of market: Market, _ transaction: PostgresTransaction
    ) async throws {
        let now = clock()
        let rows = try await transaction.queryAll(
            LockContent(market: market.id, section: section),
            ListContent(market: market.id, section: section, at: now)
        ).1
        if section.isAccepted, let row = rows.first, row.changedBy == nil, let content = entries.first {
            // A newer program may bring other terms, which hold until an admin has written some.
            guard Content(stored: row.text) != content else { return }
            try publish(content, row.id, version: row.version + 1, at: now, transaction)
            transaction.send(SetContentVersion(entry: row.id, version: row.version + 1))
            return
        }
        guard rows.isEmpty else { return }
        for (index, content) in entries.enumerated() {
            let id = UUID.timeOrdered()
            transaction.send(InsertContentEntry(id: id, market: market.id, section: section, position: index + 1))
            try publish(content, id, version: 1, at: now, transaction)
        }
    }

    private func publish(
        _ content: Content, _ entry: UUID, version: Int, at now: Date, _ transaction: PostgresTransaction
    ) throws {
        transaction.send(try InsertContentVersion(content, of: entry, version: version, by: nil, at: now))
        transaction.send(PublishContentVersion(entry: entry, version: version, at: now, by: nil))
    }
}
