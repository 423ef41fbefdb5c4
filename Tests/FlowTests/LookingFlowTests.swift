import Contracts
import Foundation
import Phones
import SeraiJSON
import TestKit
import Testing

/// The platform asks whoever is near at once, so what waits is on the list of those who look only while it does not
/// search: while no worker runs.
@Suite(
    "Drivers who look for themselves", .platform(dispatchProcesses: 2, roles: ["api", "worker"]), .serialized,
    .timeLimit(.minutes(15)))
struct LookingFlowTests {
    private static let market = RideTown.market

    private struct Trips: Decodable, Sendable {
        struct Rating: Decodable, Sendable {
            let stars: Int
            let comment: String?
        }
        struct Ratings: Decodable, Sendable { let customer: Rating? }
        struct Trip: Decodable, Sendable {
            let order: UUID
            let total: Money
            let ratings: Ratings
        }
        let items: [Trip]
    }

    /// After a commission in hundredths of a percent, rounded half up.
    private static func net(_ amount: Int, _ commission: Int) -> Int {
        amount - (amount * commission + 5_000) / 10_000
    }

    private func whileNobodySearches(_ platform: Platform, _ body: () async throws -> Void) async throws {
        try await platform.kill("dispatch", 1)
        var failure: (any Error)?
        do { try await body() } catch { failure = error }
        try await platform.restart("dispatch", 1)
        if let failure { throw failure }
    }

    private func begin(_ driver: Newcomer, at place: Coordinate) async throws {
        try await driver.phone.setAvailable(true, at: place, in: Self.market)
        try await driver.phone.post(position: place)
    }

    private func stop(_ driver: Newcomer) async throws {
        try await driver.phone.setAvailable(false, in: Self.market)
    }

    /// A paid ride from a place north of the middle.
    private func ride(
        _ name: String, _ town: RideTown, north degrees: Double
    ) async throws -> (rider: Newcomer, order: OrderView) {
        let rider = try await town.rider(name)
        let place = Coordinate(
            latitude: RideTown.perth.latitude + degrees, longitude: RideTown.perth.longitude)
        let order = try await town.ride(rider, by: try await town.quote(rider, from: place))
        try await rider.pay(order.id)
        try await rider.sees(order.id, .requested)
        return (rider, order)
    }

    @Test("O8, O4, O11: use case 14: a driver takes the nearest ride that waits; later it is among trips and earnings")
    func rides() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let town = RideTown(town: platform.town, desk: desk)
        let driver = try await town.driver("Dana", at: RideTown.perth)
        let other = try await town.driver("Eddy", at: RideTown.perth)
        try await eventually("nobody waits for a driver") { try await town.waiting(for: driver).isEmpty }
        try await stop(driver)
        try await stop(other)
        let idle = try await refuses(409) { try await town.waiting(for: driver) }
        #expect(idle?.slug == "not-waiting")

        let far = try await ride("Rose", town, north: 0.03)
        let near = try await ride("Ruby", town, north: 0.01)
        try await whileNobodySearches(platform) {
            try await begin(driver, at: RideTown.perth)
            try await begin(other, at: RideTown.perth)
            let list = try await eventually("both are there, the nearest first") {
                try await town.waiting(for: driver)
            } satisfies: {
                $0.map(\.order) == [near.order.id, far.order.id]
            }
            #expect(list.map(\.kind) == ["ride", "ride"])
            // Both go to places that are rounded alike, so until the yes their prices say no more than that.
            #expect(Set(list.map(\.total)).count == 1 && list.allSatisfy { $0.total.currency == "AUD" })
            #expect((900...1_300).contains(list.first?.metresAway ?? 0))
            try await driver.phone.act("take", on: near.order.id)
            try await refuses(409, state: "accepted") { try await other.phone.act("take", on: near.order.id) }
            let busy = try await refuses(409) { try await driver.phone.act("take", on: far.order.id) }
            #expect(busy?.slug == "provider-busy")
            try await eventually("the other one is left") {
                try await town.waiting(for: other).map(\.order) == [far.order.id]
            }
            try await far.rider.phone.act("cancel", on: far.order.id)
            try await eventually("nothing is left") { try await town.waiting(for: other).isEmpty }
            try await stop(other)
        }
        try await far.rider.has(10_000, in: "AUD")
        try await drive(near.order, near.rider, driver)

