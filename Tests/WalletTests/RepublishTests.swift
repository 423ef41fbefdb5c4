import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiWallet

@Suite("What the wallet tells again", .timeLimit(.minutes(15)))
struct RepublishTests {
    private func told<M: Message>(_ type: M.Type, _ wallet: WalletFixture) async throws -> [M] {
        try await wallet.outbox(type.name.text).map { try JSON.wire.decode(type, $0.utf8) }
    }

    private func republish(_ wallet: WalletFixture) async throws {
        var pace = Republication.Pace()
        pace.pause = .milliseconds(1)
        pace.outboxLimit = 10_000
        let markets = LiveMarkets(pool: wallet.pool, logger: TestThreads.logger)
        _ = try await Republication(
            pool: wallet.pool, kinds: RepublishMoney(pool: wallet.pool, markets: markets, clock: { Date() }).kinds,
            pace: pace,
            logger: TestThreads.logger
        ).run()
    }

    @Test("P12: payments are told again as their events told them; nothing is told of those that nobody tried to make")
    func payments() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(100_000, to: salem)
            let captured = try await wallet.captured(salem, noura)
            let held = try await wallet.held(salem, noura, by: "cash")
            let released = try await wallet.held(salem, noura, by: "wallet")
            try await wallet.hear(released.now(.cancelled))
            try await wallet.eventually(released, is: .released)
            let due = try await wallet.accepted(salem, noura)
            let holds = try await told(PaymentHeld.self, wallet)
            let capture = try #require(try await told(PaymentCaptured.self, wallet).first)
            let release = try #require(try await told(PaymentReleased.self, wallet).first)
            let before = try await told(PaymentRefused.self, wallet).count
            try await republish(wallet)
            let parts = try await told(PaymentsTold.self, wallet)
            #expect(parts.count == 1 && parts.allSatisfy { $0.range.after == nil && $0.range.through == nil })
            let payments = Dictionary(parts.flatMap(\.payments).map { ($0.payment.order, $0) }) { first, _ in first }
            #expect(Set(payments.keys) == [captured.order, held.order, released.order])
            #expect(payments[due.order] == nil)
            for hold in holds { #expect(payments[hold.payment.order]?.heldAt == hold.at) }
            let paid = try #require(payments[captured.order])
            #expect(paid.payment == capture.payment && paid.capturedAt == capture.at && paid.releasedAt == nil)
            #expect(paid.providerShare == capture.providerShare && paid.platformShare == capture.platformShare)
            let back = try #require(payments[released.order])
            #expect(back.payment == release.payment && back.releasedAt == release.at && back.capturedAt == nil)
            #expect(back.providerShare == nil)
            // None of it is news.
            #expect(try await told(PaymentHeld.self, wallet).count == holds.count)
            #expect(try await told(PaymentRefused.self, wallet).count == before)
            try await wallet.expectSound()
        }
    }

    @Test("P12: blocks, cards, subscriptions and codes are told again with the versions that they have")
    func standings() async throws {
        try await WalletFixture.run { wallet in
            let (noura, _, subscription) = try await wallet.subscriber()
            let salem = try await wallet.people.customer()
            let card = try await wallet.card(salem)
            _ = try await wallet.promoCode(try await wallet.admin(), #""amount": 100"#)
            _ = try await wallet.pool.withTransaction { transaction in
                try await transaction.first(BlockAccount(account: salem.account, market: "assef", currency: "SAR"))
            }
            try await republish(wallet)
            let standings = try await told(StandingsTold.self, wallet).flatMap(\.accounts)
            let blocked = try #require(standings.first { $0.account == salem.account })
            #expect(blocked.blocks == [.init(market: "assef", isBlocked: true, version: 1)])
            #expect(blocked.method?.hasMethod == true && blocked.method?.version == 1 && blocked.subscriptions == [])
            #expect(blocked.method?.cards?.map(\.card.text) == [card])
            let subscribed = try #require(standings.first { $0.account == noura.account })
            let started = try #require(try await told(SubscriptionStarted.self, wallet).last)
            #expect(subscribed.subscriptions.map(\.endsAt) == [started.endsAt])
            #expect(subscribed.subscriptions.map(\.version) == [subscription.version])
            let codes = try await told(PromoCodesTold.self, wallet).flatMap(\.promoCodes)
            #expect(codes.map(\.code) == ["SPRING"] && codes.map(\.version) == [1])
            #expect(standings.map(\.account.text) == standings.map(\.account.text).sorted())
        }
    }
}
