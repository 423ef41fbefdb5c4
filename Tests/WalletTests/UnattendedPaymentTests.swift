import Contracts
import Foundation
import HTTPTypes
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet

/// Orders that are paid without their customer, as visits that come again: tried again, and told, until they end.
@Suite("Payments without their customer", .timeLimit(.minutes(15)))
struct UnattendedPaymentTests {
    private static let days = 86_400.0

    /// A visit in six days, which can be paid until a day before it.
    private static func visit(_ customer: Person, _ consent: OrderSnapshot.Consent?) throws -> OrderSnapshot {
        let now = Date()
        var order = OrderSnapshot(
            order: .timeOrdered(), market: "edencare", kind: "homeCare", version: 1, state: .pending,
            customer: .init(account: customer.account, name: customer.name), provider: nil,
            services: [.init(service: "companionship", name: ["en": "Companionship"], price: 12_000)],
            total: Money(amount: 12_000, currency: "CAD"), payment: .init(method: nil, state: .unpaid),
            confirmedBy: [], deadline: now + 5 * days, by: .customer, reason: nil, requestedAt: now, changedAt: now)
        order.consent = consent
        order.scheduledAt = now + 6 * days
        if consent?.method != .wallet { order.paysByConsent = true }
        return order
    }

    private static func byWallet(upTo: Int? = 12_000) -> OrderSnapshot.Consent {
        .init(method: .wallet, agreedAt: Date(), upTo: upTo)
    }

