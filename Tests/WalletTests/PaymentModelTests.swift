import Foundation
import Messaging
import TestKit
import Testing

@testable import SeraiWallet

@Suite("A payment against a model of it")
struct PaymentModelTests {
    /// What may happen, as the model is told it.
    private enum Event: CaseIterable {
        case pending, accepted, cheaper, completed, cancelled, fined, disputed, reportedEnd
        case card, wallet, cash, deskCash
        case authorised, refused, captured, cancelledThere, refundedThere, givenUp
        case payProvider, split, giveBack
    }

    /// Written from the requirements, not from the table: where the money is, and what is asked of whom.
    private struct Model {
        enum Place { case nowhere, asked, inHand, taking, givingBack, toWallet, paidOut, back, inWallet }

        var method: PaymentMethod?
        var place = Place.nowhere
        var mayPay = false
        var isFrozen = false
        var isOver = false
        var cost = 100

        mutating func take(_ event: Event) {
            switch event {
            case .pending, .accepted:
                if place == .nowhere, !isOver { mayPay = true }
            case .card, .wallet, .cash, .deskCash:
                guard mayPay, place == .nowhere, !isOver else { return }
                method = [.card: .card, .wallet: .wallet, .cash: .cash, .deskCash: .deskCash][event]
                place = event == .card ? .asked : .inHand
            case .disputed, .reportedEnd:
                if place == .inHand { isFrozen = true } else { endUnpaid() }
            case .completed: finish(cost: 100)
            case .cheaper: finish(cost: 60)
            case .cancelled: finish(cost: 0)
            case .fined: if place == .inHand, method == .card { place = .toWallet } else { finish(cost: 0) }
            case .payProvider: if place == .inHand { finish(cost: 100) }
            case .split: if place == .inHand { finish(cost: 70) }
            case .giveBack: if place == .inHand { finish(cost: 0) }
            case .authorised: if place == .asked { place = .inHand }
            case .refused, .givenUp: if place == .asked { place = .nowhere }
            case .captured:
                if place == .asked { place = .inHand } else if place == .taking { place = .paidOut }
                if place == .toWallet { place = .inWallet }
            case .cancelledThere, .refundedThere:
                switch place {
                case .asked: place = .nowhere
                case .inHand where method == .card: place = .back
                case .taking, .givingBack, .toWallet: place = .back
                default: break
                }
            }
        }

        private mutating func finish(cost newCost: Int) {
            guard place == .inHand else { return endUnpaid() }
            if newCost > 0 { cost = newCost }
            switch (method, newCost) {
            case (.card, 0): place = .givingBack
            case (.card, _): place = .taking
            // The desk keeps the cash, and the customer has it in the wallet.
            case (.deskCash, 0): place = .inWallet
            case (_, 0): place = .back
            default: place = .paidOut
            }
        }

        private mutating func endUnpaid() {
            guard place == .nowhere || place == .asked else { return }
            place = .nowhere
            isOver = true
        }

        var state: PaymentState {
            switch place {
            case .nowhere: isOver ? .closed : mayPay ? .due : .requested
            case .asked: .authorising
            case .inHand: isFrozen ? .frozen : .held
            case .taking: .capturing
            case .givingBack: .releasing
            case .paidOut: .captured
            case .back: .released
            case .toWallet: .crediting
            case .inWallet: .credited
            }
        }
    }

    @Test(
        "W6, O3: in random lives a payment is where an independent model says, each transfer happens once, and sums hold"
    )
    func randomLives() throws {
        var generator = SeededGenerator()
        for _ in 0..<4_000 {
            var payment = Self.payment()
            var model = Model()
            var books = Books()
            var version = 1
            for _ in 0..<18 {
                let event = Event.allCases.randomElement(using: &generator) ?? .pending
                version += 1
                // A decision is about something that is held; the operation asks no other.
                let before = payment
                let effects = Self.apply(event, to: &payment, version: version)
                model.take(event)
                books.post(effects, payment)
                #expect(payment.state == model.state, "\(event) from \(before.state): \(generator)")
                #expect(books.faults(payment).isEmpty, "\(event): \(books.faults(payment)) \(generator)")
            }
            if payment.state == .credited {
                #expect(books.balances[.wallet(payment.customer, "SAR")] == 100, "\(generator)")
            }
            guard payment.state == .captured else { continue }
            #expect(payment.price == model.cost, "\(generator)")
            let paid = books.balances.filter { $0.key.kind == .wallet && $0.key.owner != payment.customer }
            #expect(payment.method == .cash || paid.values.reduce(0, +) == payment.division.parts[0].net)
        }
    }

