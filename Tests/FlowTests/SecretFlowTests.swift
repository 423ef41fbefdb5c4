import AsyncHTTPClient
import Contracts
import Foundation
import NIOCore
import NIOHTTP1
import Phones
import SeraiJSON
import TestKit
import Testing

@Suite("Secrets of cards, everywhere", .timeLimit(.minutes(15)))
struct SecretFlowTests {
    /// As no other number is written.
    private static let cvv = "0917"
    private static let cards = [
        "5555555555554444", "4000002760003184", "4000000000000002", "4242424242424241", "4111111111111111",
    ]
    private static let iban = "SA0380000000608010167519"

    @Test(
        """
        W3, W5: with every way to pay, refused and not, back and out, no number of a card or bank account and no CVV is in \
        any table, message or log line, and no address of a payment's page in a message or log
        """)
    func nowhere() async throws {
        try await Platform.withPlatform(settings: ["SERAI_LOG_LEVEL": "trace"]) { platform in
            try await EverythingHeard.during(platform.host) { heard in
                let pair = try await Pair.meet(on: platform)
                try await pair.desk.change(
                    [
                        .paymentMethods: MarketSettings.knownPaymentMethods.joined(separator: ",")
                    ], in: "assef")
                // So that what is topped up can be cashed out at once.
                let second = try await platform.addAdmin()
                for desk in [pair.desk, second] { try await desk.change([.cardHoldDays: "0"], in: "assef") }
                let charged = try await payments(pair)
                try await topUps(pair)
                try await refund(pair, charged)
                try await cashOut(pair)
                try await subscription(pair)
                try await refusals(pair)
                try await look(pair, heard)
            }
        }
    }

    /// - Returns: an order that was charged to a card.
    private func payments(_ pair: Pair) async throws -> UUID {
        let phone = pair.customer.phone
        let plain = try await phone.add(TestCard(number: Self.cards[0]), holder: "Omar", cvv: Self.cvv)
        let asks = try await phone.add(TestCard(number: Self.cards[1]), holder: "Omar", cvv: Self.cvv)
        let declined = try await phone.add(TestCard(number: Self.cards[2]), holder: "Omar", cvv: Self.cvv)
        try await phone.topUp(30_000, market: "assef", card: plain.card).isDone(on: phone)

        let charged = try await visit(pair) {
            try await phone.pay($0, by: "card", card: plain.card)
        }
        try await visit(pair) { try await phone.pay($0, by: "card", card: asks.card) }
        try await visit(pair) { order in
            try await phone.pay(order, by: "card", card: declined.card)
            try await phone.until("the card was declined") {
                try await phone.payment(of: order).refusal == "card-declined"
            }
            return try await phone.pay(order, by: "wallet")
        }
        // Its bank asks, and its owner says no.
        try await visit(pair) { order in
            try await phone.pay(order, by: "card", card: asks.card)
            try await phone.until("the bank's question is answered with no") {
                let payment = try await phone.payment(of: order)
                if let url = payment.nextAction?.url { try await Self.answer(url, yes: false) }
                return payment.refusal == "authentication-failed"
            }
            return try await phone.pay(order, by: "cash")
        }
        try await visit(pair) { try await phone.pay($0, by: "applePay", token: "tok_sandbox_apple_pay") }
        try await visit(pair) { try await phone.pay($0, by: "googlePay", token: "tok_sandbox_google_pay") }
        try await visit(pair) { try await phone.pay($0, by: "payPal") }
        try await visit(pair) { try await phone.pay($0, by: "cash") }
        _ = try await phone.send(try .patch("/wallet/v1/cards/\(plain.card.path)", ["holder": "Omar A"]))
        _ = try await phone.send(try .patch("/wallet/v1/cards/\(plain.card.path)", ["consent": true]))
        _ = try await phone.send(.delete("/wallet/v1/cards/\(declined.card.path)?confirm=true"))
        return charged
    }