    private static func by(_ card: String) throws -> OrderSnapshot.Consent {
        .init(method: .card, card: try #require(UUID(uuidString: card) as UUID?), agreedAt: Date(), upTo: 12_000)
    }

    @Test("W3, O7: the card that was named with the series is charged, not the default one, and needs no other consent")
    func named() async throws {
        try await WalletFixture.run { wallet in
            let ada = try await wallet.people.customer("Ada")
            _ = try await wallet.card(ada, "4000000000000341")
            let card = try await wallet.card(ada, "4000002500003155")
            let order = try Self.visit(ada, try Self.by(card))
            for _ in 0..<2 { try await wallet.hear(order) }
            try await wallet.eventually(order, is: .held)
            let charge = try await wallet.charge(of: order)
            #expect(charge.cvvReference == nil && charge.consentedAt != nil && wallet.chargedPayments == 1)
            #expect(try await wallet.told(about: order.order) == ["held"])
            // Another's card is none of hers.
            let ben = try await wallet.people.customer("Ben")
            let foreign = try Self.visit(ben, try Self.by(card))
            try await wallet.hear(foreign)
            #expect(try await wallet.refusals(of: foreign).map(\.reason) == ["no-such-card"])
            #expect(wallet.chargedPayments == 1)
            try await wallet.expectSound()
        }
    }

    @Test("O7: the wallet is charged without asking, tried again when it holds too little, and never twice")
    func wallet() async throws {
        try await WalletFixture.run { wallet in
            let ada = try await wallet.people.customer("Ada")
            let order = try Self.visit(ada, Self.byWallet())
            try await wallet.withDeadlines {
                try await wallet.hear(order)
                try await eventually("that it holds too little is told") {
                    try await wallet.refusals(of: order).map(\.reason) == ["insufficient-funds"]
                }
                #expect(try await wallet.refusals(of: order).first?.method == .wallet)
                try await wallet.give(20_000, to: ada, currency: "CAD")
                try await wallet.pool.execute(LookNow(order: order.order))
                try await wallet.eventually(order, is: .held)
            }
            #expect(try await wallet.balance(ada, currency: "CAD") == 8_000)
            for _ in 0..<2 { try await wallet.look(order, at: Date() + Self.days) }
            #expect(try await wallet.balance(ada, currency: "CAD") == 8_000)
            #expect(try await wallet.pool.first(FindUnattendedPayment(order: order.order)) == nil)
            try await wallet.expectSound()
        }
    }

    @Test("O7, W5: nothing is taken from a frozen wallet without its owner, who is told why")
    func frozen() async throws {
        try await WalletFixture.run { wallet in
            let ada = try await wallet.people.customer("Ada")
            try await wallet.give(20_000, to: ada, currency: "CAD")
            try await wallet.dispute(try await wallet.topUp(1_000, ada), "created", "needs_response")
            let order = try Self.visit(ada, Self.byWallet())
            try await wallet.hear(order)
            try await wallet.look(order, at: Date())
            #expect(try await wallet.refusals(of: order).map(\.reason) == ["wallet-frozen"])
            #expect(try await wallet.balance(ada, currency: "CAD") == 20_000)
            try await wallet.expectSound()
        }
    }

    @Test("O7: two visits at once take from one wallet what it holds, and the other waits")
    func together() async throws {
        try await WalletFixture.run { wallet in
            let ada = try await wallet.people.customer("Ada")
            try await wallet.give(12_000, to: ada, currency: "CAD")
            let orders = [try Self.visit(ada, Self.byWallet()), try Self.visit(ada, Self.byWallet())]
            for order in orders { try await wallet.hear(order) }
            try await wallet.pool.withTransaction { transaction in
                for order in orders {
                    try await wallet.charging.fire(
                        Deadline(kind: "payment.unattended", subject: order.order.text, dueAt: Date()), at: Date(),
                        in: transaction)
                }
            }
            let states = [try await wallet.state(of: orders[0]), try await wallet.state(of: orders[1])]
            #expect(states == [.held, .due])
            #expect(try await wallet.balance(ada, currency: "CAD") == 0)
            try await wallet.expectSound()
        }
    }

    @Test(
        "O7, W4: a card that is declined, or whose payment provider is away, is tried again, and can be paid by hand all the time",
        arguments: [("4000000000000341", "card-declined"), ("4000000000006660", "provider-down")])
    func declined(number: String, reason: String) async throws {
        try await WalletFixture.run(tries: 1) { wallet in
            let ada = try await wallet.people.customer("Ada")
            let card = try await wallet.card(ada, number)
            let order = try Self.visit(ada, try Self.by(card))
            try await wallet.hear(order)
            for tries in 1...4 {
                try await wallet.refused(order, tries)
                // It is looked at again sooner at first; the answers come by this clock, the tries by another.
                let due = try #require(try await wallet.pool.first(FindLook(order: order.order)))
                let pause = UnattendedPayment.firstPauseSeconds * Double(1 << (tries - 1))
                #expect(abs(due.timeIntervalSinceNow - pause) < 120)
                try await wallet.look(order, at: Date() + Double(tries) * Self.days)
            }
            try await wallet.refused(order, 5)
            let told = try await wallet.refusals(of: order)
            #expect(told.allSatisfy { $0.reason == reason && $0.unattended != nil })
            #expect(told.compactMap(\.unattended?.notice) == [.first, .none, .none, .none, .none])
            // Until then it can be paid by hand.
            #expect(try await wallet.state(of: order) == .due)
            _ = try await wallet.payByCard(order, ada, try await wallet.card(ada))
            try await wallet.eventually(order, is: .held)
            try await wallet.expectSound()
        }
    }

    @Test("O7, W4: a bank that wants its owner is not asked again without him; he is told what to do, and again")
    func owner() async throws {
        try await WalletFixture.run { wallet in
            let ada = try await wallet.people.customer("Ada")
            let order = try Self.visit(ada, try Self.by(try await wallet.card(ada, "4000002760003184")))
            try await wallet.hear(order)
            try await wallet.refused(order, 1)
            let asked = wallet.chargedPayments
            let start = Date()
            for hours in [1.0, 30, 49, 60, 97, 100, 119] { try await wallet.look(order, at: start + hours * 3_600) }
            let told = try await wallet.refusals(of: order)
            #expect(told.allSatisfy { $0.reason == "authentication-required" })
            #expect(told.compactMap(\.unattended?.notice) == [.first, .reminder, .last])
            #expect(wallet.chargedPayments == asked)
            // The order ends, and with it what is looked for.
            try await wallet.hear(order.now(.expired))
            try await wallet.look(order, at: start + 5 * Self.days)
            #expect(try await wallet.pool.first(FindUnattendedPayment(order: order.order)) == nil)
            try await wallet.expectSound()
        }
    }

    @Test("O7: more than the customer agreed to is not charged, whatever is asked")
    func limited() async throws {
        try await WalletFixture.run { wallet in
            let ada = try await wallet.people.customer("Ada")
            try await wallet.give(20_000, to: ada, currency: "CAD")
            let order = try Self.visit(ada, Self.byWallet(upTo: 11_999))
            try await wallet.hear(order)
            try await wallet.look(order, at: Date())
            #expect(try await wallet.refusals(of: order).map(\.reason) == ["price-not-agreed"])
            #expect(try await wallet.balance(ada, currency: "CAD") == 20_000)
            // Asked for it, she may.
            #expect(try await wallet.pay(order, ada, by: "wallet").status == 202)
            #expect(try await wallet.balance(ada, currency: "CAD") == 8_000)
        }
    }

    @Test("O7: what the customer tries by hand meanwhile is told as ever, and is no try of the wallet's")
    func byHand() async throws {
        try await WalletFixture.run { wallet in
            let ada = try await wallet.people.customer("Ada")
            let order = try Self.visit(ada, Self.byWallet())
            try await wallet.hear(order)
            try await wallet.look(order, at: Date())
            _ = try await wallet.payByCard(order, ada, try await wallet.card(ada, "4000000000000341"))
            try await wallet.refused(order, 2)
            #expect(try await wallet.refusals(of: order).map { $0.unattended != nil } == [true, false])
            #expect(try await wallet.pool.first(FindUnattendedPayment(order: order.order))?.failures == 1)
        }
    }

    @Test(
        "O7: the times of tries and notices: sooner at first, a reminder every two days, a warning a day before the end"
    )
    func rule() {
        let start = Date(timeIntervalSince1970: 1_795_413_600)
        var plan = UnattendedPayment(
            order: .timeOrdered(), method: .card, card: nil, agreedAt: nil, upTo: nil, endsAt: start + 5 * Self.days)
        var (now, notices, tries) = (start, [(Double, UnattendedPayment.Notice)](), [Double]())
        while now < plan.endsAt {
            let notice = plan.fail(because: "card-declined", at: now)
            tries.append(now.timeIntervalSince(start) / 3_600)
            if notice != .none { notices.append((now.timeIntervalSince(start) / 3_600, notice)) }
            let next = plan.nextLook(after: now)
            #expect(next > now && next <= plan.endsAt)
            now = next
        }
        #expect(tries.prefix(5) == [0, 0.25, 0.75, 1.75, 3.75] && tries.contains(96) && tries.last == 119.75)
        #expect(notices.map(\.1) == [.first, .reminder, .last], "\(notices)")
        #expect(notices.last?.0 == 96 && (48..<60).contains(notices[1].0), "\(notices)")
    }
}

extension WalletFixture {
    var charging: ChargeByConsent {
        ChargeByConsent(
            settings: { [markets = parts.markets] in markets.settings(of: $0) }, lifetime: parts.authorisationLifetime)
    }

