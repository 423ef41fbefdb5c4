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

/// What an admin at the desk does with the price of an order: takes it in cash, or charges a caller who has agreed.
@Suite("The desk's payments", .timeLimit(.minutes(15)))
struct DeskPaymentTests {
    /// A visit that waits for its payment.
    private static func visit(_ customer: Person, _ price: Int = 3_000) -> OrderSnapshot {
        let now = Date()
        return OrderSnapshot(
            order: .timeOrdered(), market: "edencare", kind: "homeCare", version: 1, state: .pending,
            customer: .init(account: customer.account, name: customer.name), provider: nil,
            services: [.init(service: "companionship", name: ["en": "Companionship"], price: price)],
            total: Money(amount: price, currency: "CAD"), payment: .init(method: nil, state: .unpaid),
            confirmedBy: [], deadline: now + 2 * 86_400, by: .admin, reason: nil, requestedAt: now, changedAt: now)
    }

    private static func path(_ order: OrderSnapshot, _ act: String) -> String {
        "markets/edencare/payments/\(order.order.text)/\(act)"
    }

    private static func take(
        _ wallet: WalletFixture, _ order: OrderSnapshot, _ admin: Person, _ amount: Int = 3_000,
        key: String? = UUID.timeOrdered().text
    ) async throws -> Answer {
        try await wallet.post(path(order, "cash"), admin, #"{"amount": \#(amount)}"#, key: key)
    }

    private static func platform(_ wallet: WalletFixture) async throws -> Int {
        try await wallet.pool.query(SumAccounts()).first { $0.kind == "platform" && $0.currency == "CAD" }?.balance ?? 0
    }

    private static func desk(_ wallet: WalletFixture) async throws -> Int {
        try await wallet.pool.query(SumAccounts()).first { $0.kind == "desk" && $0.currency == "CAD" }?.balance ?? 0
    }

    @Test("E4, W6: the desk's cash is the platform's: held, captured, no commission from the partner, audited once")
    func taken() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (ada, paul) = (try await wallet.people.customer("Ada"), try await wallet.people.provider("Paul"))
            let admin = try await wallet.admin(in: "edencare")
            let order = Self.visit(ada)
            try await wallet.hear(order)
            let key = UUID.timeOrdered().text
            for _ in 0..<2 {
                let taken = try await Self.take(wallet, order, admin, key: key)
                #expect(taken.status == 201 && taken.json["method"]?.string == "deskCash", "\(taken.text)")
            }
            #expect(try await wallet.told(about: order.order) == ["held", "managed"])
            #expect(try await Self.take(wallet, order, admin).slug == "payment-state")
            #expect(try await Self.desk(wallet) == -3_000)
            let held = try await wallet.get("wallets", ada).items.first { $0["currency"]?.string == "CAD" }?["held"]
            #expect(held == 3_000)
            try await wallet.hear(
                order.now(.completed, version: 6) { $0.provider = .init(account: paul.account, name: paul.name) })
            try await wallet.eventually(order, is: .captured)
            #expect(try await wallet.balance(paul, currency: "CAD") == 0)
            #expect(try await wallet.balance(ada, currency: "CAD") == 0)
            #expect(try await Self.platform(wallet) == 3_000)
            #expect(try await wallet.get("statement", paul).items.isEmpty)
            let line = try #require(try await wallet.get("statement", ada).items.first)
            #expect(line["amount"]?.integer == -3_000 && line["method"]?.string == "deskCash", "\(line)")
            let refund = try await wallet.refund(order, admin, 500)
            #expect(refund.status == 201, "\(refund.text)")
            #expect(try await wallet.balance(ada, currency: "CAD") == 500)
            try await wallet.expectSound()
        }
    }

    @Test("E4, W6: a share of the price comes out of the desk's cash, and nobody owes a commission")
    func shared() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (ada, paul) = (try await wallet.people.customer("Ada"), try await wallet.people.provider("Paul"))
            let admin = try await wallet.admin(in: "edencare")
            try await wallet.set(.commissionBasisPoints, "2000", in: "edencare")
            let order = Self.visit(ada)
            try await wallet.hear(order)
            #expect(try await Self.take(wallet, order, admin).status == 201)
            let sent = order.now(.accepted, version: 3) { $0.provider = .init(account: paul.account, name: paul.name) }
            try await wallet.hear(sent)
            try await wallet.hear(sent.now(.completed))
            try await wallet.eventually(order, is: .captured)
            #expect(try await wallet.balance(paul, currency: "CAD") == 2_400)
            #expect(try await Self.platform(wallet) == 600)
            #expect(try await wallet.lines(paul) == ["share 2400 accepted"])
            try await wallet.expectSound()
        }
    }

    @Test("E4, W6: an order that ends otherwise puts the desk's cash into the customer's wallet, whoever ended it")
    func ended() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let ada = try await wallet.people.customer("Ada")
            let admin = try await wallet.admin(in: "edencare")
            for (index, end) in [OrderSnapshot.State.refused, .cancelled, .expired].enumerated() {
                let order = Self.visit(ada)
                try await wallet.hear(order)
                #expect(try await Self.take(wallet, order, admin).status == 201)
                for _ in 0..<2 { try await wallet.hear(order.now(end)) }
                try await wallet.eventually(order, is: .credited)
                #expect(try await wallet.balance(ada, currency: "CAD") == 3_000 * (index + 1))
            }
            let lines = try await wallet.lines(ada)
            #expect(lines.filter { $0 == "refund 3000 accepted" }.count == 3, "\(lines)")
            #expect(lines.filter { $0 == "payment -3000 accepted" }.count == 3, "\(lines)")
            #expect(try await wallet.outbox("wallet.payment.released.v1").allSatisfy { $0.contains("toWallet") })
            try await wallet.expectSound()
        }
    }

    @Test(
        "E4, W6, Q7, A1: only an admin of the market takes another's price, exactly, and not more than one may in a day"
    )
    func refused() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let ada = try await wallet.people.customer("Ada")
            let (admin, second) = (try await wallet.admin(in: "edencare"), try await wallet.admin(in: "edencare"))
            let order = Self.visit(ada)
            try await wallet.hear(order)
            #expect(try await Self.take(wallet, order, ada).status == 403)
            #expect(try await Self.take(wallet, order, try await wallet.admin()).status == 403)
            #expect(
                try await wallet.post(
                    "markets/assef/payments/\(order.order.text)/cash", try await wallet.admin(), #"{"amount": 3000}"#
                ).status == 404)
            #expect(try await Self.take(wallet, order, admin, 2_999).codes == ["/amount": "not-the-price"])
            #expect(try await Self.take(wallet, order, admin, 0).status == 422)
            let own = Self.visit(admin)
            try await wallet.hear(own)
            #expect(try await Self.take(wallet, own, admin).slug == "own-matter")
            // No customer pays in this way.
            let chosen = try await wallet.pay(order, ada, by: "deskCash")
            #expect(chosen.codes == ["/method": "not-a-choice"], "\(chosen.text)")
            try await wallet.set(.deskTakesCash, "false", in: "edencare")
            #expect(try await Self.take(wallet, order, admin).slug == "desk-takes-no-cash")
            try await wallet.set(.deskTakesCash, "true", in: "edencare")
            try await wallet.set(.secondApprovalAmount, "5000", in: "edencare")
            #expect(try await Self.take(wallet, order, admin).status == 201)
            let next = Self.visit(ada)
            try await wallet.hear(next)
            let above = try await Self.take(wallet, next, admin)
            #expect(above.slug == "desk-cash-limit" && above.json["left"]?.integer == 2_000, "\(above.text)")
            #expect(try await Self.take(wallet, next, second).status == 201)
            try await wallet.expectSound()
        }
    }

    @Test("E4, W6: of two admins who take the same price at once, or of one and a charge, exactly one has it, 20 times")
    func race() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let ada = try await wallet.people.customer("Ada")
            let admins = [try await wallet.admin(in: "edencare"), try await wallet.admin(in: "edencare")]
            try await wallet.give(100_000, to: ada, currency: "CAD")
            for _ in 0..<20 {
                let order = Self.visit(ada)
                try await wallet.hear(order)
                let statuses = try await WalletFixture.statuses(3) { index in
                    index < 2
                        ? try await Self.take(wallet, order, admins[index]).status
                        : try await wallet.pay(order, ada, by: "wallet").status
                }
                let made = (statuses[201] ?? 0) + (statuses[202] ?? 0)
                #expect(made == 1 && statuses[409] == 2, "\(statuses)")
            }
            try await wallet.expectSound()
        }
    }

    @Test("E3, O7, W3: the desk charges a card that its owner has released, or the wallet, once more after a failure")
    func charged() async throws {
        try await WalletFixture.run { wallet in
            let ada = try await wallet.people.customer("Ada")
            let admin = try await wallet.admin(in: "edencare")
            let order = Self.visit(ada)
            try await wallet.hear(order)
            func charge(_ body: String, _ by: Person? = nil) async throws -> Answer {
                try await wallet.post(Self.path(order, "charge"), by ?? admin, body)
            }
            #expect(try await charge(#"{"method": "card"}"#).codes == ["/card": "no-such-card"])
            let card = try await wallet.card(ada)
            #expect(
                try await charge(#"{"method": "card", "card": "\#(card)"}"#).codes == ["/card": "card-not-consented"])
            #expect(try await charge(#"{"method": "wallet", "card": "\#(card)"}"#).codes == ["/card": "only-with-card"])
            #expect(try await charge(#"{"method": "cash"}"#).codes == ["/method": "not-a-choice"])
            #expect(try await charge(#"{"method": "wallet"}"#, ada).status == 403)
            try await wallet.withDeadlines {
                #expect(try await charge(#"{"method": "wallet"}"#).status == 202)
                try await eventually("that it holds too little is told") {
                    try await wallet.refusals(of: order).map(\.reason) == ["insufficient-funds"]
                }
                // Begun anew, it is told anew, whatever was told before.
                #expect(try await charge(#"{"method": "wallet"}"#).status == 202)
                try await eventually("that it holds too little is told once more") {
                    try await wallet.refusals(of: order).map(\.reason) == ["insufficient-funds", "insufficient-funds"]
                }
                let released = try await wallet.call(.patch, "cards/\(card)", ada, #"{"consent": true}"#)
                #expect(released.status == 200, "\(released.text)")
                #expect(try await charge(#"{"method": "card", "card": "\#(card)"}"#).status == 202)
                try await wallet.eventually(order, is: .held)
            }
            let made = try await wallet.charge(of: order)
            #expect(made.cvvReference == nil && made.consentedAt != nil && wallet.chargedPayments == 1)
            #expect(try await charge(#"{"method": "wallet"}"#).slug == "payment-state")
            #expect(try await wallet.told(about: order.order).filter { $0 == "managed" }.count == 3)
            try await wallet.expectSound()
        }
    }
}
