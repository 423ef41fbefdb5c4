import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("C7: orders that were quoted with a promo code", .timeLimit(.minutes(15)))
struct PromoOrderTests {
    /// A ride of 20.00 by a quote with a code.
    private static func ride(
        _ world: RideWorld, _ rider: UUID, code: String = "SPRING", less discount: Int = 300,
        obstacle: QuotePromo.Obstacle? = nil
    ) async throws -> Order {
        let id = try await world.quote(rider)
        let given = obstacle == nil ? discount : 0
        let promo = QuotePromo(code: code, amount: discount, obstacle: obstacle, discount: given)
        try await world.pool.execute(SetQuotePromo(quote: id, promo: try PromoJSON(promo)))
        let input = RequestRide.Input(market: .btnc, rider: rider, quote: id)
        return try await world.pool.withTransaction { transaction in
            try await world.orders.operations.requestRide(input, at: .thisMillisecond, in: transaction).order
        }
    }

    private static func snapshot(
        _ order: Order, _ state: PaymentSnapshot.State, version: Int, code: UUID? = nil
    ) -> PaymentSnapshot {
        PaymentSnapshot(
            payment: .timeOrdered(), order: order.id, market: order.market, version: version, state: state,
            method: .wallet, customer: order.customer.account, provider: nil,
            amount: Money(amount: order.total, currency: order.currency), promoCode: code)
    }

    private static func hear(_ event: PaymentHeld, _ world: RideWorld) async throws {
        let record = world.orders.operations.recordPayment
        try await world.pool.withTransaction { try await PaymentHandlers.hear(event, record, at: .thisMillisecond, $0) }
    }

    private static func hear(_ event: PaymentReleased, _ world: RideWorld) async throws {
        let record = world.orders.operations.recordPayment
        try await world.pool.withTransaction { try await PaymentHandlers.hear(event, record, at: .thisMillisecond, $0) }
    }

    private static func hear(_ event: PaymentRefused, _ world: RideWorld) async throws {
        let record = world.orders.operations.recordPayment
        try await world.pool.withTransaction { try await PaymentHandlers.hear(event, record, at: .thisMillisecond, $0) }
    }

    @Test("C7: an order by such a quote costs the quoted price and says what was promised, which providers do not see")
    func promised() async throws {
        try await RideWorld.with { world in
            let rider = try await world.orders.addCustomer("Ruby")
            let order = try await Self.ride(world, rider)
            #expect(order.total == 2_000)
            let snapshot = OrderSnapshot(order)
            #expect(snapshot.promo == OrderSnapshot.Promo(code: "SPRING", discount: 300))
            #expect(snapshot.part(of: .provider).promo == nil && snapshot.part(of: .customer).promo != nil)
            // It is there in all that follows.
            try await world.orders.pay(order.id)
            #expect(OrderSnapshot(try await world.details(order.id)).promo?.discount == 300)
            let view = OrderView(try await world.orders.details(order.id), of: .btnc, for: .customer, in: "en")
            #expect(view.promo?.toPay == 1_700)
            // What did not count on the quote promises nothing.
            let other = try await world.orders.addCustomer("Rob")
            let without = try await Self.ride(world, other, obstacle: .usedUp)
            #expect(OrderSnapshot(without).promo == nil)
        }
    }

    @Test("C7: where the market takes only cash no order is promised a discount that the payment would refuse")
    func cashOnly() async throws {
        try await RideWorld.with { world in
            func pay(by methods: String) async throws {
                try await world.pool.execute(SetSetting(market: "btnc", key: "paymentMethods", value: methods))
                try await world.orders.markets.refresh()
            }
            try await pay(by: "cash")
            let order = try await Self.ride(world, try await world.orders.addCustomer("Ruby"))
            #expect(OrderSnapshot(order).promo == nil && order.total == 2_000)
            try await pay(by: "cash,wallet")
            let other = try await Self.ride(world, try await world.orders.addCustomer("Rob"))
            #expect(OrderSnapshot(other).promo?.discount == 300)
        }
    }

    @Test("C7: when the wallet says that the code is lost the order ends unpaid, and says why; other refusals end none")
    func lost() async throws {
        try await RideWorld.with { world in
            let order = try await Self.ride(world, try await world.orders.addCustomer("Ruby"))
            let declined = PaymentRefused(
                payment: Self.snapshot(order, .due, version: 3), method: .card, reason: "card-declined", at: Date())
            try await Self.hear(declined, world)
            #expect(try await world.orders.state(order.id) == .pending)
            let lost = PaymentRefused(
                payment: Self.snapshot(order, .due, version: 4), method: .wallet, reason: PaymentRefused.promoCodeLost,
                at: Date())
            for _ in 0..<2 { try await Self.hear(lost, world) }
            let ended = try await world.details(order.id)
            #expect(ended.state == .cancelled && ended.reason == "promo-code-lost" && ended.by == .system)
            #expect(ended.payment == Order.Payment.none && ended.paidTo == .nobody)
            let events = try await world.orders.events(order.id)
            #expect(events == ["pending", "cancelled"])
            #expect(try await world.orders.deadlines(order.id).isEmpty)
            #expect(Workflow.reasons.contains("promo-code-lost"))
            // Readers know all of them as the platform's.
            #expect(OrderSnapshot.reasons.isSuperset(of: Workflow.reasons), "\(Workflow.reasons)")
        }
    }

