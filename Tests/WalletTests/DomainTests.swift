import Foundation
import Messaging
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Pure rules of the wallet")
struct DomainTests {
    @Test(
        "W6: the commission is rounded half up, and the shares add up",
        arguments: [
            (12_000, 1_500, 1_800), (1, 1_500, 0), (3, 1_500, 0), (4, 1_500, 1), (10, 1_500, 2), (0, 1_500, 0),
            (999, 10_000, 999), (999, 0, 0), (3, 5_000, 2), (.max, 10_000, .max), (.max, 1, 922_337_203_685_478),
        ])
    func shares(amount: Int, basisPoints: Int, platform: Int) {
        let shares = Shares(of: amount, commissionBasisPoints: basisPoints)
        #expect(shares.platform == platform)
        #expect(shares.provider + shares.platform == amount)
        #expect(shares.provider >= 0)
    }

    @Test("W6: every state but the last ones leads somewhere, and no rule is there twice")
    func rules() {
        let final: Set<PaymentState> = [.captured, .released, .closed, .credited]
        for state in PaymentState.allCases {
            #expect(PaymentRule.all.contains { $0.from == state } != final.contains(state), "\(state)")
        }
        for (index, rule) in PaymentRule.all.enumerated() {
            let twin = PaymentRule.all[(index + 1)...].first { other in
                other.from == rule.from && other.trigger == rule.trigger
                    && (other.method == nil || rule.method == nil || other.method == rule.method)
            }
            #expect(twin == nil, "\(rule)")
        }
    }

    @Test(
        "W6: in any random life of a payment money enters escrow at most once and leaves it once, and never to two sides"
    )
    func randomLives() throws {
        var generator = SeededGenerator()
        for _ in 0..<2_000 {
            var payment = Bool.random(using: &generator) ? Self.payment() : Self.requested()
            var effects: [PaymentEffect] = []
            var version = 3
            for _ in 0..<14 {
                let triggers: [PaymentTrigger] = [
                    .authorised, .authorised, .refused, .captured, .cancelled, .refunded, .givenUp, .actionRequired,
                    .abandoned,
                ]
                switch Int.random(in: 0..<6, using: &generator) {
                case 0:
                    // An ended one refuses; that is its right.
                    let method = PaymentMethod.allCases.randomElement(using: &generator) ?? .cash
                    let charge = method.isCharged ? UUID.timeOrdered() : nil
                    effects += (try? payment.pay(by: method, charge: charge, at: Self.now)) ?? []
                case 1:
                    version += 1
                    let state = ["requested", "accepted", "accepted", "completed", "cancelled", "expired", "enRoute"]
                        .randomElement(using: &generator)
                    effects += payment.follow(
                        orderState: state ?? "", version: Int.random(in: 1...version, using: &generator),
                        deadline: nil, terms: payment.terms)
                default:
                    let trigger = triggers.randomElement(using: &generator) ?? .authorised
                    effects += payment.hear(trigger, of: payment.charge ?? .timeOrdered())
                }
                let entered = effects.filter { [.holdFromCard, .holdFromWallet, .holdFromDesk].contains($0) }.count
                let left = effects.filter { [.payOut, .returnToCard, .returnToWallet].contains($0) }.count
                #expect(entered <= 1 && left <= entered, "\(effects) \(generator)")
                #expect((entered - left == 1) == payment.isInEscrow, "\(effects) \(payment.state) \(generator)")
                let ends = effects.filter { [.tellCaptured, .tellReleased].contains($0) }.count
                #expect(ends <= 1, "\(effects) \(generator)")
            }
        }
    }

    @Test("W6: snapshots older than one already heard change nothing")
    func olderSnapshots() {
        var payment = Self.payment()
        let ended = payment.follow(orderState: "expired", version: 3, deadline: nil, terms: payment.terms)
        #expect(ended.isEmpty && payment.state == .closed)
        let older = payment.follow(orderState: "accepted", version: 2, deadline: nil, terms: payment.terms)
        #expect(older.isEmpty && payment.orderVersion == 3)
        #expect(throws: PaymentRefusal.tooLate(order: "expired")) { try payment.pay(by: .wallet, at: Self.now) }
    }

    @Test("W6: what became of an earlier charge is no news of the payment")
    func earlierCharge() throws {
        var payment = Self.payment()
        let first = UUID.timeOrdered()
        let second = UUID.timeOrdered()
        _ = try payment.pay(by: .card, charge: first, at: Self.now)
        let givenUp = payment.hear(.givenUp, of: first, reason: "provider-down")
        #expect(givenUp == [.cancelCharge, .tellRefused])
        _ = try payment.pay(by: .card, charge: second, at: Self.now)
        let ofFirst = payment.hear(.authorised, of: first)
        #expect(ofFirst.isEmpty && payment.state == .authorising)
        let ofSecond = payment.hear(.authorised, of: second)
        #expect(ofSecond == [.holdFromCard, .tellHeld])
    }

