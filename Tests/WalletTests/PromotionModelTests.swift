import Foundation
import Messaging
import TestKit
import Testing

@testable import SeraiWallet

@Suite("A promo code in everything that may become of a payment")
struct PromotionModelTests {
    /// One order's accounts, and what moved between them.
    private struct Books {
        var balances: [AccountReference: Int] = [:]
        var wentBelow = false

        mutating func post(_ transfer: Transfer) {
            for move in transfer.moves {
                balances[move.from, default: 0] -= move.amount
                balances[move.to, default: 0] += move.amount
            }
            // No account for one matter owes anything, whatever the order of the moves.
            wentBelow = wentBelow || balances.contains { [.escrow, .refund].contains($0.key.kind) && $0.value < 0 }
        }

        func sum(_ kind: AccountReference.Kind) -> Int {
            balances.filter { $0.key.kind == kind }.map(\.value).reduce(0, +)
        }
    }

    private enum End: CaseIterable { case completed, cheaper, split, giveBack, cancelled }

    private static func terms(_ amount: Int, _ generator: inout SeededGenerator) -> PaymentTerms {
        var terms = PaymentTerms(
            provider: .timeOrdered(), providerName: "N", title: [:], amount: amount,
            commissionBasisPoints: Int.random(in: 0...10_000, using: &generator))
        terms.merchantCommissionBasisPoints = Int.random(in: 0...10_000, using: &generator)
        guard let provider = terms.provider, Bool.random(using: &generator) else { return terms }
        let merchants = Int.random(in: 0...amount, using: &generator)
        terms.payees = [
            Payee(party: .merchant, account: .timeOrdered(), name: "M", amount: merchants),
            Payee(
                party: .provider, account: provider, name: "N",
                amount: Int.random(in: 0...(amount - merchants), using: &generator)),
        ]
        terms.total = amount
        return terms
    }

    @Test(
        "C7: whatever an order costs, whoever gets it, by any method: sums are exact, and nobody pays more than agreed")
    func everyEnd() throws {
        var generator = SeededGenerator()
        for _ in 0..<20_000 {
            let bound = [3, 100, 100_000, Int.max / 8].randomElement(using: &generator) ?? 3
            let amount = Int.random(in: 1...bound, using: &generator)
            let discount = Int.random(in: 0...amount, using: &generator)
            let methods: [PaymentMethod] = discount == amount ? [.wallet] : [.wallet, .cash, .card, .applePay, .payPal]
            let method = methods.randomElement(using: &generator) ?? .wallet
            let terms = Self.terms(amount, &generator)
            var payment = Payment(
                id: .timeOrdered(), order: .timeOrdered(), market: "assef", customer: .timeOrdered(), customerName: "S",
                currency: "SAR", terms: terms)
            _ = payment.follow(orderState: "accepted", version: 1, deadline: nil, terms: terms)
            let charge: UUID? = method.isCharged ? .timeOrdered() : nil
            var books = Books()
            var effects = try payment.pay(
                by: method, charge: charge, with: AppliedPromotion(use: .timeOrdered(), discount: discount), at: Date())
            Self.perform(effects, payment, &books)
            if let charge { Self.perform(payment.hear(.authorised, of: charge), payment, &books) }
            #expect(books.sum(.escrow) == (method == .cash ? 0 : amount), "\(generator)")
            #expect(books.sum(.promotion) == (method == .cash ? 0 : -discount), "\(generator)")

            let cost = Int.random(in: 0...amount, using: &generator)
            let end = End.allCases.randomElement(using: &generator) ?? .completed
            if end == .split || end == .giveBack {
                effects = payment.follow(orderState: "disputed", version: 2, deadline: nil, terms: terms)
                #expect(payment.state == .frozen && effects.isEmpty, "\(generator)")
            }
            switch end {
            case .completed: effects = payment.follow(orderState: "completed", version: 3, deadline: nil, terms: terms)
            case .cheaper:
                var less = terms
                less.amount = cost
                effects = payment.follow(orderState: "completed", version: 3, deadline: nil, terms: less)
            case .split: effects = payment.decide(toCustomer: amount - cost)
            case .giveBack: effects = payment.decide(toCustomer: amount)
            case .cancelled: effects = payment.follow(orderState: "cancelled", version: 3, deadline: nil, terms: terms)
            }
            Self.perform(effects, payment, &books)
            if let charge {
                let answer: PaymentTrigger = payment.state == .capturing ? .captured : .cancelled
                Self.perform(payment.hear(answer, of: charge), payment, &books)
            }
            let price = end == .completed ? amount : end == .cheaper || end == .split ? cost : 0
            Self.check(payment, books, price: price, discount: discount, method, "\(generator) \(end)")
            if payment.state == .captured { Self.refund(payment, &generator) }
        }
    }

