import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O9: meals on the database", .timeLimit(.minutes(15)))
struct MealOperationTests {
    @Test("O9, C5, W: a meal from the cart over the kitchen and its courier to the customer, sold once, paid to three")
    func whole() async throws {
        try await MealWorld.with { world in
            let order = try await world.requested()
            #expect(order.state == .requested && order.total == 3_450)
            #expect(order.lines.map(\.price) == [2_400, 350, 700])
            #expect(order.lines.first?.names["en"] == "2 × Soup")
            #expect(order.merchant?.amount == 2_750 && order.merchant?.account == world.owner)
            let courier = try await world.rides.driver(north: 300)
            let cooking = try await world.accept(order, minutes: 1)
            #expect(cooking.state == .preparing && cooking.food?.preparationMinutes == 1)
            #expect(try await world.rides.round().offered == 1)
            let offered = try await world.details(order.id)
            #expect(offered.state == .offered && offered.provider?.account == courier)
            let fetching = try await world.accept(offered, by: courier)
            let code = try #require(fetching.food?.handOverCode)
            await #expect(throws: StartOrder.WrongCode(isCouriers: true)) {
                try await world.handOver(fetching, code == "0000" ? "1111" : "0000")
            }
            await #expect(throws: StartOrder.WrongCode(isCouriers: true)) { try await world.handOver(fetching, nil) }
            let carried = try await world.handOver(fetching, code)
            #expect(carried.state == .inProgress && carried.by == .merchant)
            await #expect(throws: OrderRefusal.wrongState(.inProgress)) {
                try await world.orders.confirm(carried, by: order.customer.account)
            }
            _ = try await world.orders.confirm(carried, by: courier)
            #expect(try await world.orders.held(courier) == nil)
            #expect(try await world.sales().isEmpty)
            let done = try await world.orders.confirm(carried, by: order.customer.account)
            #expect(done.state == .completed)
            #expect(done.payees?.map(\.amount) == [2_750, 700])
            #expect(try await world.sales().map(\.amount) == [2_400, 350])
            #expect(try await world.sales().map(\.count) == [2, 1])
            try await world.orders.pay(order.id, .paymentCaptured(.init(method: "wallet", version: 3, earned: 560)))
            #expect(try await world.sales().map(\.count) == [2, 1])
            let earned = try await world.pool.query(ListEarnings(market: "btnc", account: courier))
            #expect(earned.map(\.amount) == [560])
            #expect(
                try await world.orders.events(order.id) == [
                    "pending", "requested", "preparing", "offered", "accepted", "started", "confirmed", "completed",
                    "payment_changed",
                ])
        }
    }

    @Test("O9: nobody is asked before it is time, and then at once; ready before is time, too")
    func timing() async throws {
        try await MealWorld.with { world in
            let courier = try await world.rides.driver(north: 300)
            let early = try await world.preparing(30)
            #expect(try await world.rides.round() == RunRound.Outcome(orders: 1))
            // Nor does another order of the area bring it forward, nor is it on the drivers' list.
            let box = DegreeBox(around: RideWorld.perth, metres: 5_000)
            let open = ListOpenSearches(
                market: "btnc", account: courier, kinds: ["food", "ride"], box: box, place: RideWorld.perth)
            #expect(try await world.pool.query(open).isEmpty)
            try await world.ready(early)
            #expect(try await world.pool.query(open).map(\.id) == [early.id])
            #expect(try await world.rides.round().offered == 1)
            #expect(try await world.details(early.id).provider?.account == courier)

            // Promised half an hour ago for now: the nearest needed a minute, and has the time for an answer.
            let other = try await world.rides.driver(north: 400)
            let due = try await world.preparing(30, at: .thisMillisecond - 1_740)
            #expect(try await world.rides.round().offered == 1)
            #expect(try await world.details(due.id).provider?.account == other)
        }
    }

    @Test("O9: a courier who gives up is not asked again; the next one has another code")
    func givesUp() async throws {
        try await MealWorld.with { world in
            let first = try await world.rides.driver(north: 100)
            let order = try await world.preparing()
            try await world.rides.round()
            let fetching = try await world.accept(order, by: first)
            let code = fetching.food?.handOverCode
            try await world.giveUp(fetching, by: first)
            let open = try await world.details(order.id)
            #expect(open.state == .preparing && open.provider == nil && open.reason == "given-up")
            #expect(open.food?.handOverCode != nil)
            #expect(try await world.rides.round().offered == 0)
            let second = try await world.rides.driver(north: 2_000)
            try await world.rides.round()
            try await world.rides.round()
            let again = try await world.accept(order, by: second)
            let next = try #require(again.food?.handOverCode)
            if next != code {
                await #expect(throws: StartOrder.WrongCode(isCouriers: true)) {
                    try await world.handOver(again, code)
                }
            }
            #expect(try await world.handOver(again, next).state == .inProgress)
            #expect(try await world.orders.held(first) == nil)
        }
    }

    @Test("O9, O3: when nobody is found it comes before an admin, who gives the money back or pays the restaurant")
    func nobody() async throws {
        for decision in [ReportDecided.Decision.returnToCustomer, .payProvider] {
            try await MealWorld.with { world in
                let order = try await world.preparing()
                // As it is stored: rounded to a microsecond.
                let end = try #require(try await world.details(order.id).deadline)
                try await world.pool.withTransaction { transaction in
                    try await world.operations.endWindow(.search, of: order.id, due: end, at: end, in: transaction)
                }
                let disputed = try await world.details(order.id)
                #expect(disputed.state == .disputed && disputed.reason == "nobody-found")
                #expect(disputed.report == order.id && disputed.provider == nil)
                try await world.orders.decide(disputed, decision)
                let decided = try await world.details(order.id)
                #expect(decided.state == (decision == .payProvider ? .completed : .cancelled))
                #expect(decided.paidTo == (decision == .payProvider ? .merchant : .customer))
                // What the way was to cost is the customer's again.
                #expect(decided.ending?.verdict?.toCustomer == (decision == .payProvider ? 700 : 3_450))
                #expect(try await world.sales().count == (decision == .payProvider ? 2 : 0))
            }
        }
    }

    @Test("O9: a restaurant refuses with its reason until somebody has it; who was asked is free again")
    func refuses() async throws {
        try await MealWorld.with { world in
            let new = try await world.requested()
            try await world.decline(new)
            #expect(try await world.details(new.id).state == .refused)
            #expect(try await world.details(new.id).reason == "No more bread")
            let courier = try await world.rides.driver(north: 300)
            let order = try await world.preparing()
            try await world.rides.round()
            try await world.decline(order)
            #expect(try await world.details(order.id).state == .refused)
            #expect(try await world.orders.held(courier) == nil)
            let next = try await world.preparing()
            try await world.rides.round()
            _ = try await world.accept(next, by: courier)
            await #expect(throws: OrderRefusal.wrongState(.accepted)) { try await world.decline(next) }
        }
    }

    @Test("O9: the customer cancels free until the restaurant has accepted, and not after it")
    func cancels() async throws {
        try await MealWorld.with { world in
            let new = try await world.requested()
            let cancelled = try await world.orders.cancel(new)
            #expect(cancelled.state == .cancelled && cancelled.ending?.fine == nil)
            let order = try await world.preparing()
            await #expect(throws: OrderRefusal.wrongState(.preparing)) { try await world.orders.cancel(order) }
        }
    }

    @Test("O9, P2: a restaurant may promise it as late as the market allows, and no later")
    func minutes() async throws {
        try await MealWorld.with { world in
            let order = try await world.requested()
            await #expect(throws: AcceptOrder.TooLong(maximumMinutes: 60)) {
                try await world.accept(order, minutes: 61)
            }
            try await RideWorld(world.orders).set(.preparationWindowSeconds, to: "600")
            // The usual 20 minutes are no less of a promise than minutes that are sent.
            await #expect(throws: AcceptOrder.TooLong(maximumMinutes: 10)) { try await world.accept(order) }
            try await RideWorld(world.orders).set(.preparationWindowSeconds, to: "3600")
            #expect(try await world.accept(order).food?.preparationMinutes == 20)
        }
    }

    @Test(
        "O9, C5: closed, the customer's own, too far, another's quote, or not what the menu says: no order, quote unused"
    )
    func conditions() async throws {
        try await MealWorld.with { world in
            let customer = try await world.orders.addCustomer("Mira")
            let quote = try await world.quote(customer)
            func refused(_ input: RequestMeal.Input) async throws -> MealRefusal? {
                do {
                    _ = try await world.request(input)
                    return nil
                } catch let refusal as MealRefusal {
                    return refusal
                }
            }
            #expect(
                try await refused(world.input(customer, quote, price: 1_100))
                    == .menuChanged([.init(item: world.soup.id, index: 0, name: "Soup", price: 1_200)]))
            try await world.pool.execute(
                SwitchRestaurant(restaurant: world.restaurant, isOpen: false, now: .thisMillisecond))
            #expect(try await refused(world.input(customer, quote)) == .restaurantClosed)
            try await world.pool.execute(
                SwitchRestaurant(restaurant: world.restaurant, isOpen: true, now: .thisMillisecond))
            let far = try await world.quote(customer, north: 11_000)
            #expect(try await refused(world.input(customer, far)) == .tooFar(maximumMetres: 10_000))
            let (_, other) = try await MealWorld.open("Nonna", [MealWorld.item("Pie", 900)], in: world.pool)
            let foreign = try await world.quote(customer, of: other)
            #expect(try await refused(world.input(customer, foreign)) == .otherQuote)
            let own = try await world.quote(world.owner)
            #expect(try await refused(world.input(world.owner, own)) == .ownRestaurant)
            try await world.pool.execute(DeleteMenuItem(item: world.bread.id, restaurant: world.restaurant))
            #expect(
                try await refused(world.input(customer, quote))
                    == .menuChanged([.init(item: world.bread.id, index: 1, name: nil, price: nil)]))
            #expect(try await world.pool.first(CountOrders()) == 0)
            try await world.pool.execute(InsertMenuItem(item: world.bread, restaurant: world.restaurant))
            #expect(try await refused(world.input(customer, quote)) == nil)
            await #expect(throws: QuoteRefusal.self) { try await world.request(world.input(customer, quote)) }
            try await world.pool.execute(WithdrawVerification(account: world.owner))
            let late = try await world.quote(customer)
            await #expect(throws: RestaurantRefusal.notFound) { try await world.request(world.input(customer, late)) }
        }
    }

    @Test("O4: restaurants rate couriers; the customer's stars for the service are the restaurant's")
    func ratings() async throws {
        try await MealWorld.with { world in
            let courier = try await world.rides.driver(north: 300)
            let order = try await world.preparing()
            try await world.rides.round()
            let fetching = try await world.accept(order, by: courier)
            let carried = try await world.handOver(fetching, fetching.food?.handOverCode)
            _ = try await world.orders.confirm(carried, by: courier)
            _ = try await world.orders.confirm(carried, by: order.customer.account)
            func rate(_ account: UUID, _ stars: Int, service: Int? = nil) async throws {
                let rated = try await world.pool.withTransaction { transaction in
                    try await world.operations.rate(
                        order.id, by: account, .init(stars: stars, serviceStars: service, comment: nil),
                        at: .thisMillisecond, in: transaction)
                }
                try await expectStored(rated, world.pool)
            }
            try await rate(world.owner, 3)
            try await rate(order.customer.account, 5, service: 4)
            try await rate(courier, 2)
            await #expect(throws: RateOrder.Refusal.alreadyRated) { try await rate(world.owner, 3) }
            await #expect(throws: RateOrder.Refusal.serviceStarsByProvider) {
                try await rate(world.owner, 3, service: 3)
            }
            func standing(_ account: UUID, _ role: OrderActor) async throws -> OrderDetails.Standing? {
                try await world.pool.first(FindStanding(market: "btnc", account: account, role: role))
            }
            #expect(try await standing(courier, .provider) == .init(stars: 8, count: 2))
            #expect(try await standing(world.owner, .merchant) == .init(stars: 4, count: 1))
            #expect(try await standing(order.customer.account, .customer) == .init(stars: 2, count: 1))
            // Others sum the stars as well: the customer's rating alone names the restaurant.
            let told = try await world.pool.query(RatingsTold()).map {
                try JSON.wire.decode(RatingGiven.self, Array($0.utf8))
            }
            #expect(told.map { $0.merchant } == [nil, world.owner, nil], "\(told)")
        }
    }

    /// What who rates is answered is what is read afterwards.
    private func expectStored(_ rated: OrderDetails, _ pool: PostgresPool) async throws {
        let stored = try #require(try await pool.first(FindOrder(order: rated.order.id))?.details())
        #expect(rated.customerStanding == stored.customerStanding)
        #expect(rated.providerStanding == stored.providerStanding)
        for party in [OrderActor.customer, .provider, .merchant] {
            #expect(rated.rating(by: party)?.stars == stored.rating(by: party)?.stars, "\(party)")
            #expect(rated.rating(by: party)?.serviceStars == stored.rating(by: party)?.serviceStars, "\(party)")
        }
    }

    @Test("O13: two couriers who take it at once, and a round that offers it: one has it, and nobody else is held")
    func races() async throws {
        try await MealWorld.with { world in
            for _ in 0..<20 {
                let order = try await world.preparing()
                let couriers = [try await world.rides.driver(north: 100), try await world.rides.driver(north: 150)]
                let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for courier in couriers {
                        group.addTask {
                            do {
                                _ = try await world.rides.take(order, by: courier)
                                return true
                            } catch is OrderRefusal {
                                return false
                            }
                        }
                    }
                    group.addTask {
                        _ = try await world.rides.round()
                        return false
                    }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                let after = try await world.details(order.id)
                #expect(winners == (after.state == .accepted ? 1 : 0))
                var held: [UUID] = []
                for courier in couriers where try await world.orders.held(courier) == order.id { held.append(courier) }
                #expect(held == [after.provider?.account].compactMap(\.self))
                for courier in couriers {
                    try await world.pool.execute(SetAvailability(market: "btnc", account: courier, isAvailable: false))
                }
            }
        }
    }
}

private struct RatingsTold: Statement {
    static let sql: SQL = "SELECT payload FROM outbox WHERE name = 'dispatch.rating.given.v1' ORDER BY seq"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