    @Test(
        "W6: a charge that was never asked for is cancelled without a word; one that may have been is looked for, not made"
    )
    func cancelling() {
        var never = Self.charge(tries: 0)
        never.want(.cancel)
        #expect(never.state == .cancelled)
        #expect(never.nextRequest == nil)
        var perhaps = Self.charge(tries: 1)
        perhaps.want(.cancel)
        #expect(perhaps.nextRequest == .find)
        let isAuthorised = perhaps.note(.authorised, reference: "pi_1")
        #expect(isAuthorised && perhaps.nextRequest == .cancel)
        let isCancelled = perhaps.note(.cancelled, reference: "pi_1")
        #expect(isCancelled && perhaps.nextRequest == nil)
        let isCaptured = perhaps.note(.captured, reference: "pi_1")
        #expect(!isCaptured)
    }

    @Test(
        "W6: a charge as old as a key is only looked for; three times in vain, an hour apart, it lapses; a late answer counts"
    )
    func lapsing() {
        var charge = Self.charge(tries: 3)
        func hours(_ hours: Double) -> Date { charge.madeAt.addingTimeInterval(hours * 3600) }
        #expect(charge.nextRequest(at: hours(21.9)) == .authorise && charge.nextRequest(at: hours(22.1)) == .find)
        let misses = [1, 23, 23.1, 23.4, 23.6, 23.7, 24.2].map { charge.miss(at: hours($0)) }
        #expect(misses == [false, false, false, false, false, false, true] && charge.misses == 3)
        #expect(charge.nextRequest == nil && charge.state == .lapsed)
        let isAuthorised = charge.note(.authorised, reference: "pi_1")
        #expect(isAuthorised && charge.state == .authorised)
        // The customer was told that it did not work.
        #expect(charge.nextRequest == .cancel)
    }

    @Test("W2: a charge that is captured when it is to be cancelled is refunded, once")
    func refunding() {
        var charge = Self.charge(tries: 1)
        for outcome in [SeraiWallet.Charge.Outcome.authorised, .captured] {
            let isNew = charge.note(outcome, reference: "pi_1")
            #expect(isNew && charge.nextRequest == nil)
        }
        charge.want(.cancel)
        #expect(charge.state == .captured && charge.nextRequest == .refund)
        let isRefunded = charge.note(.refunded, reference: nil)
        let again = charge.note(.refunded, reference: nil)
        let late = charge.note(.captured, reference: "pi_1")
        #expect(isRefunded && !again && !late && charge.nextRequest == nil && charge.reference == "pi_1")
    }

    @Test("W2: an authorisation waits for six sevenths of its life")
    func captureTime() {
        let made = Date(timeIntervalSince1970: 1_800_000_000)
        let end = SeraiWallet.Charge.captureAt(madeAt: made, lifetimeSeconds: 7 * 86_400)
        #expect(abs(end.timeIntervalSince(made) - 6 * 86_400) < 1)
    }

    @Test("W6: the terms of a payment are those of the order's acceptance, and it can be paid until its deadline")
    func acceptance() throws {
        var payment = Self.requested()
        #expect(throws: PaymentRefusal.tooEarly(order: "requested")) { try payment.pay(by: .cash, at: Self.now) }
        var terms = payment.terms
        terms.commissionBasisPoints = 900
        let end = Self.now.addingTimeInterval(600)
        _ = payment.follow(orderState: "accepted", version: 2, deadline: end, terms: terms)
        #expect(payment.state == .due && payment.terms == terms)
        var late = terms
        late.amount = 1
        _ = payment.follow(orderState: "accepted", version: 3, deadline: end, terms: late)
        // The price stays; what it costs in the end may be less.
        terms.total = 1
        #expect(payment.terms == terms && payment.amount == terms.amount)
        #expect(throws: PaymentRefusal.tooLate(order: "expired")) { try payment.pay(by: .cash, at: end) }
        let effects = try payment.pay(by: .cash, at: end.addingTimeInterval(-0.001))
        #expect(effects == [.tellHeld])
    }

    @Test("W6: what is held and let go by the payment provider is lost; what we let go is not")
    func lost() throws {
        for outcome in [PaymentTrigger.cancelled, .refunded] {
            for end in ["", "completed", "cancelled"] {
                var payment = Self.payment()
                let charge = UUID.timeOrdered()
                _ = try payment.pay(by: .card, charge: charge, at: Self.now)
                _ = payment.hear(.authorised, of: charge)
                if !end.isEmpty {
                    _ = payment.follow(orderState: end, version: 9, deadline: nil, terms: payment.terms)
                }
                let effects = payment.hear(outcome, of: charge)
                #expect(effects == [.returnToCard, .tellReleased] && payment.state == .released)
                #expect(payment.refusal == (end == "cancelled" ? nil : "authorisation-lost"))
            }
        }
    }

