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

@Suite("Orders that were quoted with a promo code", .timeLimit(.minutes(15)))
struct PromoPromiseTests {
    /// An order that waits to be paid, quoted with a code.
    private func quoted(
        _ wallet: WalletFixture, _ customer: Person, _ provider: Person, less discount: Int, code: String = "SPRING"
    ) async throws -> OrderSnapshot {
        let order = Orders.accepted(by: customer, provider, amount: 12_000).now(.pending, version: 1) {
            $0.provider = nil
            $0.promo = OrderSnapshot.Promo(code: code, discount: discount)
        }
        try await wallet.hear(order)
        return order
    }

    private func told(_ wallet: WalletFixture, _ name: String, _ fields: String...) async throws -> [String] {
        try await wallet.outbox(name).map { body in
            let json = try JSONValue(parsing: body.utf8)
            return fields.map { field in
                json[field]?.string ?? json[field]?.integer.map { String($0) } ?? "\(json[field]?.bool == true)"
            }.joined(separator: " ")
        }
    }

    @Test("C7: who was quoted with a code pays the price less the discount, without typing the code again")
    func counted() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let id = try await wallet.promoCode(try await wallet.admin(), #""amount": 5000, "limit": 5"#)
            try await wallet.give(7_000, to: salem)
            let order = try await quoted(wallet, salem, noura, less: 5_000)
            let paid = try await wallet.pay(order, salem, by: "wallet")
            #expect(paid.status == 202 && paid.json["discount"]?["amount"]?.integer == 5_000, "\(paid.text)")
            #expect(try await wallet.balance(salem) == 0)
            #expect(try await wallet.lines(salem) == ["payment -7000 waiting"])
            let held = try await wallet.outbox("wallet.payment.held.v1")
            #expect(held.count == 1 && held[0].contains(id))
            try await wallet.expectSound()
        }
    }

    @Test("C7: another code that is typed has to give as much; when it does not, nothing has happened")
    func otherCode() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            _ = try await wallet.promoCode(admin, #""amount": 5000"#)
            _ = try await wallet.promoCode(admin, #""amount": 4999"#, code: "LESS")
            _ = try await wallet.promoCode(admin, #""amount": 6000"#, code: "MORE")
            try await wallet.give(20_000, to: salem)
            let order = try await quoted(wallet, salem, noura, less: 5_000)
            for code in ["LESS", "NOSUCH"] {
                let answer = try await wallet.pay(order, salem, by: "wallet", promoCode: code)
                #expect(answer.status == 422 && answer.slug == "promo-code-not-usable", "\(answer.text)")
            }
            #expect(try await wallet.outbox("wallet.payment.refused.v1").isEmpty)
            #expect(try await wallet.pay(order, salem, by: "wallet", promoCode: "MORE").status == 202)
            #expect(try await wallet.balance(salem) == 14_000)
            try await wallet.expectSound()
        }
    }

    @Test(
        "C7: when the code gives less than was said nothing is paid by any method, and dispatch is told so",
        arguments: ["wallet", "card"])
    func lost(method: String) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            let id = try await wallet.promoCode(admin, #""amount": 5000"#)
            try await wallet.give(20_000, to: salem)
            let order = try await quoted(wallet, salem, noura, less: 5_000)
            #expect(try await wallet.post("markets/assef/promo-codes/\(id)/end", admin, "").status == 200)
            let answer =
                method == "card"
                ? try await wallet.payByCard(order, salem, try await wallet.card(salem))
                : try await wallet.pay(order, salem, by: method)
            #expect(answer.status == 409 && answer.slug == "promo-code-lost", "\(answer.text)")
            #expect(try await wallet.state(of: order) == .due)
            #expect(try await wallet.balance(salem) == 20_000)
            #expect(try await wallet.sum(.escrow) == 0)
            #expect(wallet.books.held == 0)
            #expect(try await told(wallet, "wallet.payment.refused.v1", "reason") == ["promo-code-lost"])
            // As dispatch answers.
            try await wallet.hear(order.now(.cancelled, version: 2) { $0.reason = "promo-code-lost" })
            #expect(try await wallet.pay(order, salem, by: "wallet").slug == "order-state")
            #expect(try await wallet.balance(salem) == 20_000)
            try await wallet.expectSound()
        }
    }

    @Test("C7, W7: an attempt that was refused before the code was lost keeps its own line of the statement")
    func refusedBefore() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let huda = try await wallet.people.customer("Huda")
            _ = try await wallet.promoCode(try await wallet.admin(), #""amount": 5000, "limit": 1"#)
            let card = try await wallet.card(salem, "4000000000000341")
            let order = try await quoted(wallet, salem, noura, less: 5_000)
            #expect(try await wallet.payByCard(order, salem, card).status == 202)
            try await wallet.eventually(order, is: .due)
            try await wallet.give(7_000, to: huda)
            let other = try await quoted(wallet, huda, noura, less: 5_000)
            #expect(try await wallet.pay(other, huda, by: "wallet").status == 202)
            #expect(try await wallet.payByCard(order, salem, card).slug == "promo-code-lost")
            let lines = try await wallet.get("statement?kind=payment", salem).items
            let reasons = lines.map { "\($0["reason"]?.string ?? "") \($0["amount"]?.integer ?? 0)" }
            #expect(Set(reasons) == ["card-declined -7000", "promo-code-lost -12000"])
            let refused = try await wallet.outbox("wallet.payment.refused.v1")
            #expect(refused.filter { $0.contains("promo-code-lost") && !$0.contains("promoCode") }.count == 1)
            try await wallet.expectSound()
        }
    }

    @Test("C7: of two who were promised the last use one pays what was said, and the other nothing, 20 times")
    func race() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            let admin = try await wallet.admin()
            for round in 0..<20 {
                let code = "LAST\(round)"
                _ = try await wallet.promoCode(admin, #""amount": 100, "limit": 1"#, code: code)
                let customers = [try await wallet.people.customer("A"), try await wallet.people.customer("B")]
                var orders: [OrderSnapshot] = []
                for customer in customers {
                    try await wallet.give(12_000, to: customer)
                    orders.append(try await quoted(wallet, customer, noura, less: 100, code: code))
                }
                let all = orders
                let statuses = try await WalletFixture.statuses(2) { index in
                    try await wallet.pay(all[index], customers[index], by: "wallet").status
                }
                #expect(statuses == [202: 1, 409: 1])
                let balances = [try await wallet.balance(customers[0]), try await wallet.balance(customers[1])]
                #expect(balances.sorted() == [100, 12_000])
            }
            #expect(try await wallet.sum(.promotion) == -2_000)
            try await wallet.expectSound()
        }
    }

    @Test("C7: others are told of a code when it is made, used up, to be had again, and ended, and only then")
    func news() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            func news() async throws -> [String] {
                try await told(wallet, "wallet.promo_code.changed.v1", "version", "isUsedUp", "endedAt")
                    .map { $0.hasSuffix("Z") ? "ended" : $0 }
            }
            func pass() async throws { try await PromoCodePass.pass(at: Date(), .unknown, wallet.pool) }
            let id = try await wallet.promoCode(admin, #""amount": 100, "limit": 2"#)
            #expect(try await news() == ["1 false false"])
            try await wallet.give(100_000, to: salem)
            var orders: [OrderSnapshot] = []
            for _ in 0..<2 {
                let order = try await quoted(wallet, salem, noura, less: 100)
                orders.append(order)
                #expect(try await wallet.pay(order, salem, by: "wallet").status == 202)
                try await pass()
                #expect(try await news().count == orders.count)
            }
            #expect(try await news().last == "2 true false")
            try await wallet.hear(orders[0].now(.cancelled, version: 2))
            for _ in 0..<2 { try await pass() }
            #expect(try await news().dropFirst(2) == ["3 false false"])
            for _ in 0..<2 {
                #expect(try await wallet.post("markets/assef/promo-codes/\(id)/end", admin, "").status == 200)
                try await pass()
            }
            #expect(try await news().dropFirst(3) == ["ended"])
        }
    }

    @Test("C7, W3: what the program of before has made is told; all is told again, as it was, when that is asked for")
    func again() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, admin) = (try await wallet.people.customer(), try await wallet.admin())
            _ = try await wallet.promoCode(admin, #""amount": 100"#)
            _ = try await wallet.card(salem)
            let huda = try await wallet.people.customer("Huda")
            _ = try await wallet.card(huda)
            // As the program of before leaves them.
            try await wallet.pool.execute(UntellPromoCodes())
            try await wallet.pool.execute(DeleteAccountMethod(account: huda.account))
            try await wallet.pool.execute(ForgetOutbox())
            try await PromoCodePass.pass(at: Date(), .unknown, wallet.pool)
            #expect(try await told(wallet, "wallet.promo_code.changed.v1", "version", "code") == ["1 SPRING"])
            try await wallet.pool.execute(ForgetOutbox())
            for _ in 0..<2 {
                let counts = try await RepublishMethods(pool: wallet.pool, currencies: .unknown).all(at: Date())
                #expect(counts.methods == 2 && counts.promoCodes == 1)
            }
            let codes = try await told(wallet, "wallet.promo_code.changed.v1", "version", "code")
            #expect(codes == ["1 SPRING", "1 SPRING"])
            let methods = try await told(wallet, "wallet.method.changed.v1", "account", "version", "hasMethod")
            #expect(Set(methods) == Set([salem, huda].map { "\($0.account.text) 1 true" }))
            // Huda's once more, since nobody was ever told of it.
            #expect(methods.count == 5)
        }
    }
}

private struct UntellPromoCodes: Statement {
    static let sql: SQL = "UPDATE promo_codes SET version = 0"
}

private struct ForgetOutbox: Statement {
    static let sql: SQL = "DELETE FROM outbox"
}
