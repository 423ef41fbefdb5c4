import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet

@Suite("Faults that the payment provider keeps under a charge's key", .timeLimit(.minutes(15)))
struct KeptFaultTests {
    /// Cards whose captures, cancellations and refunds have a fault inside: without anything done, and with.
    private static let cards = ["4000000000005027", "4000000000005035"]

    @Test("W6: after some faults a step that cannot happen twice has another key, and what could is looked for first")
    func keys() throws {
        let now = Date(timeIntervalSince1970: 1_000_000)
        func charge(
            _ purpose: SeraiWallet.Charge.Purpose, _ state: SeraiWallet.Charge.State, _ goal: SeraiWallet.Charge.Goal
        ) -> SeraiWallet.Charge {
            .init(
                id: .timeOrdered(), purpose: purpose, subject: .timeOrdered(), amount: 100, currency: "SAR", card: nil,
                cvvReference: nil, madeAt: now, state: state, goal: goal, reference: "pi_1")
        }
        func fails(_ charge: inout SeraiWallet.Charge) -> Double? {
            let asked = charge
            return charge.fault(after: asked, at: now)
        }
        for (purpose, state, goal, then) in [
            (.payment, .authorised, .capture, .capture), (.payment, .authorised, .cancel, .cancel),
            (.payment, .captured, .cancel, .findRefund), (.refund, .captured, .cancel, .findRefund),
            (.topUp, .asked, .capture, .find),
        ]
            as [(
                SeraiWallet.Charge.Purpose, SeraiWallet.Charge.State, SeraiWallet.Charge.Goal,
                SeraiWallet.Charge.Request
            )]
        {
            var charge = charge(purpose, state, goal)
            let first = charge
            let request = try #require(charge.nextRequest(at: now))
            for fault in 1..<SeraiWallet.Charge.faultsOfKey {
                #expect(fails(&charge) == charge.pauseSeconds && charge.faults == fault)
                #expect(charge.nextRequest(at: now) == request && charge.key(of: request) == first.key(of: request))
            }
            let pause = fails(&charge)
            #expect(charge.nextRequest(at: now) == then)
            let isLookedFor = then == .find || then == .findRefund
            #expect(pause == (isLookedFor ? SeraiWallet.Charge.missSeconds : charge.pauseSeconds))
            #expect((charge.key(of: request) == first.key(of: request)) == (state == .asked))
            // Another worker's answer to what was asked with the old key says nothing any more.
            let (before, late) = (charge, charge.fault(after: first, at: now))
            #expect(late == nil && charge == before)
        }
    }

    @Test("W6: a capture whose key has a fault kept under it is made with another one, once", arguments: cards)
    func capture(card: String) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.held(salem, noura, card)
            try await wallet.hear(order.now(.completed))
            try await wallet.hastened(order, is: .captured)
            #expect(wallet.books.captured == 12_000 && wallet.books.held == 0)
            #expect(try await wallet.balance(noura) == 10_200)
            #expect(try await wallet.charge(of: order).keyNumber == 1)
            try await wallet.expectSound()
        }
    }

    @Test("W6: a cancellation whose key has a fault kept under it is made with another one", arguments: cards)
    func cancel(card: String) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.held(salem, noura, card)
            try await wallet.hear(order.now(.cancelled))
            try await wallet.hastened(order, is: .released)
            #expect(wallet.books.cancelled == 12_000 && wallet.books.held == 0)
            try await wallet.expectSound()
        }
    }

    @Test("W6: an early capture and the refund after it get past the faults kept for both", arguments: cards)
    func refund(card: String) async throws {
        try await WalletFixture.run(lifetime: .seconds(2)) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.held(salem, noura, card)
            try await TestKit.eventually("it is captured") {
                try await wallet.pool.execute(HastenCharges())
                return try await wallet.charge(of: order).state == .captured
            }
            try await wallet.hear(order.now(.cancelled))
            try await wallet.hastened(order, is: .released)
            #expect(wallet.books.captured == 12_000 && wallet.books.refunded == 12_000)
            // The second has a fault after it was made: it is found.
            #expect(try await wallet.charge(of: order).keyNumber == (card == Self.cards[0] ? 2 : 1))
            try await wallet.expectSound()
        }
    }

    @Test("W8: a refund of a part that a fault is kept for is looked for, and given back once", arguments: cards)
    func partialRefund(card: String) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.people.person("Amal", "admin")
            let order = try await wallet.held(salem, noura, card)
            try await wallet.hear(order.now(.completed))
            try await wallet.hastened(order, is: .captured)
            #expect(try await wallet.refund(order, admin, 2_000, to: "card").status == 201)
            try await TestKit.eventually("it is made") {
                try await wallet.pool.execute(HastenCharges())
                return try await wallet.pool.query(ListRefunds(order: order.order)).allSatisfy { $0.state == .made }
            }
            #expect(wallet.books.refunded == 2_000)
            try await wallet.expectSound()
        }
    }

    @Test(
        "W6: a top-up that a fault is kept for is looked for the same hour: what was taken counts, else it is refused",
        arguments: [("4000000000005001", "refused"), ("4000000000005019", "completed")])
    func topUp(card: String, end: String) async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let answer = try await wallet.post(
                "topups", salem,
                #"{"market": "assef", "amount": 5000, "card": "\#(try await wallet.card(salem, card))", "cvvToken": "cvctok_test"}"#
            )
            let id = try #require(answer.json["topUp"]?.string, "\(answer.text)")
            try await TestKit.eventually("it is \(end)") {
                try await wallet.pool.execute(HastenCharges())
                return try await wallet.get("topups/\(id)", salem).json["state"]?.string == end
            }
            let isMade = end == "completed"
            #expect(try await wallet.balance(salem) == (isMade ? 5_000 : 0))
            #expect(wallet.books.captured == (isMade ? 5_000 : 0))
            try await wallet.expectSound()
        }
    }
}

extension WalletFixture {
    /// A new order that is paid with this card.
    fileprivate func held(_ customer: Person, _ provider: Person, _ number: String) async throws -> OrderSnapshot {
        let order = try await accepted(customer, provider)
        _ = try await payByCard(order, customer, try await card(customer, number))
        try await eventually(order, is: .held)
        return order
    }

    /// Lets the pauses pass until the payment is in this state.
    fileprivate func hastened(_ order: OrderSnapshot, is wanted: PaymentState) async throws {
        try await TestKit.eventually("the payment is \(wanted)") {
            try await pool.execute(HastenCharges())
            return try await state(of: order) == wanted
        }
    }
}

/// As when half an hour is over; authorisations wait on.
private struct HastenCharges: Statement {
    static let sql: SQL = """
        UPDATE charges SET due_at = now(), missed_at = missed_at - interval '31 minutes'
        WHERE due_at IS NOT NULL AND (state, goal) <> ('authorised', 'authorise')
        """
}
