import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Orders that dispatch tells again", .timeLimit(.minutes(15)))
struct ToldOrderTests {
    private func tell(_ orders: [OrderSnapshot], _ wallet: WalletFixture) async throws {
        let message = OrdersTold(
            range: ToldRange(after: nil, through: nil, readAt: Date()),
            orders: orders.map {
                OrdersTold.Told(
                    order: $0, companion: nil, acceptedAt: nil, arrivedAt: nil, endedAt: nil, ratings: [], reports: [])
            })
        let follow = ApplyOrderSnapshot(
            settings: { [markets = wallet.parts.markets] in markets.settings(of: $0) }, logger: wallet.logs.logger)
        try await wallet.pool.withTransaction { transaction in
            try await FollowToldOrders.follow(message, follow, at: Date(), in: transaction)
        }
    }

    @Test(
        "Q3, W6: an end of an order that was lost with a restore is followed when dispatch tells the order again, once",
        arguments: [OrderSnapshot.State.completed, .cancelled])
    func follows(end: OrderSnapshot.State) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(100_000, to: salem)
            let order = try await wallet.held(salem, noura, by: "wallet")
            let wanted: PaymentState = end == .completed ? .captured : .released
            for _ in 1...2 { try await tell([order.now(end)], wallet) }
            try await wallet.eventually(order, is: wanted)
            // Its own event comes after all.
            try await wallet.hear(order.now(end))
            #expect(try await wallet.state(of: order) == wanted)
            #expect(try await wallet.told(about: order.order).count { $0 == wanted.rawValue } == 1)
            try await wallet.expectSound()
        }
    }

    @Test("Q3, P12: an order without a payment, one that is known, and those that cannot be followed change nothing")
    func others() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(100_000, to: salem)
            let unknown = Orders.accepted(by: salem, noura)
            let known = try await wallet.held(salem, noura, by: "wallet")
            let lost = try await wallet.held(salem, noura, by: "wallet")
            var strange = try await wallet.accepted(salem, noura).now(.cancelled)
            strange.fine = Money(amount: 1, currency: "SEK")
            var ownerless = try await wallet.held(salem, noura, by: "wallet").now(.completed)
            ownerless.provider = nil
            let before = try await wallet.told(about: known.order)
            let orders = [unknown.now(.completed), known, strange, ownerless, lost.now(.completed)]
            try await tell(orders.sorted { $0.order.text < $1.order.text }, wallet)
            try await wallet.eventually(lost, is: .captured)
            #expect(try await wallet.state(of: unknown) == nil)
            for order in [known, ownerless] { #expect(try await wallet.state(of: order) == .held) }
            #expect(try await wallet.told(about: known.order) == before)
            try await wallet.expectSound()
        }
    }
}
