import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite(
    "C5, O13: what restaurants have sold and couriers have earned, after decisions and refunds",
    .timeLimit(.minutes(15)))
struct MealReturnTests {
    /// A restaurant and a courier with tokens, and what the wallet tells. A meal is 2 750, its way 700; the platform takes a
    /// fifth.
    private struct Scene {
        let server: OrderServer
        let world: MealWorld
        let owner: OrderServer.Person
        let courier: OrderServer.Person
        let stranger: OrderServer.Person

        init(_ server: OrderServer) async throws {
            self.server = server
            world = try await MealWorld(server.world)
            owner = try await server.person(world.owner, roles: ["provider"], in: "btnc")
            courier = try await server.person(try await world.rides.driver(north: 300), roles: ["provider"], in: "btnc")
            stranger = try await server.owner("Mira", in: "btnc")
        }

        /// On the courier's way to the customer.
        func carried() async throws -> Order {
            let order = try await world.preparing()
            #expect(try await world.rides.round().offered == 1)
            let fetching = try await world.accept(try await world.details(order.id), by: courier.account)
            return try await world.handOver(fetching, fetching.food?.handOverCode)
        }

        func delivered() async throws -> Order {
            let order = try await carried()
            _ = try await world.orders.confirm(order, by: courier.account)
            return try await world.orders.confirm(order, by: order.customer.account)
        }

        func reported() async throws -> Order {
            let order = try await carried()
            return try await world.orders.report(order, by: order.customer.account, note: "It is cold").order
        }

        private func money(_ amount: Int) -> Money { Money(amount: amount, currency: "AUD") }

        private func payment(_ order: Order, _ state: PaymentSnapshot.State, _ amount: Int) -> PaymentSnapshot {
            PaymentSnapshot(
                payment: .timeOrdered(), order: order.id, market: order.market, version: 9, state: state,
                method: .wallet, customer: order.customer.account, provider: courier.account, amount: money(amount))
        }

        /// As the wallet divides it.
        func capture(_ order: Order, sold: Int = 2_750, way: Int = 700) async throws {
            func share(_ party: OrderSnapshot.Share.Payee, _ account: UUID, _ amount: Int) -> PaymentCaptured.Share {
                .init(
                    party: party, account: account, share: money(amount * 4 / 5),
                    commission: money(amount - amount * 4 / 5))
            }
            let event = PaymentCaptured(
                payment: payment(order, .captured, sold + way), providerShare: money(way * 4 / 5),
                platformShare: money((sold + way) / 5), at: Date(),
                shares: [
                    share(.merchant, owner.account, sold), share(.provider, courier.account, way),
                ])
            let record = world.operations.recordPayment
            // Twice, as another message says the same.
            for _ in 0..<2 {
                try await world.pool.withTransaction {
                    try await PaymentHandlers.hear(event, record, at: .thisMillisecond, $0)
                }
            }
        }

        func release(_ order: Order) async throws {
            let event = PaymentReleased(payment: payment(order, .released, 3_450), at: Date())
            let record = world.operations.recordPayment
            for _ in 0..<2 {
                try await world.pool.withTransaction {
                    try await PaymentHandlers.hear(event, record, at: .thisMillisecond, $0)
                }
            }
        }

        func refund(_ order: Order, _ amount: Int, by funder: PaymentRefunded.Funder) async throws {
            let account: UUID? =
                switch funder {
                case .platform: nil
                case .provider: courier.account
                case .merchant: owner.account
                }
            let event = PaymentRefunded(
                refund: .timeOrdered(), order: order.id, market: order.market, customer: order.customer.account,
                amount: money(amount), to: .wallet, fundedBy: funder, funder: account, reason: "Cold",
                by: .timeOrdered(),
                at: Date())
            try await world.pool.withTransaction {
                try await world.operations.recordRefund(event, at: .thisMillisecond, in: $0)
            }
        }

