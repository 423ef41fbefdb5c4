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

/// What the tests of cash-outs, promo codes and subscriptions share.
extension WalletFixture {
    func admin(in market: String = "assef") async throws -> Person {
        try await people.person("Admin", "admin", in: market)
    }

    /// A Saudi IBAN with the right check digits.
    static func iban(endingIn end: String) -> String {
        let number = "80" + String(repeating: "0", count: 14) + end
        // S is 28, A is 10; check digits 00 at the end (ISO 13616).
        let remainder = (number + "281000").reduce(0) { ($0 * 10 + ($1.wholeNumberValue ?? 0)) % 97 }
        let check = 98 - remainder
        return "SA" + (check < 10 ? "0" : "") + String(check) + number
    }

    /// Asks for money out to a bank account that is typed in.
    func cashOut(
        _ amount: Int, _ person: Person, endingIn end: String = "7519", key: String? = UUID.timeOrdered().text
    ) async throws -> Answer {
        try await post(
            "cash-outs", person,
            #"{"market": "assef", "amount": \#(amount), "iban": "\#(Self.iban(endingIn: end))", "holder": "NOURA ALI", "bankName": "Al Rajhi"}"#,
            key: key)
    }

    func decide(
        _ cashOut: String, _ admin: Person, accept: Bool, market: String = "assef",
        key: String = UUID.timeOrdered().text
    ) async throws -> Answer {
        let body = accept ? #"{"accept": true}"# : #"{"accept": false, "reason": "The holder is somebody else."}"#
        return try await post("markets/\(market)/cash-outs/\(cashOut)/decision", admin, body, key: key)
    }

    /// Lets the payout worker ask until the cash-out is in the state.
    func pays(_ cashOut: String, until wanted: CashOut.State) async throws {
        let id = try #require(UUID(uuidString: cashOut))
        try await TestKit.eventually("the cash-out is \(wanted)") {
            _ = try await parts.payoutWorker.payDue()
            return try await pool.first(FindCashOut(cashOut: id))?.state == wanted
        }
    }

    /// A promo code of the market assef; its id. Caps that are not said are wide; another admin approves what needs one.
    func promoCode(_ admin: Person, _ terms: String, code: String = "SPRING") async throws -> String {
        var terms = terms
        for (name, value) in [("maximum", 100_000_000), ("limit", 1_000), ("limitPerAccount", 1_000)]
        where !terms.contains("\"\(name)\"") && (name != "maximum" || terms.contains("basisPoints")) {
            terms += ", \"\(name)\": \(value)"
        }
        let answer = try await post("markets/assef/promo-codes", admin, #"{"code": "\#(code)", \#(terms)}"#)
        if answer.status == 202 {
            let approval = try #require(answer.json["approval"]?.string)
            let approved = try await approve(approval, try await self.admin())
            #expect(approved.status == 200, "\(approved.text)")
            return try #require(answer.json["subject"]?.string)
        }
        #expect(answer.status == 201, "\(answer.text)")
        return try #require(answer.json["id"]?.string)
    }

    func approve(_ approval: String, _ admin: Person, market: String = "assef") async throws -> Answer {
        try await post("markets/\(market)/approvals/\(approval)/decision", admin, #"{"approve": true}"#)
    }

    func pay(_ order: OrderSnapshot, _ person: Person, by method: String, promoCode: String) async throws -> Answer {
        try await post(
            "orders/\(order.order.text)/payment", person,
            #"{"method": "\#(method)", "promoCode": "\#(promoCode)"}"#)
    }

    /// A monthly plan of the market assef; its id.
    func plan(_ admin: Person, price: Int = 9_900) async throws -> String {
        let answer = try await post("markets/assef/subscription-plans", admin, Self.planBody(price: price))
        #expect(answer.status == 201, "\(answer.text)")
        return try #require(answer.json["plan"]?.string)
    }

    static func planBody(price: Int) -> String {
        """
        {"period": "monthly", "price": \(price), "name": {"en": "Monthly", "ar": "شهري"},
         "brief": {"en": "Thirty days of requests.", "ar": "ثلاثون يومًا من الطلبات."}}
        """
    }

    func subscribe(
        _ person: Person, to plan: String, price: Int = 9_900, renews: Bool = false,
        key: String = UUID.timeOrdered().text
    ) async throws -> Answer {
        try await post(
            "markets/assef/subscription", person,
            #"{"plan": "\#(plan)", "price": \#(price), "method": "wallet", "renews": \#(renews)}"#, key: key)
    }

    /// A provider with a balance, a month of it paid from the wallet.
    func subscriber(renews: Bool = false) async throws -> (noura: Person, plan: String, subscription: Subscription) {
        let noura = try await people.provider()
        let plan = try await plan(try await admin())
        try await give(30_000, to: noura)
        _ = try await subscribe(noura, to: plan, renews: renews)
        return (noura, plan, try await subscription(of: noura))
    }

    func subscription(of person: Person) async throws -> Subscription {
        try #require(try await pool.first(FindSubscription(account: person.account, market: "assef")))
    }

    /// What the ledger holds in accounts of a kind, in riyals.
    func sum(_ kind: AccountReference.Kind) async throws -> Int {
        try await pool.query(SumAccounts()).first { $0.kind == kind.rawValue && $0.currency == "SAR" }?.balance ?? 0
    }

    /// How many answers have each status.
    static func statuses(_ count: Int, _ ask: @escaping @Sendable (Int) async throws -> Int) async throws -> [Int: Int]
    {
        try await withThrowingTaskGroup(of: Int.self) { tasks in
            for index in 0..<count { tasks.addTask { try await ask(index) } }
            return try await tasks.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }
}