    /// In dollars, at the payment provider.
    var chargedPayments: Int { sandbox.totals["cad"]?.payments ?? 0 }

    /// As its deadline does.
    fileprivate func look(_ order: OrderSnapshot, at now: Date) async throws {
        let deadline = Deadline(kind: ChargeByConsent.deadlineKind, subject: order.order.text, dueAt: now)
        try await pool.withTransaction { try await charging.fire(deadline, at: now, in: $0) }
    }

    fileprivate func refused(_ order: OrderSnapshot, _ count: Int) async throws {
        try await TestKit.eventually("it is refused \(count) times", value: { try await refusals(of: order).count }) {
            $0 == count
        }
        try await eventually(order, is: .due)
    }

    func refusals(of order: OrderSnapshot) async throws -> [PaymentRefused] {
        try await pool.query(ListRefusals(order: order.order.text)).map {
            try JSON.wire.decode(PaymentRefused.self, $0.utf8)
        }
    }
}

private struct ListRefusals: Statement {
    static let sql: SQL = """
        SELECT payload::text FROM outbox WHERE aggregate = $1 AND name = 'wallet.payment.refused.v1' ORDER BY seq
        """
    let order: String
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

private struct FindLook: Statement {
    static let sql: SQL = "SELECT due_at FROM deadlines WHERE kind = 'payment.unattended' AND subject = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order.text) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Date { try row.next() }
}

private struct LookNow: Statement {
    static let sql: SQL =
        "UPDATE deadlines SET due_at = now() WHERE kind = 'payment.unattended' AND subject = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order.text) }
}