    @Test("W6: each snapshot heard again, and every older one after it, changes nothing")
    func repeats() {
        let lives: [[(String, Bool)]] = [
            [("pending", false), ("requested", false), ("accepted", false), ("completed", false)],
            [("requested", false), ("accepted", false), ("disputed", true), ("cancelled", true)],
            [("requested", false), ("accepted", false), ("disputed", true), ("completed", false)],
            [("accepted", false), ("cancelled", false)],
        ]
        for life in lives {
            var payment = Self.payment()
            for (index, step) in life.enumerated() {
                _ = Self.follow(step.0, step.1, version: index + 2, &payment)
                _ = try? payment.pay(by: .wallet, at: Date())
                let now = payment
                for (older, step) in life.enumerated() where older <= index {
                    let effects = Self.follow(step.0, step.1, version: older + 2, &payment)
                    #expect(effects.isEmpty && payment == now)
                }
            }
        }
    }

    /// Accounts as the transfers of effects leave them.
    private struct Books {
        var balances: [AccountReference: Int] = [:]
        private var keys: [String] = []

        mutating func post(_ effects: [PaymentEffect], _ payment: Payment) {
            for effect in effects {
                guard let transfer = Self.transfer(effect, payment) else { continue }
                keys.append(transfer.key)
                for move in transfer.moves {
                    balances[move.from, default: 0] -= move.amount
                    balances[move.to, default: 0] += move.amount
                }
            }
        }

        func faults(_ payment: Payment) -> [String] {
            let escrow = balances[.escrow(payment.order, "SAR")] ?? 0
            return [
                Set(keys).count == keys.count ? nil : "a transfer happened twice: \(keys)",
                balances.values.reduce(0, +) == 0 ? nil : "the sum is not zero",
                escrow == (payment.isInEscrow ? payment.amount : 0) ? nil : "escrow is \(escrow)",
            ].compactMap { $0 }
        }

        private static func transfer(_ effect: PaymentEffect, _ payment: Payment) -> Transfer? {
            let id = UUID.timeOrdered()
            switch effect {
            case .holdFromWallet: return Transfers.holdFromWallet(payment, id: id)
            case .holdFromCard: return Transfers.holdFromCard(payment, id: id)
            case .holdFromDesk: return Transfers.holdFromDesk(payment, id: id)
            case .payOut: return Transfers.payOut(payment, returning: nil, id: id)
            case .takeCommission:
                return payment.provider.map { Transfers.takeCommission(payment, from: $0, id: id) }
            case .returnToWallet: return Transfers.returnToWallet(payment, id: id)
            case .returnToCard: return Transfers.returnToCard(payment, id: id)
            case .beginCharge, .captureCharge, .cancelCharge, .tellActionRequired, .tellHeld, .tellRefused,
                .tellCaptured, .tellReleased:
                return nil
            }
        }
    }

    private static func apply(_ event: Event, to payment: inout Payment, version: Int) -> [PaymentEffect] {
        let charge = payment.charge ?? .timeOrdered()
        switch event {
        case .pending: return follow("pending", false, version: version, &payment)
        case .accepted: return follow("accepted", false, version: version, &payment)
        case .completed: return follow("completed", false, version: version, &payment)
        case .cheaper: return follow("completed", false, version: version, cost: 60, &payment)
        case .cancelled: return follow("cancelled", false, version: version, &payment)
        case .fined: return follow("cancelled", false, version: version, isFined: true, &payment)
        case .disputed: return follow("disputed", false, version: version, &payment)
        case .reportedEnd: return follow("cancelled", true, version: version, &payment)
        // One that cannot be paid refuses; that is its right.
        case .card: return (try? payment.pay(by: .card, charge: .timeOrdered(), at: Date())) ?? []
        case .wallet: return (try? payment.pay(by: .wallet, at: Date())) ?? []
        case .cash: return (try? payment.pay(by: .cash, at: Date())) ?? []
        case .deskCash: return (try? payment.pay(by: .deskCash, at: Date())) ?? []
        case .authorised: return payment.hear(.authorised, of: charge)
        case .refused: return payment.hear(.refused, of: charge)
        case .captured: return payment.hear(.captured, of: charge)
        case .cancelledThere: return payment.hear(.cancelled, of: charge)
        case .refundedThere: return payment.hear(.refunded, of: charge)
        case .givenUp: return payment.hear(.givenUp, of: charge)
        case .payProvider: return payment.decide(toCustomer: 0)
        case .split: return payment.decide(toCustomer: 30)
        case .giveBack: return payment.decide(toCustomer: 100)
        }
    }

    private static func follow(
        _ state: String, _ isReported: Bool, version: Int, cost: Int = 100, isFined: Bool = false,
        _ payment: inout Payment
    ) -> [PaymentEffect] {
        var terms = payment.terms
        terms.amount = cost
        return payment.follow(
            orderState: state, version: version, deadline: nil, terms: terms, isReported: isReported, isFined: isFined)
    }

    private static func payment() -> Payment {
        Payment(
            id: .timeOrdered(), order: .timeOrdered(), market: "assef", customer: .timeOrdered(), customerName: "S",
            currency: "SAR", terms: FlowDomainTests.terms(100))
    }
}
