import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("C8: subscribed providers", .timeLimit(.minutes(15)))
struct SubscriptionTests {
    @Test("C3, C8: where the market requires it only who is subscribed is found, asked and seen near by")
    func required() async throws {
        try await ProvidersGround.run { ground in
            let subscribed = try await ground.free("Subscribed")
            let expired = try await ground.free("Expired", metresNorth: 10)
            try await ground.free("Never", metresNorth: 20)
            try await ground.subscribe(subscribed, version: 1, until: 3_600)
            try await ground.subscribe(expired, version: 1, until: 3_600)
            try await ground.subscribe(expired, version: 2, until: -1)
            // An older word changes nothing.
            try await ground.subscribe(expired, version: 1, until: 3_600)
            #expect(try await ground.list().count == 3)
            try await ground.requireSubscription(true)
            #expect(try await ground.list() == [subscribed.lower])
            let near = try await ground.get("markets/assef/nearby?\(ProvidersGround.here)", as: UUID())
            #expect(near.items.count == 1)
            for (provider, isFound) in [(subscribed, true), (expired, false)] {
                let found = try await ground.pool.first(
                    FindFreeProvider(market: "assef", provider: provider, needsSubscription: true))
                #expect((found != nil) == isFound)
            }
            try await ground.requireSubscription(false)
            #expect(try await ground.list().count == 3)
        }
    }
}

extension ProvidersGround {
    /// As wallet's events are heard.
    fileprivate func subscribe(_ account: UUID, version: Int, until seconds: Double) async throws {
        try await pool.execute(
            StoreSubscription(
                market: "assef", account: account, version: version, endsAt: Date().addingTimeInterval(seconds)))
    }

    fileprivate func requireSubscription(_ isRequired: Bool) async throws {
        try await pool.execute(PutSetting(value: String(isRequired)))
        try await markets.refresh()
    }
}

private struct PutSetting: Statement {
    static let sql: SQL = """
        INSERT INTO market_settings (market, key, value, version) VALUES ('assef', 'subscriptionRequired', $1, 1)
        ON CONFLICT (market, key) DO UPDATE SET value = excluded.value
        """
    let value: String
    func bind(_ bindings: inout Bindings) { bindings.append(value) }
}
