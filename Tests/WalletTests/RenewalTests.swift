import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet
@testable import ServiceKit

@Suite("When subscriptions are renewed", .timeLimit(.minutes(15)))
struct RenewalTests {
    @Test("C8: what is chosen to go on in its last hour is renewed then")
    func lateWish() async throws {
        try await WalletFixture.run { wallet in
            let (noura, _, subscription) = try await wallet.subscriber()
            let period = try #require(subscription.period)
            try await wallet.pool.execute(EndSoon(account: noura.account))
            try await wallet.pool.execute(FireRenewal(subject: period))
            let choice = #"{"renews": true, "method": "wallet"}"#
            let chosen = try await wallet.call(.put, "markets/assef/subscription/renewal", noura, choice)
            #expect(chosen.status == 200 && chosen.json["renews"]?.bool == true, "\(chosen.text)")
            try await wallet.withDeadlines {
                try await eventually("it is renewed") { try await wallet.subscription(of: noura).version == 2 }
            }
            #expect(try await wallet.balance(noura) == 10_200)
            try await wallet.expectSound()
        }
    }

    @Test("C8: a wish to renew that comes early waits for the last day")
    func earlyWish() async throws {
        try await WalletFixture.run { wallet in
            let (noura, _, subscription) = try await wallet.subscriber()
            let period = try #require(subscription.period)
            let end = try #require(subscription.endsAt)
            let choice = #"{"renews": true, "method": "wallet"}"#
            _ = try await wallet.call(.put, "markets/assef/subscription/renewal", noura, choice)
            let due = try #require(try await wallet.pool.first(FindRenewal(subject: period)))
            #expect(abs(due.timeIntervalSince(end) + 86_400) < 1)
        }
    }

    @Test("C8: a card that is refused leaves the renewal as it was; one that pays is renewed by, as was said with it")
    func refusedCard() async throws {
        try await WalletFixture.run { wallet in
            let (noura, plan, subscription) = try await wallet.subscriber(renews: true)
            let period = try #require(subscription.period)
            try await wallet.pool.execute(EndSoon(account: noura.account))
            func pay(_ number: String, renews: Bool) async throws -> String {
                let card = try await wallet.card(noura, number)
                let answer = try await wallet.post(
                    "markets/assef/subscription", noura,
                    #"{"plan": "\#(plan)", "price": 9900, "method": "card", "card": "\#(card)", "cvvToken": "cvctok_test", "renews": \#(renews)}"#
                )
                #expect(answer.status == 202 && answer.json["renews"]?.bool == renews, "\(answer.text)")
                try await eventually("the card has answered") {
                    try await wallet.subscription(of: noura).pending == nil
                }
                return card
            }
            _ = try await pay("4000000000009995", renews: false)
            let kept = try await wallet.subscription(of: noura)
            #expect(kept.renews && kept.method == .wallet && kept.period == period)
            let card = try await pay("4242424242424242", renews: true)
            let chosen = try await wallet.subscription(of: noura)
            #expect(chosen.renews && chosen.method == .card && chosen.card?.text == card && chosen.period != period)
            #expect(abs((chosen.chosenAt ?? .distantPast).timeIntervalSinceNow) < 60)
            #expect(try await wallet.balance(noura) == 20_100)
            try await wallet.expectSound()
        }
    }

