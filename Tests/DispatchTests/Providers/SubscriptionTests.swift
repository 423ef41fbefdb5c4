import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("C8: subscribed providers", .timeLimit(.minutes(15)))
struct SubscriptionTests {
    @Test("C3, C8: where the market requires it only who is subscribed is found, asked and seen near by")
    func required() async throws {
        try await ProvidersGround.run { ground in
            let subscribed = try await ground.free("Subscribed", isSubscribed: false)
            let expired = try await ground.free("Expired", metresNorth: 10, isSubscribed: false)
            try await ground.free("Never", metresNorth: 20, isSubscribed: false)
            try await ground.subscribe(subscribed, version: 1, until: 3_600)
            try await ground.subscribe(expired, version: 1, until: 3_600)
            try await ground.subscribe(expired, version: 2, until: -1)
            // An older word changes nothing.
            try await ground.subscribe(expired, version: 1, until: 3_600)
            // As Assef begins.
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

    @Test("C3, C8: a provider is told why nobody sees her, first that she has no subscription, once as a notice")
    func unseen() async throws {
        try await ProvidersGround.run { ground in
            let nurse = try await ground.tell()
            func state(_ body: String? = nil) async throws -> ProviderAnswer {
                guard let body else {
                    return try await ground.get(AvailabilityTests.path, as: nurse, "provider", language: "en")
                }
                return try await ground.put(AvailabilityTests.path, body, as: nurse)
            }
            func reason(_ answer: ProviderAnswer) -> String? {
                #expect((answer.json["isSeen"] == true) == (answer.json["unseenBecause"] == nil))
                return answer.json["unseenBecause"]?.asText
            }
            #expect(reason(try await state()) == "no-prices")
            try await ground.pool.execute(
                StoreOfferings(
                    market: "assef", account: nurse, offerings: [Offering(service: "wound-care", price: 100)],
                    currency: "SAR"))
            #expect(reason(try await state()) == "switched-off")
            let on = try await state(#"{"available":true,"latitude":24.7,"longitude":46.7}"#)
            #expect(on.status == 200 && reason(on) == "not-subscribed")
            #expect(on.json["subscription"]?["required"] == true && on.json["subscription"]?["endsAt"] == nil)
            // Asked again at login.
            let again = try await state()
            #expect(reason(again) == "not-subscribed")
            #expect(again.json["unseenText"]?.asText?.hasPrefix("You have no subscription") == true)
            _ = try await state(#"{"available":true}"#)
            let told = try await ground.pool.query(UnseenEvents())
            #expect(told.count == 1)
            let event = try JSON.wire.decode(ProviderUnseen.self, Array((told.first ?? "").utf8))
            #expect(event.account == nurse && event.market == "assef" && event.reason == "not-subscribed")
            try await ground.subscribe(nurse, version: 1, until: 3_600)
            let seen = try await state(#"{"available":true,"latitude":24.7,"longitude":46.7}"#)
            #expect(reason(seen) == nil && seen.json["subscription"]?["endsAt"] != nil)
        }
    }

    @Test("C3, C8: whatever is missing first is named; who lacks nothing is seen")
    func rule() {
        let seen = VisibilityRule(
            isVerified: true, hasPrices: true, isAvailable: true, isSubscribed: false, needsSubscription: false,
            holdsOrder: false, isFresh: true)
        #expect(seen.reason == nil)
        let parts: [(WritableKeyPath<VisibilityRule, Bool>, Bool, UnseenReason)] = [
            (\.isFresh, false, .stalePlace), (\.holdsOrder, true, .orderRunning),
            (\.needsSubscription, true, .notSubscribed), (\.isAvailable, false, .switchedOff),
            (\.hasPrices, false, .noPrices), (\.isVerified, false, .notVerified),
        ]
        var rule = seen
        for (part, value, reason) in parts {
            rule[keyPath: part] = value
            #expect(rule.reason == reason)
        }
    }
}

private struct UnseenEvents: Statement {
    static let sql: SQL = "SELECT payload FROM outbox WHERE name = 'dispatch.provider.unseen.v1' ORDER BY seq"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

extension ProvidersGround {
    fileprivate func requireSubscription(_ isRequired: Bool) async throws {
        try await set("subscriptionRequired", String(isRequired))
    }
}
