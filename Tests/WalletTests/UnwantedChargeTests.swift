import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet

@Suite("Charges that are not wanted any more, or come to nothing", .timeLimit(.minutes(15)))
struct UnwantedChargeTests {
    @Test(
        "W6: a charge whose request was perhaps lost is looked for and not made, when its customer gives up",
        arguments: [true, false])
    func abandoned(didArrive: Bool) async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            let charge = try #require(try await wallet.pool.query(ClaimCharges(limit: 1, leaseSeconds: 600)).first)
            if didArrive { _ = await wallet.parts.provider.ask(.authorise, charge) }
            let given = try await wallet.call(.delete, "orders/\(order.order.text)/payment", salem, nil)
            #expect(given.status == 200, "\(given.text)")
            try await wallet.working {
                for miss in 1...3 where !didArrive {
                    try await wallet.checkNow()
                    try await TestKit.eventually("it is looked for \(miss) times") {
                        try await wallet.charge(of: order).misses == miss
                    }
                    try await wallet.pool.execute(AgeMisses())
                }
                try await wallet.checkNow()
                try await TestKit.eventually("nothing is asked any more") {
                    try await wallet.charge(of: order).nextRequest == nil
                }
            }
            #expect(try await wallet.charge(of: order).state == (didArrive ? .cancelled : .lapsed))
            #expect(
                wallet.books
                    == Books(
                        held: 0, captured: 0, cancelled: didArrive ? 12_000 : 0, refunded: 0,
                        payments: didArrive ? 1 : 0))
            #expect(try await wallet.told(about: order.order) == ["refused"])
            try await wallet.expectSound()
        }
    }

    @Test(
        "W4: a payment that would send its customer where nobody can be sent is cancelled there, and the customer told")
    func unknownAction() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let card = try await wallet.card(salem, "4000002760003184")
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, card)
            let topUp = try await wallet.post(
                "topups", salem, #"{"market": "assef", "amount": 5000, "card": "\#(card)", "cvvToken": "cvctok_test"}"#)
            let path = "topups/\(try #require(topUp.json["topUp"]?.string))"
            for charge in try await wallet.pool.query(ClaimCharges(limit: 2, leaseSeconds: 600)) {
                let answer = await wallet.parts.provider.ask(try #require(charge.nextRequest), charge)
                guard case .known(.actionRequired, let reference?) = answer else {
                    Issue.record("\(answer)")
                    return
                }
                // The same payment, with a step that is not offered here.
                let event = WalletFixture.event(
                    "requires_action", status: "requires_action", charge: charge.id, reference: reference,
                    amount: charge.amount)
                for _ in 0..<2 { #expect(try await wallet.webhook(event).status == 200) }
            }
            #expect(try await wallet.told(about: order.order) == ["refused"])
            let view = try await wallet.get("orders/\(order.order.text)/payment", salem)
            #expect(view.json["refusal"]?.string == "authentication-failed" && view.json["state"]?.string == "due")
            try await wallet.working {
                try await TestKit.eventually("both are cancelled there") {
                    let (charge, topUp) = (try await wallet.charge(of: order), try await wallet.get(path, salem))
                    return charge.state == .cancelled && topUp.json["state"]?.string == "refused"
                }
            }
            #expect(try await wallet.get(path, salem).json["reason"]?.string == "authentication-failed")
            #expect(wallet.books.held == 0 && wallet.books.captured == 0)
            try await wallet.expectSound()
        }
    }

    @Test("W5: the half hour for a top-up's yes begins when it is asked for, however long that took")
    func lateQuestion() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            let card = try await wallet.card(salem, "4000002760003184")
            let topUp = try await wallet.post(
                "topups", salem, #"{"market": "assef", "amount": 5000, "card": "\#(card)", "cvvToken": "cvctok_test"}"#)
            let path = "topups/\(try #require(topUp.json["topUp"]?.string))"
            // The payment provider was away for a while.
            try await wallet.pool.execute(MakeOld(hours: 2))
            try await wallet.working {
                let url = try await wallet.actionURL(path, salem)
                try await wallet.checkNow()
                try await TestKit.eventually("it is looked at") {
                    try await wallet.pool.first(CountTries()) ?? 0 > 0
                }
                try await wallet.answer(url, yes: true)
                try await wallet.checkNow()
                try await TestKit.eventually("it is filled") { try await wallet.balance(salem) == 5_000 }
            }
        }
    }

    @Test(
        "W5, C8: what was given back before its capture was heard of is never credited",
        arguments: [false, true])
    func givenBack(wasDeclined: Bool) async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            let (card, plan) = (try await wallet.card(noura), try await wallet.plan(admin))
            let topUp = try await wallet.post(
                "topups", noura, #"{"market": "assef", "amount": 5000, "card": "\#(card)", "cvvToken": "cvctok_test"}"#)
            let path = "topups/\(try #require(topUp.json["topUp"]?.string))"
            let asked = try await wallet.post(
                "markets/assef/subscription", noura,
                #"{"plan": "\#(plan)", "price": 9900, "method": "card", "card": "\#(card)", "cvvToken": "cvctok_test"}"#
            )
            #expect(asked.status == 202, "\(asked.text)")
            // Taken and given back; the answers are lost, and the webhook of the refund is the first to come.
            for charge in try await wallet.pool.query(ClaimCharges(limit: 2, leaseSeconds: 600)) {
                func hear(_ type: String, _ status: String) async throws {
                    let event = WalletFixture.event(
                        type, status: status, charge: charge.id, reference: "pi_\(charge.amount)",
                        amount: charge.amount)
                    #expect(try await wallet.webhook(event).status == 200)
                }
                if wasDeclined { try await hear("payment_failed", "requires_payment_method") }
                let refund = WalletFixture.refund(of: charge.id, reference: "pi_\(charge.amount)")
                #expect(try await wallet.webhook(refund).status == 200)
                try await hear("succeeded", "succeeded")
            }
            let view = try await wallet.get(path, noura)
            #expect(view.json["state"]?.string == "refused", "\(view.text)")
            #expect(view.json["reason"]?.string == (wasDeclined ? "card-declined" : "given-back"))
            let subscription = try await wallet.get("markets/assef/subscription", noura)
            #expect(
                subscription.json["state"]?.string == "none" && subscription.json["isBeingPaid"]?.bool == false,
                "\(subscription.text)")
            #expect(try await wallet.balance(noura) == 0)
            #expect(try await wallet.pool.query(ClaimCharges(limit: 2, leaseSeconds: 600)).isEmpty)
            try await wallet.expectSound()
        }
    }

    @Test("I12: a top-up that is taken after all when its account is gone goes back to the card")
    func gone() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            let card = try await wallet.card(salem)
            _ = try await wallet.post(
                "topups", salem, #"{"market": "assef", "amount": 5000, "card": "\#(card)", "cvvToken": "cvctok_test"}"#)
            let charge = try #require(try await wallet.pool.query(ClaimCharges(limit: 2, leaseSeconds: 600)).first)
            guard case .known(.captured, let reference?) = await wallet.parts.provider.ask(.take, charge) else {
                Issue.record("not taken")
                return
            }
            func hear(_ type: String, _ status: String) async throws {
                let event = WalletFixture.event(
                    type, status: status, charge: charge.id, reference: reference, amount: 5_000)
                #expect(try await wallet.webhook(event).status == 200)
            }
            // Refused at first, so nothing keeps the account.
            try await hear("payment_failed", "requires_payment_method")
            try await wallet.pool.withTransaction { transaction in
                try await WalletDeletionHandlers.forget(
                    AccountDeleted(account: salem.account, version: 9, at: Date()), transaction)
            }
            for _ in 0..<2 { try await hear("succeeded", "succeeded") }
            try await wallet.working {
                try await TestKit.eventually("it is given back") { wallet.books.refunded == 5_000 }
                try await TestKit.eventually("that is known") {
                    try await wallet.pool.first(FindCharge(charge: charge.id))?.state == .refunded
                }
            }
            #expect(try await wallet.balance(salem) == 0)
            #expect(try await wallet.sum(.external) == 0)
            try await wallet.expectSound()
        }
    }
}

private struct MakeOld: Statement {
    static let sql: SQL = "UPDATE charges SET made_at = now() - $1 * interval '1 hour'"
    let hours: Int
    func bind(_ bindings: inout Bindings) { bindings.append(hours) }
}

private struct CountTries: Statement {
    static let sql: SQL = "SELECT sum(tries)::bigint FROM charges WHERE state = 'requiresAction'"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