    @Test("C8, I13: who is banned while the card is asked is not renewed by what was said with it")
    func bannedMeanwhile() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let noura = try await wallet.people.provider()
            let plan = try await wallet.plan(try await wallet.admin())
            let card = try await wallet.card(noura)
            let answer = try await wallet.post(
                "markets/assef/subscription", noura,
                #"{"plan": "\#(plan)", "price": 9900, "method": "card", "card": "\#(card)", "cvvToken": "cvctok_test", "renews": true}"#
            )
            #expect(answer.status == 202, "\(answer.text)")
            #expect(try await wallet.subscription(of: noura).wish?.renews == true)
            try await wallet.pool.execute(StopRenewals(account: noura.account, market: "assef", until: nil))
            let stopped = try await wallet.subscription(of: noura)
            #expect(stopped.wish == nil && !stopped.renews && stopped.pending != nil)
            try await wallet.working {
                try await eventually("it is paid") { try await wallet.subscription(of: noura).state == .active }
            }
            #expect(!(try await wallet.subscription(of: noura).renews))
        }
    }

    @Test("C8: a renewal that a deletion holds up is tried again when the deletion was refused")
    func deletionRefused() async throws {
        try await WalletFixture.run { wallet in
            let (noura, _, subscription) = try await wallet.subscriber(renews: true)
            let period = try #require(subscription.period)
            let now = try #require(subscription.endsAt).addingTimeInterval(-86_400)
            try await wallet.pool.execute(FireRenewal(subject: period))
            try await wallet.pool.withTransaction {
                _ = try await AccountDeletionGuard.begin(noura.account, version: 5, in: $0)
            }
            try await wallet.pool.withTransaction {
                try await SubscriptionDeadlines.renew(after: period, at: now, in: $0)
            }
            #expect(try await wallet.balance(noura) == 20_100)
            let due = try #require(try await wallet.pool.first(FindRenewal(subject: period)))
            #expect(abs(due.timeIntervalSince(now) - Subscription.retrySeconds) < 1)
            try await wallet.pool.withTransaction {
                try await AccountDeletionGuard.end(noura.account, version: 5, in: $0)
            }
            try await wallet.pool.withTransaction {
                try await SubscriptionDeadlines.renew(after: period, at: due, in: $0)
            }
            #expect(try await wallet.balance(noura) == 10_200)
        }
    }

    @Test("C8: a renewal waits for nobody who changes the subscription: it puts itself off, and comes again")
    func busy() async throws {
        try await WalletFixture.run { wallet in
            let (noura, _, subscription) = try await wallet.subscriber(renews: true)
            let period = try #require(subscription.period)
            let now = try #require(subscription.endsAt).addingTimeInterval(-86_400)
            func renew() async throws {
                try await wallet.pool.withTransaction {
                    try await SubscriptionDeadlines.renew(after: period, at: now, in: $0)
                }
            }
            try await wallet.pool.withTransaction { other in
                _ = try await other.query(LockSubscription(account: noura.account, market: "assef"))
                try await renew()
            }
            #expect(try await wallet.balance(noura) == 20_100)
            let due = try #require(try await wallet.pool.first(FindRenewal(subject: period)))
            #expect(abs(due.timeIntervalSince(now) - SubscriptionDeadlines.busySeconds) < 1)
            try await renew()
            #expect(try await wallet.balance(noura) == 10_200)
            try await wallet.expectSound()
        }
    }

    @Test("C8, I12: the renewal of somebody who is gone comes to an end")
    func gone() async throws {
        try await WalletFixture.run { wallet in
            let (noura, _, subscription) = try await wallet.subscriber(renews: true)
            let period = try #require(subscription.period)
            // As when it is fired.
            try await wallet.pool.execute(FireRenewal(subject: period))
            try await wallet.pool.withTransaction {
                try await WalletDeletionHandlers.forget(
                    AccountDeleted(account: noura.account, version: 6, at: Date()), $0)
            }
            try await wallet.pool.withTransaction {
                try await SubscriptionDeadlines.renew(after: period, at: Date(), in: $0)
            }
            #expect(try await wallet.pool.first(FindRenewal(subject: period)) == nil)
        }
    }
}

private struct EndSoon: Statement {
    static let sql: SQL = "UPDATE subscriptions SET ends_at = now() + interval '1 hour' WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// As when a period's deadline for its renewal has come and gone.
private struct FireRenewal: Statement {
    static let sql: SQL = "DELETE FROM deadlines WHERE subject = $1 AND kind = 'subscription.renewal'"
    let subject: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(subject.text) }
}

private struct FindRenewal: Statement {
    static let sql: SQL = "SELECT due_at FROM deadlines WHERE subject = $1 AND kind = 'subscription.renewal'"
    let subject: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(subject.text) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Date { try row.next() }
}
