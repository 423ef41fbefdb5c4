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

@Suite("Promo codes", .timeLimit(.minutes(15)))
struct PromoCodeTests {
    private static func code(
        _ benefit: PromoCode.Benefit, minimum: Int = 0, limit: Int? = 10, perAccount: Int? = 10, ended: Date? = nil
    ) -> PromoCode {
        PromoCode(
            id: UUID(), market: "assef", currency: "SAR", code: "SPRING", benefit: benefit,
            startsAt: Date(timeIntervalSince1970: 100), endsAt: Date(timeIntervalSince1970: 200), minimumPrice: minimum,
            limit: limit, limitPerAccount: perAccount, endedAt: ended)
    }

    @Test("C7: a code takes off what it says, in time, in its market, within its limits, and never more than the price")
    func rules() throws {
        let now = Date(timeIntervalSince1970: 150)
        func discount(
            _ code: PromoCode, _ price: Int = 1_000, uses: (Int, Int) = (0, 0), at: Date? = nil,
            in market: String = "assef"
        ) -> Int? {
            try? code.discount(on: price, in: market, uses: uses, at: at ?? now)  // try?: nil is what is asked.
        }
        #expect(discount(Self.code(.percent(basisPoints: 2_000, maximum: 500))) == 200)
        #expect(discount(Self.code(.percent(basisPoints: 3_333, maximum: 500)), 101) == 33)
        #expect(discount(Self.code(.percent(basisPoints: 2_000, maximum: 150))) == 150)
        #expect(discount(Self.code(.percent(basisPoints: 10_000, maximum: Int.max)), Int.max) == Int.max)
        #expect(discount(Self.code(.amount(300))) == 300)
        #expect(discount(Self.code(.amount(3_000))) == 1_000)
        #expect(discount(Self.code(.amount(1)), 0) == nil)
        #expect(discount(Self.code(.amount(1), minimum: 1_001)) == nil)
        #expect(discount(Self.code(.amount(1), minimum: 1_000)) == 1)
        #expect(discount(Self.code(.amount(1), limit: 5), uses: (5, 0)) == nil)
        #expect(discount(Self.code(.amount(1), limit: 5), uses: (4, 4)) == 1)
        #expect(discount(Self.code(.amount(1), perAccount: 1), uses: (9, 1)) == nil)
        #expect(discount(Self.code(.amount(1)), at: Date(timeIntervalSince1970: 99)) == nil)
        #expect(discount(Self.code(.amount(1)), at: Date(timeIntervalSince1970: 200)) == nil)
        #expect(discount(Self.code(.amount(1)), in: "hajji") == nil)
        #expect(discount(Self.code(.amount(1), ended: now)) == nil)
        // Those that were made before all codes had caps.
        #expect(discount(Self.code(.amount(1), limit: nil)) == nil)
        #expect(discount(Self.code(.amount(1), perAccount: nil)) == nil)
        #expect(discount(Self.code(.percent(basisPoints: 2_000, maximum: nil))) == nil)
        for typed in ["spring-20", " SPRING-20", "spring\u{00A0}-20", "spring-٢٠"] {
            #expect(PromoCode.normalized(typed) == "SPRING-20", "\(typed)")
        }
        for bad in ["abc", "a b c", "springⅧ", "ربيعربيع", String(repeating: "A", count: 33), "A'--B"] {
            #expect(PromoCode.normalized(bad) == nil, "\(bad)")
        }
    }