        func decide(_ order: Order, _ decision: ReportDecided.Decision, toCustomer: Int? = nil) async throws {
            let decided = ReportDecided(
                report: try #require(order.report), order: order.id, market: order.market, decision: decision,
                toCustomer: toCustomer.map(money), reason: "Both were heard", by: .timeOrdered(), at: .thisMillisecond)
            try await world.pool.withTransaction {
                try await world.operations.decide(decided, at: .thisMillisecond, in: $0)
            }
        }

        /// What the restaurant's page says: what it has sold, what was returned, and how many dishes.
        func sales() async throws -> [Int] {
            let answer = try await server.get("/dispatch/v1/markets/btnc/restaurant/sales", as: owner)
            #expect(answer.status == 200, "\(answer.json)")
            let days = answer["days"]?.asList ?? []
            for (key, sum) in [
                ("amount", answer["amount"]), ("returned", answer["returned"]), ("count", answer["count"]),
            ] {
                #expect(days.reduce(0) { $0 + ($1[key]?.int ?? 0) } == sum?.int, "\(answer.json)")
            }
            // The dishes say what was sold, before anything was given back.
            for day in days {
                let items = day["items"]?.asList ?? []
                let sold = items.reduce(0) { $0 + ($1["amount"]?.int ?? 0) }
                #expect(sold == (day["amount"]?.int ?? 0) + (day["returned"]?.int ?? 0), "\(answer.json)")
            }
            return ["amount", "returned", "count"].map { answer[$0]?.int ?? -1 }
        }

        /// Of the courier: what is earned, what was returned of it, and for how many orders.
        func earnings() async throws -> [Int] {
            let answer = try await server.get("/dispatch/v1/markets/btnc/earnings", as: courier)
            #expect(answer.status == 200, "\(answer.json)")
            guard let item = answer.items.first else { return [] }
            #expect(item["kind"]?.text == "food" && answer.items.count == 1)
            return [
                item["amount"]?["amount"]?.int ?? -1, item["returned"]?["amount"]?.int ?? -1, item["orders"]?.int ?? -1,
            ]
        }
    }

    private func with(_ body: @escaping @Sendable (Scene) async throws -> Void) async throws {
        try await OrderServer.with { server in try await body(try await Scene(server)) }
    }

    @Test("C5, O13, W8: refunds, of a part and of all, are taken off the sums of who funds them, and of nobody else")
    func refunds() async throws {
        try await with { scene in
            let order = try await scene.delivered()
            try await scene.capture(order)
            #expect(try await scene.sales() == [2_750, 0, 3])
            #expect(try await scene.earnings() == [560, 0, 1])
            try await scene.refund(order, 100, by: .platform)
            #expect(try await scene.sales() == [2_750, 0, 3])
            #expect(try await scene.earnings() == [560, 0, 1])
            try await scene.refund(order, 750, by: .merchant)
            try await scene.refund(order, 60, by: .provider)
            #expect(try await scene.sales() == [2_000, 750, 3])
            #expect(try await scene.earnings() == [500, 60, 1])
            try await scene.refund(order, 2_000, by: .merchant)
            // More than was earned of it: the platform's share is given back out of the courier's, too.
            try await scene.refund(order, 640, by: .provider)
            #expect(try await scene.sales() == [0, 2_750, 3])
            #expect(try await scene.earnings() == [-140, 700, 1])
            let other = try await scene.delivered()
            try await scene.capture(other)
            #expect(try await scene.sales() == [2_750, 2_750, 6])
            #expect(try await scene.earnings() == [420, 700, 2])
            let page = "/dispatch/v1/markets/btnc/restaurant/sales"
            #expect(try await scene.server.get(page, as: scene.stranger).status == 403)
            #expect(try await scene.server.get(page, as: nil).status == 401)
        }
    }