    private func refund(_ pair: Pair, _ order: UUID) async throws {
        let (path, admin) = ("/wallet/v1/orders/\(order.path)/refunds", pair.desk.phone)
        try await admin.send(
            Self.post(path, #"{"amount": 500, "to": "card", "fundedBy": "platform", "reason": "Late"}"#))
        try await admin.until("a part is back on the card") {
            try await admin.send(.get(path)).decode(Refunds.self).items.map(\.state) == ["made"]
        }
    }

    private func cashOut(_ pair: Pair) async throws {
        let (path, phone) = ("/wallet/v1/cash-outs", pair.customer.phone)
        let body = """
            {"market": "assef", "amount": 1000, "iban": "\(Self.iban)", "holder": "Omar", "bankName": "Alinma",
             "save": true}
            """
        let asked = try await phone.send(Self.post(path, body)).decode(CashOut.self)
        let decision = "/wallet/v1/markets/assef/cash-outs/\(asked.cashOut.path)/decision"
        try await pair.desk.phone.send(Self.post(decision, #"{"accept": true}"#))
        try await phone.until("the money is paid out") {
            try await phone.send(.get("\(path)/\(asked.cashOut.path)")).decode(CashOut.self).state == "paid"
        }
    }

    /// By a card.
    private func subscription(_ pair: Pair) async throws {
        let path = "/wallet/v1/markets/assef"
        // The pair's nurse has one already.
        let nurse = try await pair.desk.employ(
            Person("Huda", title: "nurse"), in: Pair.market.id, offering: Pair.prices, at: Pair.clinic,
            isSubscribed: false)
        let phone = nurse.phone
        let terms = """
            {"period": "monthly", "price": 9900, "name": {"en": "Monthly", "ar": "شهري"},
             "brief": {"en": "Thirty days.", "ar": "ثلاثون يومًا."}}
            """
        let plan = try await pair.desk.phone.send(Self.post("\(path)/subscription-plans", terms)).decode(Plan.self)
        let card = try await phone.add(TestCard(number: Self.cards[0]), holder: "Huda", cvv: Self.cvv)
        let body = """
            {"plan": "\(plan.plan.path)", "price": 9900, "method": "card", "card": "\(card.card.path)",
             "cvvToken": "cvctok_test"}
            """
        try await phone.send(Self.post("\(path)/subscription", body))
        try await phone.until("the subscription is paid") {
            try await phone.send(.get("\(path)/subscription")).decode(Subscription.self).state == "active"
        }
    }

    private static func post(_ path: String, _ body: String) -> Call {
        var call = Call.get(path)
        call.method = .POST
        call.body = Data(body.utf8)
        call.idempotencyKey = UUID().uuidString
        return call
    }

    private struct Refunds: Decodable {
        struct Refund: Decodable { let state: String }
        let items: [Refund]
    }
    private struct CashOut: Decodable {
        let cashOut: UUID
        let state: String
    }
    private struct Plan: Decodable { let plan: UUID }
    private struct Subscription: Decodable { let state: String }

    private func topUps(_ pair: Pair) async throws {
        let phone = pair.customer.phone
        for (method, token) in [
            ("applePay", "tok_sandbox_apple_pay"), ("googlePay", "tok_sandbox_google_pay"), ("payPal", nil),
        ] {
            try await phone.topUp(1_000, market: "assef", by: method, token: token).isDone(on: phone)
        }
    }

    private func refusals(_ pair: Pair) async throws {
        let phone = pair.customer.phone
        await refused { try await phone.add(TestCard(number: Self.cards[3]), holder: "Omar", cvv: Self.cvv) }
        // What is no JSON at all, and what has the number in the wrong place.
        for body in ["{\"number\": \"\(Self.cards[4])\", \"cvv\": \"\(Self.cvv)\"", "[\"\(Self.cards[4])\"]"] {
            await refused { try await phone.send(Self.post("/wallet/v1/cards", body)) }
        }
        try await Self.control(pair.platform, "provider", #"{"isDown": true}"#)
        await refused { try await phone.add(TestCard(number: Self.cards[4]), holder: "Omar", cvv: Self.cvv) }
        try await Self.control(pair.platform, "provider", #"{"isDown": false}"#)
        // A number in a field of the payment provider's names.
        for body in [
            #"{"paymentMethod": "\#(Self.cards[4])", "holder": "Omar"}"#,
            #"{"paymentMethod": "pm_\#(Self.cards[4])", "holder": "Omar"}"#,
        ] {
            await refused { try await phone.send(Self.post("/wallet/v1/cards", body)) }
        }
        _ = try await phone.add(TestCard(number: Self.cards[4]), holder: "Omar", cvv: Self.cvv)
    }

    private func look(_ pair: Pair, _ heard: EverythingHeard) async throws {
        let platform = pair.platform
        try await eventually("all webhooks are taken", poll: .milliseconds(100)) {
            try await OutsideMoney.now(platform).pendingWebhooks == 0
        }
        let rows = try await EverythingStored.rows(platform.database)
        let logs = (Platform.services + ["sandbox"]).flatMap { service in
            platform.log(service, bytes: .max).split(separator: "\n").map { "\(service): \($0)" }
        }
        var pages: [String] = []
        for page in ["sandbox/payments", "sandbox/customers", "sandbox/webhooks", "sink/mail", "sink/sms", "sink/push"]
        {
            pages.append(try await Self.page("\(platform.sandbox)/\(page)"))
        }
        // What may be there was found, so the search reads what it should.
        #expect(rows.contains { $0.hasPrefix("wallet.cards ") && $0.contains("4444") && $0.contains("pm_") })
        #expect(
            Set(rows.compactMap { $0.split(separator: ".").first }).isSuperset(of: Platform.services.map { $0[...] }))
        #expect(heard.texts.contains { $0.hasPrefix("wallet.payment.captured.v1") })
        #expect(heard.texts.contains { $0.hasPrefix("wallet.payment.action_required.v1") })
        #expect(logs.contains { $0.hasPrefix("wallet:") && $0.contains("/wallet/v1/") } && logs.count > 500)
        #expect(rows.contains { $0.hasPrefix("wallet.bank_accounts ") && $0.contains("7519") })
        #expect(heard.texts.contains { $0.hasPrefix("wallet.payment.refunded.v1") })
        #expect(heard.texts.contains { $0.hasPrefix("wallet.cashout.paid.v1") })
        for secret in (Self.cards + [Self.cvv, Self.iban]).map(Secret.init) {
            for place in [rows, logs, heard.texts, pages] {
                let found = place.first { secret.isIn($0) }
                #expect(found == nil, "\(secret.text)")
            }
        }
        for place in [logs, heard.texts, pages] {
            #expect(place.first { $0.contains("/redirect/") || $0.contains("tok_sandbox_") } == nil)
        }
        // A page's address is kept only while its customer may go there.
        #expect(rows.first { $0.hasPrefix("wallet.charges ") && $0.contains("/redirect/") } == nil)
    }

    @Test(
        "a secret is found by itself, in other digits and beside any mark, and not in an identifier or a time",
        arguments: [
            (#"{"cvv":"0917"}"#, true), ("cvv:0917", true), ("x-0917-y", true), ("cvv_0917.", true), ("0917", true),
            ("30393137", true), ("MDkxNw==", true), (#""MDkxNw""#, true), ("a0917", false), ("10917", false),
            ("0195d3a0-0917-7000-8000-000000000041", false), ("2026-03-01 18:45:30.0917+00", false),
            ("took 12.0917 s", false),
        ])
    func search(text: String, isThere: Bool) {
        #expect(Secret(text: Self.cvv).isIn(text) == isThere)
        let card = Secret(text: Self.cards[0])
        for lead in ["", "a", "ab", "abc"] {
            #expect(card.isIn(Data("\(lead)\(Self.cards[0])z".utf8).base64EncodedString()))
        }
        #expect(!card.isIn(Data(Self.cards[1].utf8).base64EncodedString()))
    }

    /// An order from its request to its end, paid as soon as it can be; a page that wants a yes gets it.
    @discardableResult
    private func visit(_ pair: Pair, _ pay: (UUID) async throws -> PaymentView) async throws -> UUID {
        let phone = pair.customer.phone
        let order = try await pair.accepted()
        try await phone.until("the wallet asks for the payment") {
            do {
                _ = try await pay(order)
                return true
            } catch let refusal as Refusal where refusal.isBeforeAcceptance {
                return false
            }
        }
        try await phone.until("it is paid", after: { try await phone.payment(of: order) }) { payment in
            if let url = payment.nextAction?.url { try await Self.sayYes(url) }
            return payment.state == "held"
        }
        try await pair.both(order, .enRoute)
        try await pair.customer.phone.act("met", on: order)
        try await pair.provider.phone.act("arrive", on: order)
        try await pair.provider.phone.act("complete", on: order)
        try await pair.customer.phone.act("complete", on: order)
        try await pair.both(order, .completed)
        try await pair.paidOut(order)
        return order
    }

    private func refused(_ call: () async throws -> some Any) async {
        await #expect(throws: Refusal.self) { _ = try await call() }
    }

    // MARK: The sandbox

    static func sayYes(_ url: String) async throws { try await answer(url, yes: true) }

    private static func answer(_ url: String, yes: Bool) async throws {
        let key = URLComponents(string: url)?.queryItems?.first { $0.name == "key" }?.value ?? ""
        var request = HTTPClientRequest(url: String(url.split(separator: "?")[0]))
        request.method = .POST
        request.body = .bytes(ByteBuffer(string: "key=\(key)&answer=\(yes ? "yes" : "no")"))
        // One that was answered a moment ago is a 404.
        _ = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
    }

    private static func control(_ platform: Platform, _ path: String, _ body: String) async throws {
        var request = HTTPClientRequest(url: "\(platform.sandbox)/sandbox/\(path)")
        request.method = .PUT
        request.body = .bytes(ByteBuffer(string: body))
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
        #expect(answer.status == .noContent)
    }

    private static func page(_ url: String) async throws -> String {
        let answer = try await HTTPClient.shared.execute(HTTPClientRequest(url: url), timeout: .seconds(10))
        return String(buffer: try await answer.body.collect(upTo: 1 << 24))
    }
}

extension TopUpView {
    /// Waits until it has filled the wallet; a page that wants a yes gets it.
    fileprivate func isDone(on phone: Phone) async throws {
        try await phone.until("the top-up is done", after: { try await phone.topUp(topUp) }) { view in
            if let url = view.nextAction?.url { try await SecretFlowTests.sayYes(url) }
            return view.state == "completed"
        }
    }
}

extension Phone {
    /// Asks again and again until what is seen is as it should be.
    fileprivate func until<Value>(
        _ what: String, after look: () async throws -> Value, _ isDone: (Value) async throws -> Bool
    ) async throws {
        try await until(what) { try await isDone(try await look()) }
    }
}