    /// What follows from a transition, as far as money moves.
    private static func perform(_ effects: [PaymentEffect], _ payment: Payment, _ books: inout Books) {
        for effect in effects {
            switch effect {
            case .holdFromWallet: books.post(Transfers.holdFromWallet(payment, id: .timeOrdered()))
            case .holdFromDesk: books.post(Transfers.holdFromDesk(payment, id: .timeOrdered()))
            case .holdFromCard: books.post(Transfers.holdFromCard(payment, id: .timeOrdered()))
            case .returnToWallet: books.post(Transfers.returnToWallet(payment, id: .timeOrdered()))
            case .returnToCard: books.post(Transfers.returnToCard(payment, id: .timeOrdered()))
            case .takeCommission:
                guard let provider = payment.provider else { continue }
                books.post(Transfers.takeCommission(payment, from: provider, id: .timeOrdered()))
            case .payOut:
                let refund = Refund(
                    id: .timeOrdered(), order: payment.order, market: payment.market, customer: payment.customer,
                    currency: payment.currency, amount: payment.excess, destination: .card, funder: .hold,
                    funderAccount: nil, reason: "", by: nil, at: Date())
                let returning = payment.method?.isCharged == true && payment.excess > 0 ? refund : nil
                books.post(Transfers.payOut(payment, returning: returning, id: .timeOrdered()))
            case .beginCharge, .captureCharge, .cancelCharge, .tellActionRequired, .tellHeld, .tellRefused,
                .tellCaptured, .tellReleased:
                continue
            }
        }
    }

    /// - Parameter price: what the order costs in the end.
    private static func check(
        _ payment: Payment, _ books: Books, price: Int, discount: Int, _ method: PaymentMethod, _ what: String
    ) {
        #expect(payment.state == (price > 0 ? .captured : .released), "\(what)")
        #expect(!books.wentBelow && books.sum(.escrow) == 0, "\(what)")
        #expect(books.balances.values.reduce(0, +) == 0, "\(what)")
        // The platform pays its part, and the customer the rest, neither of them more than was agreed.
        let given = min(discount, price)
        #expect(books.sum(.promotion) == -given, "\(what)")
        #expect(books.sum(.platform) >= 0, "\(what)")
        #expect(price == 0 || payment.customerPart == price - given, "\(what)")
        let customer = AccountReference.wallet(payment.customer, "SAR")
        switch method {
        case .cash: #expect(books.balances[customer] == nil, "\(what)")
        case .wallet: #expect(books.balances[customer, default: 0] == given - price, "\(what)")
        // No code is used at the desk.
        case .deskCash: Issue.record("a promo code at the desk: \(what)")
        case .card, .applePay, .googlePay, .payPal:
            // What is on its way back to the card counts as given back.
            #expect(books.sum(.external) + books.sum(.refund) == given - price, "\(what)")
        }
        guard price > 0 else { return }
        let division = Division(of: price, by: payment.terms)
        #expect(books.sum(.platform) == division.platform, "\(what)")
        for part in division.parts {
            let wallet = books.balances[.wallet(part.payee.account, "SAR"), default: 0]
            let inHand = method == .cash && part.payee.account == payment.provider ? price - given : 0
            #expect(wallet + inHand == part.net, "\(what)")
        }
        let lines = payment.statementLines(platformName: "P")
        #expect(lines.first { $0.kind == .payment }?.amount == given - price, "\(what)")
        for line in lines where line.kind != .payment {
            #expect(line.amount == books.balances[.wallet(line.account, "SAR"), default: 0], "\(what)")
        }
    }

    /// Refunds end at what the customer has paid.
    private static func refund(_ captured: Payment, _ generator: inout SeededGenerator) {
        var payment = captured
        var (back, toCard) = (0, 0)
        for _ in 0..<4 {
            let part = Int.random(in: 1...max(1, payment.customerPart), using: &generator)
            let isCard = Bool.random(using: &generator)
            // try?: what is refused changes nothing.
            guard (try? payment.refund(part, toCard: isCard)) != nil else { continue }
            back += part
            if isCard { toCard += part }
        }
        #expect(payment.refunded == back && back <= payment.customerPart, "\(generator)")
        #expect(payment.refundedToCard == toCard && (toCard == 0 || payment.method?.isCharged == true), "\(generator)")
        let left = payment.customerPart - back
        #expect(throws: RefundRefusal.aboveCaptured(left: left, currency: payment.currency)) {
            try payment.refund(left + 1, toCard: false)
        }
    }
}