    @Test("C7: what is held after all stays: an older word that the code was lost changes nothing")
    func late() async throws {
        try await RideWorld.with { world in
            let order = try await Self.ride(world, try await world.orders.addCustomer("Ruby"))
            try await Self.hear(PaymentHeld(payment: Self.snapshot(order, .held, version: 5), at: Date()), world)
            let lost = PaymentRefused(
                payment: Self.snapshot(order, .due, version: 4), method: .wallet, reason: PaymentRefused.promoCodeLost,
                at: Date())
            try await Self.hear(lost, world)
            #expect(try await world.orders.state(order.id) == .requested)
        }
    }

    @Test("C7: who has used a code as often as one can is told so on the quote, until a use was given back")
    func ownUses() async throws {
        try await RideWorld.with { world in
            let (rider, code) = (try await world.orders.addCustomer("Ruby"), UUID.timeOrdered())
            let event = SamplePromo.event("ONCE", id: code, amount: 300) { $0.limitPerAccount = 1 }
            try await SamplePromo.tell(event, world.pool)
            func obstacle(_ account: UUID) async throws -> QuotePromo.Obstacle? {
                try await PreviewPromoCode(pool: world.pool)("once", on: 2_000, in: "btnc", by: account, at: Date())
                    .obstacle
            }
            #expect(try await obstacle(rider) == nil)
            let order = try await Self.ride(world, rider, code: "ONCE")
            let held = PaymentHeld(payment: Self.snapshot(order, .held, version: 3, code: code), at: Date())
            for _ in 0..<2 { try await Self.hear(held, world) }
            #expect(try await obstacle(rider) == .usedByYou)
            #expect(try await obstacle(.timeOrdered()) == nil)
            let released = Self.snapshot(order, .released, version: 4, code: code)
            try await Self.hear(PaymentReleased(payment: released, at: Date()), world)
            #expect(try await obstacle(rider) == nil)
            // Held before it was released, and heard of after it.
            try await Self.hear(held, world)
            #expect(try await obstacle(rider) == nil)
        }
    }

    @Test("I12, C7: of who is gone no code is known any more, whether it counted or not; others' stay")
    func gone() async throws {
        try await RideWorld.with { world in
            let code = UUID.timeOrdered()
            var riders: [UUID] = []
            for name in ["Ruby", "Rob"] {
                let rider = try await world.orders.addCustomer(name)
                for isReleased in [true, false] {
                    let order = try await Self.ride(world, rider)
                    let held = Self.snapshot(order, .held, version: 3, code: code)
                    try await Self.hear(PaymentHeld(payment: held, at: Date()), world)
                    guard isReleased else { continue }
                    let released = Self.snapshot(order, .released, version: 4, code: code)
                    try await Self.hear(PaymentReleased(payment: released, at: Date()), world)
                }
                riders.append(rider)
            }
            let (leaving, staying) = (riders[0], riders[1])
            #expect(try await world.pool.query(ListPromoUsers()) == [leaving, leaving, staying, staying])
            try await world.pool.withTransaction {
                try await AccountDeletionHandlers.forget(
                    AccountDeleted(account: leaving, version: 6, at: Date()), by: { .thisMillisecond }, $0)
            }
            #expect(try await world.pool.query(ListPromoUsers()) == [staying, staying])
        }
    }

    @Test("C7, O9: of a meal the code counts on the whole order, of which the way alone was quoted")
    func meal() async throws {
        try await MealWorld.with { world in
            let customer = try await world.orders.addCustomer("Mira")
            let quote = try await world.quote(customer)
            let known = KnownPromoCode(
                id: .timeOrdered(), market: "btnc", code: "TENTH", basisPoints: 1_000, maximum: nil, amount: nil,
                startsAt: Date() - 1, endsAt: nil, endedAt: nil, minimumPrice: 2_000, limitPerAccount: nil,
                isUsedUp: false)
            let promo = known.quoted(on: 700, in: "btnc", ownUses: 0, at: Date())
            #expect(promo.obstacle == .belowMinimum)
            try await world.pool.execute(SetQuotePromo(quote: quote, promo: try PromoJSON(promo)))
            // Two soups, a bread and the way.
            let order = try await world.request(world.input(customer, quote))
            #expect(order.total == 3_450)
            #expect(OrderSnapshot(order).promo == OrderSnapshot.Promo(code: "TENTH", discount: 345))
        }
    }
}

private struct ListPromoUsers: Statement {
    static let sql: SQL = "SELECT account FROM promo_uses ORDER BY account"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// A quote's promo code as its row has it.
private struct PromoJSON: Sendable {
    let text: PostgresJSON

    init(_ promo: QuotePromo) throws { text = PostgresJSON(Array(try JSONEncoder().encode(promo))) }
}

private struct SetQuotePromo: Statement {
    static let sql: SQL = """
        UPDATE quotes SET promo = $2::jsonb ->> 'code', terms = terms || jsonb_build_object('promo', $2::jsonb)
        WHERE id = $1
        """
    let quote: UUID
    let promo: PromoJSON
    func bind(_ bindings: inout Bindings) { bindings.append(quote, promo.text) }
}
