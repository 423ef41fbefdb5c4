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

@Suite("What others do at the payment provider", .timeLimit(.minutes(15)))
struct OutsideTests {
    @Test("W6: a charge captured by somebody else while it is being released is refunded, and escrow is empty")
    func capturedWhileReleasing() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, order, charge) = try await Self.held(wallet)
            try await wallet.hear(order.now(.cancelled))
            try await wallet.outside("capture", charge)
            try await wallet.working { try await wallet.eventually(order, is: .released) }
            #expect(wallet.books.captured == 12_000 && wallet.books.refunded == 12_000)
            #expect(try await wallet.balance(salem) == 0)
            #expect(try await wallet.told(about: order.order) == ["held", "released"])
            try await wallet.expectSound()
        }
    }

    @Test("W6: the same when a webhook tells of it, before or after the end of the order", arguments: [true, false])
    func capturedByWebhook(isEarly: Bool) async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (_, order, charge) = try await Self.held(wallet)
            try await wallet.outside("capture", charge)
            if !isEarly { try await wallet.hear(order.now(.cancelled)) }
            let event = WalletFixture.event(
                "succeeded", status: "succeeded", charge: charge.id, reference: charge.reference ?? "", amount: 12_000)
            #expect(try await wallet.webhook(event).status == 200)
            if isEarly {
                #expect(try await wallet.state(of: order) == .held)
                try await wallet.hear(order.now(.cancelled))
            }
            #expect(try await wallet.state(of: order) == .releasing)
            try await wallet.expectSound()
            try await wallet.working { try await wallet.eventually(order, is: .released) }
            #expect(wallet.books.refunded == 12_000)
            try await wallet.expectSound()
        }
    }

    @Test("W6: a charge that somebody else has captured is divided when the order is done, with nobody to ask")
    func capturedBeforeCompletion() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (_, order, charge) = try await Self.held(wallet)
            try await wallet.outside("capture", charge)
            let event = WalletFixture.event(
                "succeeded", status: "succeeded", charge: charge.id, reference: charge.reference ?? "", amount: 12_000)
            #expect(try await wallet.webhook(event).status == 200)
            try await wallet.hear(order.now(.completed))
            #expect(try await wallet.state(of: order) == .captured)
            #expect(try await wallet.told(about: order.order) == ["held", "captured"])
            try await wallet.expectSound()
        }
    }

    @Test("W6: a charge captured by somebody else before its authorisation was heard of is held")
    func capturedWhileAuthorising() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.accepted(salem, noura)
            _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
            let charge = try await wallet.charge(of: order)
            let event = WalletFixture.event(
                "succeeded", status: "succeeded", charge: charge.id, reference: "pi_1", amount: 12_000)
            for _ in 0..<2 { #expect(try await wallet.webhook(event).status == 200) }
            #expect(try await wallet.state(of: order) == .held)
            #expect(try await wallet.told(about: order.order) == ["held"])
            try await wallet.expectSound()
        }
    }

    @Test("W6: what somebody gives back there, whole, is not in escrow any more", arguments: ["", "completed"])
    func refunded(orderState: String) async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, order, charge) = try await Self.held(wallet)
            let reference = charge.reference ?? ""
            let captured = WalletFixture.event(
                "succeeded", status: "succeeded", charge: charge.id, reference: reference, amount: 12_000)
            if orderState == "completed" {
                try await wallet.hear(order.now(.completed))
            } else {
                #expect(try await wallet.webhook(captured).status == 200)
            }
            for body in [
                WalletFixture.refund(of: charge.id, reference: reference, isWhole: false),
                WalletFixture.refund(of: charge.id, reference: "pi_other"),
                WalletFixture.refund(of: .timeOrdered(), reference: "pi_none"),
                #"{"id": "evt_1", "type": "charge.refunded", "data": {"object": {"refunded": true}}}"#,
                #"{"id": "evt_2", "type": "charge.refunded", "data": {"object": {}}}"#,
            ] {
                #expect(try await wallet.webhook(body).status == 200, "\(body)")
            }
            #expect(try await wallet.state(of: order) == (orderState == "completed" ? .capturing : .held))
            for _ in 0..<2 {
                let body = WalletFixture.refund(of: charge.id, reference: reference)
                #expect(try await wallet.webhook(body).status == 200)
            }
            #expect(try await wallet.state(of: order) == .released)
            #expect(try await wallet.told(about: order.order) == ["held", "released"])
            #expect(
                try await wallet.get("statement", salem).items.map { $0["reason"]?.string } == ["authorisation-lost"])
            try await wallet.expectSound()
        }
    }

    @Test("W4: a whole that somebody gives back there when all is paid out is taken once; a whole from here is not")
    func wholeAfterwards() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            func orders() async throws -> [String?] {
                try await wallet.get("markets/assef/disputes", admin).items.map { $0["order"]?.string }
            }
            let own = try await wallet.captured(salem, noura, by: "card")
            let ownCharge = try await wallet.charge(of: own)
            #expect(try await wallet.refund(own, try await wallet.admin(), 12_000, to: "card").status == 201)
            let told = WalletFixture.refund(of: ownCharge.id, reference: try #require(ownCharge.reference))
            #expect(try await wallet.webhook(told).status == 200)
            #expect(try await orders() == [])
            let order = try await wallet.captured(salem, noura, by: "card")
            let charge = try await wallet.charge(of: order)
            let body = WalletFixture.refund(of: charge.id, reference: try #require(charge.reference))
            for _ in 0..<2 { #expect(try await wallet.webhook(body).status == 200) }
            #expect(try await orders() == [order.order.text])
            #expect(try await wallet.state(of: order) == .captured)
            #expect(try await wallet.balance(salem) == 0)
            // Where the price went to the customer's wallet, of a late cancellation, it is taken from there.
            let late = try await wallet.held(salem, noura, by: "card")
            try await wallet.hear(late.fined(1_000))
            try await wallet.eventually(late, is: .credited)
            let credited = try await wallet.charge(of: late)
            let back = WalletFixture.refund(of: credited.id, reference: try #require(credited.reference))
            for _ in 0..<2 { #expect(try await wallet.webhook(back).status == 200) }
            #expect(try await orders() == [late.order.text, order.order.text])
            #expect(try await wallet.balance(salem) == -1_000)
            try await wallet.expectSound()
        }
    }

    @Test("W4: what is told of a top-up that was given back waits for the top-up before it has the charge")
    func lockOrder() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let card = try await wallet.card(salem)
            let answer = try await wallet.post(
                "topups", salem, #"{"market": "assef", "amount": 12000, "card": "\#(card)", "cvvToken": "cvctok_test"}"#
            )
            let topUp = try #require(answer.json["topUp"]?.string.flatMap(UUID.init(uuidString:)), "\(answer.text)")
            try await TestKit.eventually("it is taken") { try await wallet.balance(salem) == 12_000 }
            let charge = try #require(try await wallet.pool.first(FindChargeOfTopUp(topUp: topUp)))
            let body = WalletFixture.refund(of: charge.id, reference: charge.reference)
            let told = try await wallet.pool.withTransaction { transaction in
                _ = try await transaction.query(LockTopUpOfCharge(charge: charge.id))
                let told = Task { try await wallet.webhook(body).status }
                try await TestKit.eventually("it waits") { try await wallet.pool.first(CountLockWaits()) ?? 0 > 0 }
                #expect(try await transaction.execute(LockChargeAtOnce(charge: charge.id)) == 1)
                return told
            }
            #expect(try await told.value == 200)
            try await wallet.expectSound()
        }
    }

    @Test("W4: a part of what is held that somebody gives back there is logged once with the order; own parts are not")
    func unfollowed() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let order = try await wallet.held(salem, noura, by: "card")
            let charge = try await wallet.charge(of: order)
            let reference = try #require(charge.reference)
            func lines() -> [String] {
                wallet.logs.text.split(separator: "\n").map(String.init).filter { $0.contains("is not followed here") }
            }
            let more = WalletFixture.refund(of: charge.id, reference: reference, isWhole: false)
                .replacing(#""amount_refunded": 500"#, with: #""amount_refunded": 900"#)
            for _ in 0..<2 { #expect(try await wallet.webhook(more).status == 200) }
            #expect(lines().count == 1 && lines().allSatisfy { $0.contains("partialRefund") })
            let dispute = """
                {"id": "evt_dispute", "type": "charge.dispute.created", "data": {"object": {"id": "dp_1",
                 "object": "dispute", "payment_intent": "\(reference)", "amount": 12000, "status": "needs_response"}}}
                """
            let foreign = dispute.replacing(reference, with: "pi_none").replacing("evt_dispute", with: "evt_foreign")
            for body in [dispute, dispute, foreign, dispute.replacing("payment_intent", with: "charge")] {
                #expect(try await wallet.webhook(body).status == 200)
            }
            #expect(lines().count == 1)
            #expect(try await wallet.balance(salem) == -12_000)
            for line in lines() {
                #expect(line.hasPrefix("error "), "\(line)")
                #expect(line.contains(order.order.text) && line.contains(charge.id.text), "\(line)")
            }
            #expect(try await wallet.state(of: order) == .held)
            try await wallet.hear(order.now(.completed))
            try await wallet.eventually(order, is: .captured)
            // While the bank has not decided, the card gets nothing from here.
            #expect(try await wallet.refund(order, try await wallet.admin(), 500, to: "card").status == 409)
            #expect(lines().count == 1)
            try await wallet.expectSound()
        }
    }

    @Test(
        "W4: of an answer only what the step can end with counts; the rest is asked for again",
        arguments: [
            (.capture, 200, #"{"id": "pi_1", "status": "succeeded", "amount": 5, "currency": "sar"}"#, "captured"),
            (.capture, 200, #"{"id": "pi_1", "status": "succeeded", "amount": 5, "amount_received": 4}"#, "unexpected"),
            (.capture, 200, #"{"id": "pi_1", "status": "succeeded", "amount": 6}"#, "unexpected"),
            (.capture, 200, #"{"id": "pi_1", "status": "requires_capture"}"#, "unexpected"),
            (.capture, 200, "{}", "unexpected"),
            (.capture, 400, #"{"error": {"payment_intent": {"id": "pi_1", "status": "canceled"}}}"#, "cancelled"),
            (.capture, 402, #"{"error": {"code": "x"}}"#, "unexpected"), (.capture, 404, "", "unexpected"),
            (.capture, 500, "", "fault"), (.capture, 429, "", "unknown"), (.capture, 409, "", "unknown"),
            (.cancel, 200, #"{"id": "pi_1", "status": "canceled"}"#, "cancelled"),
            (.cancel, 400, #"{"error": {"payment_intent": {"id": "pi_1", "status": "succeeded"}}}"#, "captured"),
            (.cancel, 400, #"{"error": {"payment_intent": {"id": "pi_1", "status": "processing"}}}"#, "unexpected"),
            (.refund, 200, #"{"id": "re_1", "status": "succeeded"}"#, "refunded"),
            (.refund, 200, #"{"id": "re_1", "status": "pending"}"#, "refunded"),
            (.refund, 200, #"{"id": "re_1", "status": "failed"}"#, "refundFailed"),
            (.refund, 200, #"{"id": "re_1", "status": "canceled"}"#, "refundFailed"),
            (.refund, 200, #"{"id": "re_1", "status": "requires_action"}"#, "unexpected"),
            (.refund, 200, #"{"id": "re_1"}"#, "unexpected"), (.refund, 200, "", "unexpected"),
            (.refund, 400, #"{"error": {"code": "charge_already_refunded"}}"#, "refunded"),
            (.findRefund, 400, #"{"error": {"code": "charge_already_refunded"}}"#, "refunded"),
            (.refund, 400, #"{"error": {"code": "charge_disputed"}}"#, "unexpected"), (.refund, 503, "", "unknown"),
            (.authorise, 402, #"{"error": {"type": "card_error"}}"#, "declined"),
            (
                .authorise, 200,
                #"{"id": "pi_1", "status": "requires_action", "next_action": {"redirect_to_url": {"url": "https://b"}}}"#,
                "goes to https://b"
            ),
            (
                .check, 200, #"{"id": "pi_1", "status": "requires_action", "next_action": {"type": "x"}}"#,
                "actionUnknown"
            ),
            (.check, 200, #"{"id": "pi_1", "status": "processing"}"#, "unexpected"), (.check, 503, "", "unknown"),
            (.find, 200, #"{"data": []}"#, "absent"), (.find, 200, "", "unexpected"), (.find, 500, "", "unknown"),
            (.find, 200, #"{"data": [{"id": "pi_1", "status": "succeeded", "metadata": {"charge": "1"}}]}"#, "absent"),
            (.authorise, 402, "", "unexpected"), (.take, 200, #"{"id": "pi_1", "status": "succeeded"}"#, "captured"),
        ] as [(SeraiWallet.Charge.Request, UInt, String, String)])
    func answers(request: SeraiWallet.Charge.Request, status: UInt, body: String, meaning: String) {
        let charge = Charge(
            id: .timeOrdered(), purpose: .payment, subject: .timeOrdered(), amount: 5, currency: "SAR", card: "pm_1",
            cvvReference: nil, madeAt: Date(timeIntervalSince1970: 1_800_000_000))
        let answer = PaymentProviderAnswer(status: status, body: Data(body.utf8)).meaning(of: request, charge)
        let found =
            switch answer {
            case .known(.declined, _): "declined"
            case .known(.actionRequired(let url), _): "goes to \(url)"
            case .known(let outcome, _): "\(outcome)"
            case .unknown: "unknown"
            case .fault: "fault"
            case .unexpected: "unexpected"
            case .absent: "absent"
            case .refused: "refused"
            }
        #expect(found == meaning, "\(answer)")
    }

    @Test(
        "W5: only what the payment provider would never give back comes to the wallet, and nothing of a payment",
        arguments: [
            ("refund", 400, "amount_too_large", "refused"), ("refund", 400, "charge_disputed", "refused"),
            ("topUp", 400, "charge_disputed", "refused"), ("payment", 400, "charge_disputed", "unexpected"),
            ("subscription", 400, "charge_disputed", "unexpected"),
            ("refund", 400, "balance_insufficient", "unexpected"), ("refund", 400, "resource_missing", "unexpected"),
            ("refund", 404, "amount_too_large", "unexpected"), ("refund", 429, "rate_limit", "unknown"),
            ("refund", 400, "charge_already_refunded", "refunded"),
        ] as [(String, UInt, String, String)])
    func refusals(purpose: String, status: UInt, code: String, meaning: String) throws {
        let charge = Charge(
            id: .timeOrdered(), purpose: try #require(SeraiWallet.Charge.Purpose(rawValue: purpose)),
            subject: .timeOrdered(), amount: 5, currency: "SAR", card: "pm_1", cvvReference: nil, madeAt: Date(),
            state: .captured, goal: .cancel)
        let body = #"{"error": {"type": "invalid_request_error", "code": "\#(code)"}}"#
        for request in [SeraiWallet.Charge.Request.refund, .findRefund] {
            let answer = PaymentProviderAnswer(status: status, body: Data(body.utf8)).meaning(of: request, charge)
            #expect("\(answer)".contains(meaning), "\(answer)")
        }
    }

    /// An order whose card is authorised; no worker runs.
    static func held(_ wallet: WalletFixture) async throws -> (Person, OrderSnapshot, SeraiWallet.Charge) {
        let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
        let order = try await wallet.accepted(salem, noura)
        _ = try await wallet.payByCard(order, salem, try await wallet.card(salem))
        try await wallet.working { try await wallet.eventually(order, is: .held) }
        return (salem, order, try await wallet.charge(of: order))
    }
}

private struct FindChargeOfTopUp: Statement {
    static let sql: SQL = "SELECT id, reference FROM charges WHERE subject = $1"
    let topUp: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(topUp) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (id: UUID, reference: String) {
        (try row.next(), try row.next())
    }
}

/// Fails when somebody has it.
private struct LockChargeAtOnce: Statement {
    static let sql: SQL = "SELECT true FROM charges WHERE id = $1 FOR UPDATE NOWAIT"
    let charge: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(charge) }
}
