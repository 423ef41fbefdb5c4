import Contracts
import Foundation
import LiveMarkets
import Messaging
import PollThread
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("N1: who is told of what")
struct ToldTableTests {
    private struct Row {
        let name: String
        let told: String
        let reason: String
    }

    private static func rows() throws -> [Row] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/who-is-told.md"), encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            guard let row = line.wholeMatch(of: /\| `([a-z0-9_.]+)` \| (\w+) \| (.+) \|/) else { return nil }
            return Row(name: String(row.1), told: String(row.2), reason: String(row.3))
        }
    }

    @Test("N1: every message stands once in the table, as told to somebody, or with the reason why to nobody")
    func complete() throws {
        let rows = try Self.rows()
        #expect(rows.map(\.name).sorted() == AllMessages.types.map { $0.name.text }.sorted())
        for row in rows {
            #expect(["people", "admins", "both", "nobody"].contains(row.told), "\(row.name)")
            #expect(row.reason.count > 5, "\(row.name)")
        }
    }

    @Test("N1: what the table says to be told is heard by this service")
    func heard() async throws {
        let thread = PollThread(name: "told")
        defer { thread.stop() }
        let pool = PostgresPool(
            PostgresPool.Configuration(PostgresConfiguration(dsn: "postgresql://nobody@127.0.0.1:1/none")),
            thread: thread, logger: TestThreads.logger)
        let (hub, markets) = (StreamHub(), LiveMarkets(pool: pool, logger: TestThreads.logger))
        var handlers = MessageHandlers()
        NotificationHandlers.register(hub, markets, { Date() }, in: &handlers)
        TalkHandlers.register(hub, markets, in: &handlers)
        let heard = Set(handlers.names.map(\.text))
        for row in try Self.rows() where row.told != "nobody" {
            #expect(heard.contains(row.name), "\(row.name) is told to \(row.told), and nobody hears it")
        }
        await pool.close()
    }
}
