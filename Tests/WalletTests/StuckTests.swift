import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Payments that do not move", .timeLimit(.minutes(15)))
struct StuckTests {
    @Test(
        "W6: an answer of no use is logged with its order, asked for again ever more seldom, and seen by `wallet verify`",
        arguments: [OrderSnapshot.State.completed, .cancelled])
    func unexpected(end: OrderSnapshot.State) async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (_, order, charge) = try await OutsideTests.held(wallet)
            // The payment provider does not know it any more.
            try await wallet.pool.execute(SetReference(reference: "pi_none"))
            try await wallet.hear(order.now(end))
            try await wallet.working {
                try await TestKit.eventually("the answer is logged") {
                    wallet.logs.text.contains("error the payment provider gave an unexpected answer")
                }
            }
            let text = wallet.logs.text
            #expect(text.contains("HTTP 404 resource_missing"), "\(text)")
            #expect(text.contains("\"order.id\": \(order.order.text)"), "\(text)")
            #expect(try await StuckCheck.over(.seconds(3_600), wallet.pool).items.isEmpty)
            try await wallet.pool.execute(Age())
            let check = try await StuckCheck.over(.seconds(3_600), wallet.pool)
            #expect(check.items.map(\.subject) == [order.order])
            #expect(check.report.contains("payment of order \(order.order.text)"))
            #expect(check.report.contains("charge \(charge.id.text) is authorised"), "\(check.report)")
            try await wallet.expectSound()
            // Somebody mends it: it goes on by itself.
            try await wallet.pool.execute(SetReference(reference: charge.reference ?? ""))
            try await wallet.checkNow()
            try await wallet.working {
                try await wallet.eventually(order, is: end == .completed ? .captured : .released)
            }
            #expect(try await StuckCheck.over(.seconds(3_600), wallet.pool).report == "Nothing is stuck.")
            try await wallet.expectSound()
        }
    }

    @Test("W6: pauses after answers of no use grow to an hour")
    func pauses() {
        let pauses = [1, 2, 12, 13, 14, 1_000].map { tries in
            Charge(
                id: .timeOrdered(), purpose: .payment, subject: .timeOrdered(), amount: 1, currency: "SAR",
                card: "pm_1", cvvReference: nil, madeAt: Date(timeIntervalSince1970: 1_800_000_000), tries: tries
            ).longPauseSeconds
        }
        #expect(pauses == [1, 2, 2_048, 3_600, 3_600, 3_600])
    }

    @Test("W6: `wallet verify` lists what waits too long: unpaid orders past their time, top-ups, late captures")
    func others() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, order, _) = try await OutsideTests.held(wallet)
            let noura = try await wallet.people.provider()
            let card = try await wallet.card(salem)
            let unpaid = try await wallet.accepted(salem, noura)
            var patient = Orders.accepted(by: salem, noura)
            patient.deadline = Date().addingTimeInterval(7 * 86_400)
            try await wallet.hear(patient)
            let topUp = try await wallet.post(
                "topups", salem, #"{"market": "assef", "amount": 5000, "card": "\#(card)", "cvvToken": "cvctok_test"}"#)
            #expect(try await StuckCheck.over(.seconds(3_600), wallet.pool).items.isEmpty)
            try await wallet.pool.execute(Age())
            try await wallet.pool.execute(AgeCaptures())
            let items = try await StuckCheck.over(.seconds(3_600), wallet.pool).items
            let found = items.map { "\($0.what) \($0.subject.text)" }
            #expect(
                Set(found) == [
                    "payment of order \(unpaid.order.text)", "charge of order \(order.order.text)",
                    "charge of top-up \(topUp.json["topUp"]?.string ?? "")",
                ], "\(items)")
        }
    }

    @Test("W2: an authorisation without a time to capture it gets one, and one that nobody would look at is stuck")
    func unwatched() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (_, order, charge) = try await OutsideTests.held(wallet)
            try await wallet.pool.execute(Forget())
            try await wallet.pool.execute(Age())
            let items = try await StuckCheck.over(.seconds(3_600), wallet.pool).items
            #expect(items.map { "\($0.what) \($0.subject.text)" } == ["charge of order \(order.order.text)"])
            try await wallet.pool.execute(UpdateCharge(charge: charge, pauseSeconds: 1))
            let days = try #require(try await wallet.pool.first(DaysToCapture()))
            #expect((5.9...6.1).contains(days))
        }
    }
}

/// As a charge of the version before early captures.
private struct Forget: Statement {
    static let sql: SQL = "UPDATE charges SET capture_at = NULL, due_at = NULL"
}

private struct DaysToCapture: Statement {
    static let sql: SQL = "SELECT (extract(epoch FROM due_at - now()) / 86400)::float8 FROM charges"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Double { try row.next() }
}

private struct SetReference: Statement {
    static let sql: SQL = "UPDATE charges SET reference = $1"
    let reference: String
    func bind(_ bindings: inout Bindings) { bindings.append(reference) }
}

/// Everything has stood still for some hours.
private struct Age: Statement {
    static let sql: SQL = """
        WITH charge AS (UPDATE charges SET changed_at = now() - interval '3 hours')
        UPDATE payments
        SET changed_at = now() - interval '3 hours', order_deadline = order_deadline - interval '3 hours'
        """
}

private struct AgeCaptures: Statement {
    static let sql: SQL =
        "UPDATE charges SET capture_at = now() - interval '2 hours' WHERE capture_at IS NOT NULL"
}