    @Test("W6: pauses between tries grow to a limit")
    func pauses() {
        #expect([1, 2, 3, 6, 7, 8, 1_000].map { Self.charge(tries: $0).pauseSeconds } == [1, 2, 4, 32, 60, 60, 60])
    }

    @Test(
        "W3: card numbers are checked by Luhn's rule",
        arguments: [
            ("4242424242424242", true), ("4242 4242 4242 4242", true), ("378282246310005", true),
            ("4242-4242-4242-4242", true), ("4242424242424241", false), ("42424242424242424242", false),
            ("", false), ("4242", false), ("0000000000000000", false), ("424242424242424２", false),
            ("4242x424242424242", false), ("79927398713", false),
        ])
    func luhn(text: String, isCard: Bool) {
        #expect((CardNumber(text) != nil) == isCard)
    }

    @Test(
        "W3: four groups of four digits with a right check digit are a card's number, whatever one sign is between",
        arguments: [
            ("4242a4242b4242c4242", true), ("pay with 4242x4242x4242x4242 please", true), ("٤٢٤٢ب٤٢٤٢ب٤٢٤٢ب٤٢٤٢", true),
            ("4242a4242b4242c4241", false), ("0000a0000b0000c0000", false), ("4242a4242b4242", false),
            ("4242ab4242ab4242ab4242", false), ("14242a4242b4242c4242", false), ("+966 50 1234 5678", false),
            ("+46 70 123 45 67 or +61 412 345 678", false), ("SA03 8000 0000 6080 1016 7519", false),
            ("DE89 3704 0044 0532 0130 00", false), ("0195d3a0-0000-7000-8000-000000000014", false),
            ("from 2026-03-01 to 2027-04-30", false), ("", false),
        ])
    func groupedCardNumber(text: String, isCard: Bool) {
        #expect(CardNumber.isInGroups(of: text) == isCard)
    }

    @Test("W3: a card number shows itself nowhere")
    func hidden() throws {
        let number = try #require(CardNumber("4242424242424242"))
        var dumped = ""
        dump(number, to: &dumped)
        #expect(!"\(number) \(dumped) \(String(reflecting: number))".contains("4242"))
    }

    @Test("W3: a card is good to the end of its month, wherever its owner lives")
    func expiry() throws {
        let expiry = try #require(CardExpiry(month: 2, year: 26))
        #expect(expiry.year == 2026)
        #expect(!expiry.isPast(at: try #require(ISO8601DateFormatter().date(from: "2026-02-28T23:59:59Z"))))
        #expect(!expiry.isPast(at: try #require(ISO8601DateFormatter().date(from: "2026-03-01T11:59:59Z"))))
        #expect(expiry.isPast(at: try #require(ISO8601DateFormatter().date(from: "2026-03-01T12:00:01Z"))))
        #expect(CardExpiry(month: 13, year: 2030) == nil)
        #expect(CardExpiry(month: 0, year: 2030) == nil)
        #expect(CardExpiry(month: 1, year: 100) == nil)
    }

    @Test("W7: accounts of the platform and the payment provider are spread, and the same order meets the same")
    func shards() {
        let shards = (0..<500).map { _ in AccountReference.platform("SAR", for: .timeOrdered()).shard }
        #expect(Set(shards).count == AccountReference.shards)
        let order = UUID.timeOrdered()
        #expect(AccountReference.external("SAR", for: order) == AccountReference.external("SAR", for: order))
    }

    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func requested() -> Payment {
        var payment = Payment(
            id: .timeOrdered(), order: .timeOrdered(), market: "assef", customer: .timeOrdered(), customerName: "S",
            currency: "SAR",
            terms: PaymentTerms(
                provider: .timeOrdered(), providerName: "N", title: [:], amount: 100, commissionBasisPoints: 1_500))
        _ = payment.follow(orderState: "requested", version: 1, deadline: nil, terms: payment.terms)
        return payment
    }

    /// Of an order that was accepted.
    private static func payment() -> Payment {
        var payment = requested()
        _ = payment.follow(orderState: "accepted", version: 2, deadline: nil, terms: payment.terms)
        return payment
    }

    private static func charge(tries: Int) -> SeraiWallet.Charge {
        Charge(
            id: .timeOrdered(), purpose: .payment, subject: .timeOrdered(), amount: 1, currency: "SAR", card: "pm_1",
            cvvReference: nil, madeAt: Date(timeIntervalSince1970: 1_800_000_000), tries: tries)
    }
}
