import AsyncHTTPClient
import Contracts
import Foundation
import Messaging
import NIOCore
import NIOHTTP1
import Phones
import Postgres
import TestKit
import Testing

@Suite("A slow start", .timeLimit(.minutes(15)))
struct SettingStartFlowTests {
    @Test("P2: a service that cannot read its settings yet takes no message and no request, and then works by them")
    func settings() async throws {
        try await Platform.withPlatform { platform in
            let desk = try await AdminDesk.signIn(platform)
            try await desk.change([.commissionBasisPoints: "2000"], in: "assef")
            for service in ["wallet", "dispatch"] {
                let queue = "\(service).events"
                try await platform.kill(service)
                try await rename("market_settings", to: "away", in: service, of: platform)
                try platform.launch(service)
                // Whoever takes this finds it unreadable, and it becomes a dead letter.
                try await platform.host.publish("early", routingKey: queue)
                // Longer than anybody who gives up would wait.
                try await eventually(within: .seconds(150), "\(service) has tried for more than 5 s") {
                    platform.log(service).components(separatedBy: "settings not read").count > 25
                }
                #expect(try await platform.host.queueDepth(queue) == 1, "\(service)")
                #expect(await !isReady(service, platform))
                try await rename("away", to: "market_settings", in: service, of: platform)
                try await platform.isReady(service)
                try await withPool(of: service, on: platform) { pool in
                    try await eventually("it takes messages") { try await DeadMessages.waiting(in: pool) == 1 }
                }
            }
            let pair = try await Pair.meet(on: platform)
            _ = try await pair.completed()
            #expect(try await pair.balances() == [0, Pair.total - Pair.total * 2_000 / 10_000])
        }
    }

    private func rename(_ table: String, to other: String, in schema: String, of platform: Platform) async throws {
        try await withPool(of: schema, on: platform) { pool in
            try await pool.runOutsideTransaction("ALTER TABLE \(table) RENAME TO \(other)")
        }
    }

    private func withPool(
        of schema: String, on platform: Platform, _ body: (PostgresPool) async throws -> Void
    ) async throws {
        let configuration = PostgresPool.Configuration(
            PostgresConfiguration(dsn: platform.database.dsn, schema: schema))
        let pool = PostgresPool(configuration, thread: TestThreads.postgres, logger: TestThreads.logger)
        do { try await body(pool) } catch {
            await pool.close()
            throw error
        }
        await pool.close()
    }

    private func isReady(_ service: String, _ platform: Platform) async -> Bool {
        guard let address = platform.addresses[service]?.first else { return false }
        // try?: nobody listens.
        let answer = try? await HTTPClient.shared.execute(
            HTTPClientRequest(url: "\(address)/health/ready"), timeout: .seconds(2))
        return answer?.status == .ok
    }
}
