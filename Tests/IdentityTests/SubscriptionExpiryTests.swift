import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Subscriptions that expire", .timeLimit(.minutes(15)))
struct SubscriptionExpiryTests {
    @Test("N7: whose subscription expires gets an SMS, and whoever is not known none")
    func message() async throws {
        try await World.run { world async throws in
            let person = Person()
            _ = try await world.join(person)
            let before = try await world.deliveries().count
            let account = try #require(try await world.pool.first(AnyAccount()))
            let tell = NotifyOfSubscription(deliver: world.parts.deliver, clock: { world.clock.now })
            for account in [account, UUID.timeOrdered()] {
                let expired = SubscriptionExpired(
                    subscription: .timeOrdered(), account: account, market: "assef", version: 2,
                    endedAt: world.clock.now, at: world.clock.now)
                try await world.pool.withTransaction { try await tell(expired, in: $0) }
            }
            let sent = try await world.deliveries().dropFirst(before)
            #expect(sent.map(\.request.text) == ["subscription-expired"])
            #expect(sent.map(\.request.channel) == [.sms])
            #expect(sent.first?.contents.to == person.mobile)
            #expect(sent.first?.contents.arguments["market"]?.isEmpty == false)
        }
    }
}

extension SubscriptionExpiryTests {
    @Test("I6, N7: whoever wants no notices by SMS is told nevertheless when a subscription expires")
    func muted() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            let change: JSONValue = ["notices": ["sms": false]]
            #expect(try await world.send("PATCH", "v1/accounts/me", change, token: tokens.access).status == 200)
            let before = try await world.deliveries().count
            let tell = NotifyOfSubscription(deliver: world.parts.deliver, clock: { world.clock.now })
            let expired = SubscriptionExpired(
                subscription: .timeOrdered(), account: tokens.account, market: "assef", version: 2,
                endedAt: world.clock.now, at: world.clock.now)
            try await world.pool.withTransaction { try await tell(expired, in: $0) }
            #expect(try await world.deliveries().dropFirst(before).map(\.request.text) == ["subscription-expired"])
        }
    }
}

private struct AnyAccount: Statement {
    static let sql: SQL = "SELECT id FROM accounts LIMIT 1"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