    @Test("C7: with a code the customer pays the rest, the platform the discount, and the whole price is divided")
    func wallet() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            let id = try await wallet.promoCode(admin, #""basisPoints": 2500"#)
            try await wallet.give(9_000, to: salem)
            let order = try await wallet.accepted(salem, noura, amount: 12_000)
            let quote = try await wallet.get("orders/\(order.order.text)/promotion?code=spring", salem)
            #expect(quote.json["discount"]?["amount"]?.integer == 3_000, "\(quote.text)")
            #expect(quote.json["toPay"]?["amount"]?.integer == 9_000)
            let paid = try await wallet.pay(order, salem, by: "wallet", promoCode: "Spring")
            #expect(paid.status == 202 && paid.json["discount"]?["amount"]?.integer == 3_000, "\(paid.text)")
            #expect(try await wallet.balance(salem) == 0)
            #expect(try await wallet.get("wallets", salem).items.first?["held"]?.integer == 9_000)
            #expect(try await wallet.sum(.escrow) == 12_000)
            #expect(try await wallet.sum(.promotion) == -3_000)
            try await wallet.expectSound()
            try await wallet.hear(order.now(.completed))
            #expect(try await wallet.balance(noura) == 10_200)
            #expect(try await wallet.sum(.platform) == 1_800)
            #expect(try await wallet.get("statement", salem).items.map { $0["amount"]?.integer } == [-9_000])
            #expect(try await wallet.get("statement", noura).items.map { $0["amount"]?.integer } == [10_200])
            let figures = try await wallet.get("markets/assef/promo-codes/\(id)", admin)
            #expect(figures.json["capturedUses"]?.integer == 1 && figures.json["capturedDiscounts"]?.integer == 3_000)
            try await wallet.expectSound()
        }
    }

    @Test(
        "C7: what is released with a code goes back to each to the last minor unit: wallet and card",
        arguments: [12_001, 99, 1])
    func released(price: Int) async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let id = try await wallet.promoCode(try await wallet.admin(), #""basisPoints": 3333"#)
            try await wallet.give(20_000, to: salem)
            let card = try await wallet.card(salem)
            let discount = price * 3_333 / 10_000
            for byCard in [false, true] {
                let order = try await wallet.accepted(salem, noura, amount: price)
                let answer =
                    byCard
                    ? try await wallet.post(
                        "orders/\(order.order.text)/payment", salem,
                        #"{"method": "card", "card": "\#(card)", "cvvToken": "cvctok_test", "promoCode": "SPRING"}"#)
                    : try await wallet.pay(order, salem, by: "wallet", promoCode: "SPRING")
                #expect(answer.status == 202, "\(answer.text)")
                try await wallet.eventually(order, is: .held)
                if byCard { #expect(wallet.books.held == price - discount) }
                #expect(try await wallet.sum(.escrow) == price)
                #expect(try await wallet.sum(.promotion) == -discount)
                try await wallet.expectSound()
                try await wallet.hear(order.now(.cancelled))
                try await wallet.eventually(order, is: .released)
                #expect(try await wallet.balance(salem) == 20_000)
                #expect(try await wallet.sum(.promotion) == 0)
                #expect(wallet.books.held == 0)
                try await wallet.expectSound()
            }
            let figures = try await wallet.get("markets/assef/promo-codes/\(id)", try await wallet.admin())
            #expect(figures.json["uses"]?.integer == 0, "\(figures.text)")
        }
    }

    @Test(
        "C7: where the market takes only cash a code's quote is refused as its payment is; where it takes more, it is not"
    )
    func cashOnly() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            _ = try await wallet.promoCode(try await wallet.admin(), #""amount": 5000"#)
            let order = try await wallet.accepted(salem, noura, amount: 12_000)
            let path = "orders/\(order.order.text)/promotion?code=spring"
            #expect(try await wallet.get(path, salem).json["discount"]?["amount"]?.integer == 5_000)
            try await wallet.set(.paymentMethods, "cash")
            let quote = try await wallet.get(path, salem)
            #expect(quote.status == 422 && quote.slug == "promo-code-not-with-cash", "\(quote.text)")
            #expect(try await wallet.get(path, noura).status == 404)
            let paid = try await wallet.pay(order, salem, by: "cash", promoCode: "SPRING")
            #expect(paid.slug == "promo-code-not-with-cash", "\(paid.text)")
            try await wallet.set(.paymentMethods, "cash,card")
            #expect(try await wallet.get(path, salem).json["toPay"]?["amount"]?.integer == 7_000)
        }
    }

    @Test("C7: no code counts with cash, nor for a price that the customer sets, and nothing is charged or used up")
    func unfit() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            let id = try await wallet.promoCode(admin, #""amount": 5000"#)
            let order = try await wallet.accepted(salem, noura, amount: 12_000)
            let cash = try await wallet.pay(order, salem, by: "cash", promoCode: "SPRING")
            #expect(cash.status == 422 && cash.slug == "promo-code-not-with-cash", "\(cash.text)")
            try await wallet.give(20_000, to: salem)
            var parcel = Orders.accepted(by: salem, noura, amount: 12_000)
            parcel.kind = "parcel"
            try await wallet.hear(parcel)
            let own = try await wallet.pay(parcel, salem, by: "wallet", promoCode: "SPRING")
            #expect(own.status == 422 && own.slug == "promo-code-not-for-own-price", "\(own.text)")
            let quote = try await wallet.get("orders/\(parcel.order.text)/promotion?code=spring", salem)
            #expect(quote.status == 422 && quote.slug == "promo-code-not-for-own-price", "\(quote.text)")
            var promised = Orders.accepted(by: salem, noura, amount: 12_000)
            promised.promo = .init(code: "SPRING", discount: 5_000)
            try await wallet.hear(promised)
            #expect(try await wallet.pay(promised, salem, by: "cash").slug == "promo-code-not-with-cash")
            #expect(try await wallet.state(of: promised) == .due)
            let figures = try await wallet.get("markets/assef/promo-codes/\(id)", admin)
            #expect(figures.json["uses"]?.integer == 0, "\(figures.text)")
            #expect(try await wallet.sum(.promotion) == 0)
            #expect(try await wallet.pay(order, salem, by: "cash").status == 202)
            #expect(try await wallet.pay(promised, salem, by: "wallet").status == 202)
            try await wallet.expectSound()
        }
    }

    @Test("C7: a code is made with a maximum, a limit and a limit for each account, or not at all")
    func caps() async throws {
        try await WalletFixture.run { wallet in
            let admin = try await wallet.admin()
            func make(_ terms: String) async throws -> [String: String] {
                try await wallet.post("markets/assef/promo-codes", admin, #"{"code": "CAPS", \#(terms)}"#).codes
            }
            #expect(
                try await make(#""basisPoints": 1000"#)
                    == ["/limit": "required", "/limitPerAccount": "required", "/maximum": "required"])
            #expect(try await make(#""amount": 100, "limit": 5"#) == ["/limitPerAccount": "required"])
            #expect(try await make(#""amount": 100, "limitPerAccount": 5"#) == ["/limit": "required"])
        }
    }

    @Test("C7: what a code pays whole needs no card")
    func free() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            _ = try await wallet.promoCode(try await wallet.admin(), #""amount": 50000"#)
            let order = try await wallet.accepted(salem, noura, amount: 12_000)
            let paid = try await wallet.pay(order, salem, by: "wallet", promoCode: "SPRING")
            #expect(paid.json["method"]?.string == "wallet" && paid.json["state"]?.string == "held", "\(paid.text)")
            try await wallet.hear(order.now(.completed))
            #expect(try await wallet.balance(noura) == 10_200)
            #expect(try await wallet.sum(.promotion) == -12_000)
            try await wallet.expectSound()
        }
    }

    @Test("C7: of two that take the last use at once one gets it, 20 times")
    func lastUse() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            let admin = try await wallet.admin()
            for round in 0..<20 {
                _ = try await wallet.promoCode(admin, #""amount": 100, "limit": 1"#, code: "LAST\(round)")
                let customers = [try await wallet.people.customer("A"), try await wallet.people.customer("B")]
                var orders: [OrderSnapshot] = []
                for customer in customers {
                    try await wallet.give(1_000, to: customer)
                    orders.append(try await wallet.accepted(customer, noura, amount: 1_000))
                }
                let all = orders
                let statuses = try await WalletFixture.statuses(2) { index in
                    let answer = try await wallet.pay(
                        all[index], customers[index], by: "wallet", promoCode: "LAST\(round)")
                    if answer.status != 202 { #expect(answer.slug == "promo-code-not-usable", "\(answer.text)") }
                    return answer.status
                }
                #expect(statuses == [202: 1, 422: 1])
            }
            #expect(try await wallet.sum(.promotion) == -2_000)
            try await wallet.expectSound()
        }
    }

    @Test(
        "C7: a customer's limit holds under repeats and at once, and a use comes back with what is released or refused")
    func limitPerAccount() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            _ = try await wallet.promoCode(
                try await wallet.admin(), #""amount": 100, "limitPerAccount": 2, "limit": 2"#)
            try await wallet.give(100_000, to: salem)
            var orders: [OrderSnapshot] = []
            for _ in 0..<6 { orders.append(try await wallet.accepted(salem, noura, amount: 1_000)) }
            let all = orders
            let statuses = try await WalletFixture.statuses(6) { index in
                let key = UUID.timeOrdered().text
                let body = #"{"method": "wallet", "promoCode": "SPRING"}"#
                let path = "orders/\(all[index].order.text)/payment"
                let first = try await wallet.post(path, salem, body, key: key)
                // The same request again is not a second use.
                if first.status == 202 {
                    #expect(try await wallet.post(path, salem, body, key: key).text == first.text)
                }
                return first.status
            }
            #expect(statuses == [202: 2, 422: 4])
            #expect(try await wallet.sum(.promotion) == -200)
            var held: [OrderSnapshot] = []
            for order in all where try await wallet.state(of: order) == .held { held.append(order) }
            try await wallet.hear(try #require(held.first).now(.cancelled))
            var due: [OrderSnapshot] = []
            for order in all where try await wallet.state(of: order) == .due { due.append(order) }
            // A card that is refused gives the use back, too.
            let poor = try await wallet.card(salem, "4000000000009995")
            let byCard = try await wallet.post(
                "orders/\(due[0].order.text)/payment", salem,
                #"{"method": "card", "card": "\#(poor)", "cvvToken": "cvctok_test", "promoCode": "SPRING"}"#)
            #expect(byCard.status == 202, "\(byCard.text)")
            try await wallet.eventually(due[0], is: .due)
            #expect(try await wallet.pay(due[1], salem, by: "wallet", promoCode: "SPRING").status == 202)
            #expect(try await wallet.pay(due[0], salem, by: "wallet", promoCode: "SPRING").status == 422)
            #expect(try await wallet.pay(due[0], salem, by: "wallet").status == 202)
            try await wallet.expectSound()
        }
    }

    @Test("C7: wrong codes have one answer, and whoever tries many must wait, in every process")
    func guessing() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (huda, admin) = (try await wallet.people.customer("Huda"), try await wallet.admin())
            let ended = try await wallet.promoCode(admin, #""amount": 100"#, code: "ENDED")
            #expect(try await wallet.post("markets/assef/promo-codes/\(ended)/end", admin, "").status == 200)
            _ = try await wallet.promoCode(admin, #""amount": 100, "minimumPrice": 1000000"#, code: "HUGE")
            _ = try await wallet.promoCode(admin, #""amount": 100, "startsAt": "2099-01-01T00:00:00Z""#, code: "LATER")
            let order = try await wallet.accepted(salem, noura)
            let path = "orders/\(order.order.text)/promotion?code="
            var texts: Set<String> = []
            for code in ["NOSUCH", "ENDED", "HUGE", "LATER", "!", ""] {
                let answer = try await wallet.get(path + code, salem)
                #expect(answer.status == 422 && answer.slug == "promo-code-not-usable", "\(answer.text)")
                texts.insert(answer.json["detail"]?.string ?? "")
            }
            #expect(texts.count == 1)
            #expect(try await wallet.get(path + "HUGE", huda).status == 404)
            #expect(try await wallet.get(path + "HUGE", noura).status == 404)
            #expect(try await wallet.get(path + "HUGE", nil).status == 401)
            for _ in 0..<(UsePromoCode.attempts - 6) { _ = try await wallet.get(path + "NOSUCH", salem) }
            #expect(try await wallet.get(path + "NOSUCH", salem).status == 429)
            #expect(try await wallet.pay(order, salem, by: "cash", promoCode: "NOSUCH").status == 429)
            #expect(try await wallet.pay(order, salem, by: "cash").status == 202)
        }
    }
}