        let total = near.order.snapshot.total.amount
        let earned = Self.net(total, 2_000)
        try await driver.has(earned, in: "AUD")
        try await near.rider.has(10_000 - total, in: "AUD")
        let earnings = try await eventually("it is among the earnings") {
            try await town.earnings(of: driver)
        } satisfies: {
            !$0.isEmpty
        }
        #expect(earnings.map(\.kind) == ["ride"] && earnings.map(\.orders) == [1])
        #expect(earnings.map(\.amount) == [Money(amount: earned, currency: "AUD")])
        let query = [("role", "provider"), ("section", "past")] as [(String, String?)]
        let trips = try await driver.phone.send(.get("/dispatch/v1/orders", query: query)).decode(Trips.self).items
        #expect(trips.map(\.order) == [near.order.id] && trips.map(\.total.amount) == [total])
        #expect(trips.first?.ratings.customer?.stars == 5 && trips.first?.ratings.customer?.comment == "Smooth")
        try await desk.settled("AUD")
        try await stop(driver)
    }

    /// From the acceptance to the payout, and both say how it was.
    private func drive(_ order: OrderView, _ rider: Newcomer, _ driver: Newcomer) async throws {
        let found = try await rider.sees(order.id, .accepted)
        #expect(found.snapshot.provider?.account == driver.account)
        try await rider.phone.act("met", on: order.id)
        for act in ["arrive", "start"] { try await driver.phone.act(act, on: order.id) }
        // And where it ends.
        try await rider.phone.act("met", on: order.id)
        try await driver.phone.act("complete", on: order.id)
        try await rider.phone.act("complete", on: order.id)
        for person in [rider, driver] { try await person.seesPayout(of: order.id) }
        try await rider.phone.rate(order.id, stars: 5, comment: "Smooth")
        try await driver.phone.rate(order.id, stars: 4)
    }

    @Test("O9: use case 15: a courier takes the meal that waits at the nearest restaurant, fetches it and brings it")
    func meals() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let town = RideTown(town: platform.town, desk: desk)
        let place = Coordinate(latitude: -32.1000, longitude: 115.8613)
        let home = Coordinate(latitude: place.latitude + 0.01, longitude: place.longitude)
        let kitchen = try await town.restaurant("Levant", at: place)
        let customer = try await town.rider("Mira")
        let courier = try await town.driver("Dan", at: place)
        try await stop(courier)

        let meal = try await town.meal(customer, of: kitchen, to: home)
        try await customer.pay(meal.id)
        try await kitchen.owner.sees(meal.id, .requested)
        try await town.prepare(meal.id, kitchen)
        try await customer.sees(meal.id, .preparing)
        try await kitchen.owner.phone.act("ready", on: meal.id)
        // Two soups and a bread.
        let sold = 2_750
        let delivery = meal.snapshot.total.amount - sold
        try await whileNobodySearches(platform) {
            try await begin(courier, at: place)
            let list = try await eventually("the meal is on the list") {
                try await town.waiting(for: courier)
            } satisfies: {
                $0.map(\.order) == [meal.id]
            }
            // Of the price, the way is the courier's: that to the rounded door before the yes.
            #expect(list.map(\.kind) == ["food"])
            #expect(list.allSatisfy { (400...2 * delivery).contains($0.total.amount) })
            try await courier.phone.act("take", on: meal.id)
        }
        let coming = try await kitchen.owner.sees(meal.id, .accepted)
        #expect(coming.snapshot.provider?.account == courier.account)
        try await customer.phone.act("met", on: meal.id)
        try await courier.phone.act("arrive", on: meal.id)
        let code = try #require(try await courier.phone.order(meal.id).food?.handOverCode)
        try await kitchen.owner.phone.act("start", on: meal.id, ["code": code])
        try await customer.phone.act("met", on: meal.id)
        try await courier.phone.act("complete", on: meal.id)
        try await customer.phone.act("complete", on: meal.id)
        for person in [customer, courier, kitchen.owner] { try await person.seesPayout(of: meal.id) }
        try await customer.has(10_000 - sold - delivery, in: "AUD")
        try await kitchen.owner.has(Self.net(sold, 1_500), in: "AUD")
        try await courier.has(Self.net(delivery, 2_000), in: "AUD")
        try await desk.settled("AUD")
        try await stop(courier)
    }
}