    @Test(
        "C5, O3: of what an admin splits the restaurant has sold, and the courier earned, the part that was paid",
        arguments: [true, false])
    func split(moneyFirst: Bool) async throws {
        try await with { scene in
            let order = try await scene.reported()
            func decide() async throws { try await scene.decide(order, .split, toCustomer: 1_725) }
            // The wallet and dispatch hear the decision each for itself.
            if !moneyFirst { try await decide() }
            try await scene.capture(order, sold: 1_375, way: 350)
            if moneyFirst { try await decide() }
            #expect(try await scene.world.details(order.id).state == .completed)
            #expect(try await scene.sales() == [1_375, 1_375, 3])
            #expect(try await scene.earnings() == [280, 0, 1])
            try await scene.refund(order, 375, by: .merchant)
            #expect(try await scene.sales() == [1_000, 1_750, 3])
        }
    }

    @Test("C5, O3: what goes back as a whole is not sold, whichever is heard first", arguments: [true, false])
    func nothing(moneyFirst: Bool) async throws {
        try await with { scene in
            let (all, cancelled) = (try await scene.reported(), try await scene.reported())
            func decide() async throws {
                try await scene.decide(all, .split, toCustomer: 3_450)
                try await scene.decide(cancelled, .returnToCustomer)
            }
            if !moneyFirst { try await decide() }
            for order in [all, cancelled] { try await scene.release(order) }
            if moneyFirst { try await decide() }
            #expect(try await scene.world.details(all.id).state == .completed)
            #expect(try await scene.world.details(cancelled.id).state == .cancelled)
            #expect(try await scene.sales().first == 0)
            #expect(try await scene.earnings() == [])
        }
    }

    @Test("O13, O2: what is given back of a fine is no earnings that go back; nor is it of an order that there is not")
    func fines() async throws {
        try await with { scene in
            let order = try await scene.world.requested()
            let cancelled = try await scene.world.orders.cancel(order)
            #expect(cancelled.state == .cancelled)
            try await scene.refund(cancelled, 100, by: .provider)
            try await scene.refund(cancelled, 100, by: .merchant)
            let gone = PaymentRefunded(
                refund: .timeOrdered(), order: .timeOrdered(), market: "btnc", customer: order.customer.account,
                amount: Money(amount: 100, currency: "AUD"), to: .wallet, fundedBy: .provider,
                funder: scene.courier.account, reason: "Cold", by: .timeOrdered(), at: Date())
            try await scene.world.pool.withTransaction {
                try await scene.world.operations.recordRefund(gone, at: .thisMillisecond, in: $0)
            }
            #expect(try await scene.sales() == [0, 0, 0])
            #expect(try await scene.earnings() == [])
        }
    }

    @Test("O13, C5: orders add what was given back in one order of the rows, many of one day at once")
    func rows() async throws {
        try await MealWorld.with { world in
            let day = LocalDay(number: Int(Date().timeIntervalSince1970 / 86_400))
            let (one, two) = (
                AddReturns.Return(restaurant: world.restaurant, day: day, currency: "AUD", amount: 100),
                AddReturns.Return(restaurant: .timeOrdered(), day: day, currency: "AUD", amount: 7)
            )
            // Of a restaurant that is gone nothing is kept.
            #expect(try await world.pool.execute(AddReturns(returns: [one, one, two])) == 1)
            let found = try await world.pool.query(
                ListReturns(restaurant: world.restaurant, currency: .dollar, first: day, last: day))
            #expect(found.map(\.amount) == [200])
            let account = UUID.timeOrdered()
            let given = ["visit", "ride", "visit"].map {
                AddReturnedEarnings.Returned(market: "btnc", account: account, kind: $0, currency: "AUD", amount: 5)
            }
            #expect(try await world.pool.execute(AddReturnedEarnings(returned: given)) == 2)
            let earned = try await world.pool.query(ListEarnings(market: "btnc", account: account))
            #expect(
                earned == [
                    Earnings(kind: "ride", currency: "AUD", count: 0, amount: -5, returned: 5),
                    Earnings(kind: "visit", currency: "AUD", count: 0, amount: -10, returned: 10),
                ])
        }
    }
}
