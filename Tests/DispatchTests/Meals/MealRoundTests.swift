import Foundation
import Matching
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

/// Each way takes a minute.
@Suite("O9: rounds of meals")
struct MealRoundTests {
    private static let counter = RideWorld.perth
    private static let ids = {
        var ids = SequentialIDs(first: 7_000)
        return (0..<10).map { _ in ids.next() }
    }()
    private static let (levant, nonna) = (ids[0], ids[1])

    private static func meal(_ id: UUID, of restaurant: UUID = levant, ready: Int = 600) -> MealRound.Meal {
        MealRound.Meal(
            id: id, restaurant: restaurant, placedAt: 0, readyAt: ready, from: counter, to: RideWorld.north(1_000))
    }

    private static func courier(
        _ id: UUID, _ facts: RoundProvider.Facts = [], waitingSince: Int = 0, rating: Int? = nil
    ) -> RoundProvider {
        RoundProvider(
            id: id, place: RideWorld.north(100), placeAt: 0, facts: facts, kinds: ["food"], waitingSince: waitingSince,
            rating: rating)
    }

    private static func decide(
        now: Int, _ meals: [MealRound.Meal], _ couriers: [RoundProvider], trips: [UUID: [MealRound.Held]] = [:],
        declined: Set<UUID> = [], offAt: Int = 100_000
    ) -> MealDecisions {
        let orders = meals.map { meal in
            RoundOrder(
                id: meal.id, customer: ids[9], place: counter, kind: "food", requestedAt: meal.readyAt, stage: 2,
                declined: declined)
        }
        var settings = RoundSettings()
        settings.freshSeconds = 100_000
        var terms = MealRound.Terms()
        terms.offAt = offAt
        let round = MealRound(
            now: now, orders: orders, meals: Dictionary(uniqueKeysWithValues: meals.map { ($0.id, $0) }),
            providers: couriers, trips: trips, settings: settings, terms: terms)
        #expect(round.questions.allSatisfy { !$0.origins.isEmpty && $0.origins.count <= MealRound.originLimit })
        return round.decide(round.questions.map { $0.origins.map { _ in 60 } })
    }

    @Test("O9: a free courier is asked so early that he is at the counter in time, if he says yes at the last moment")
    func timing() {
        let (order, courier) = (Self.ids[2], Self.ids[3])
        // Ready at 600; two minutes for the counter, one for the way, twenty seconds for the answer.
        let early = Self.decide(now: 399, [Self.meal(order)], [Self.courier(courier)])
        #expect(early.all.map(\.outcome) == [.wait(until: 400)])
        let due = Self.decide(now: 400, [Self.meal(order)], [Self.courier(courier)])
        #expect(due.all.map(\.outcome) == [.offer(to: courier, bundle: [order])])
        guard case .weighed(let travel, let cost)? = due.verdicts(of: order).first?.verdict else {
            Issue.record("not weighed")
            return
        }
        #expect(travel == 60 && cost.addedSeconds == 120 + 60 + 120)
        // Seven minutes without work, and half a star missing of who is not rated yet.
        #expect(cost.fairnessSeconds == -7 && cost.ratingSeconds == 2)
    }

    @Test(
        "O9, P4: of couriers as near, who has waited longer is asked, and of these who is better rated; both are told")
    func preferred() throws {
        let order = Self.ids[2]
        let couriers = [
            Self.courier(Self.ids[3], waitingSince: 300, rating: 500),
            Self.courier(Self.ids[4], waitingSince: 0, rating: 400),
            Self.courier(Self.ids[5], waitingSince: 0, rating: 480),
        ]
        let decided = Self.decide(now: 500, [Self.meal(order)], couriers)
        #expect(decided.all.map(\.outcome) == [.offer(to: Self.ids[5], bundle: [order])])
        let reasoning = RoundReasoning(
            try #require(decided.all.first?.outcome), decided.verdicts(of: order), radius: 10_000)
        #expect(reasoning.weighed.map(\.provider) == [Self.ids[5], Self.ids[3], Self.ids[4]])
        #expect(reasoning.weighed.map(\.fairness) == [-8, -3, -8] && reasoning.weighed.map(\.rating) == [1, 0, 5])
        #expect(Set(reasoning.weighed.map(\.added)).count == 1)
    }

    @Test("O9, X12: who said no is not asked again, nor who is busy with else; all are told once, by their rules")
    func rules() {
        let order = Self.ids[2]
        let (declined, busy, free) = (Self.ids[3], Self.ids[4], Self.ids[5])
        let nobody = Self.decide(
            now: 500, [Self.meal(order)], [Self.courier(declined), Self.courier(busy, .busy)], declined: [declined])
        #expect(nobody.all.map(\.outcome) == [.wait(until: nil)])
        let told = nobody.verdicts(of: order)
        #expect(told.map(\.provider) == [busy, declined])
        #expect(told.map(\.verdict) == [.leftOut(.busy), .leftOut(.declined)])
        let decided = Self.decide(
            now: 500, [Self.meal(order), Self.meal(Self.ids[6])],
            [Self.courier(declined), Self.courier(busy, .busy), Self.courier(free)], declined: [declined])
        for (_, outcome) in decided.all {
            guard case .offer(free, let bundle) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(Set(bundle) == [order, Self.ids[6]])
        }
        let closing = Self.decide(now: 500, [Self.meal(order)], [Self.courier(free)], offAt: 590)
        #expect(closing.all.map(\.outcome) == [.wait(until: nil)])
        #expect(closing.verdicts(of: order).map(\.verdict) == [.leftOut(.shiftOver)])
        let over = Self.decide(now: 900, [Self.meal(order)], [Self.courier(free)])
        #expect(over.all.map(\.outcome) == [.giveUp])
    }

    @Test(
        "O9: a courier on the way gets more of that restaurant; of another, or with food in hand, nothing before then")
    func holding() {
        let (order, held, courier) = (Self.ids[2], Self.ids[3], Self.ids[4])
        func decide(_ restaurant: UUID, isHandedOver: Bool) -> MealDecisions.Outcome? {
            let trip = MealRound.Held(meal: Self.meal(held, ready: 500), isHandedOver: isHandedOver)
            return Self.decide(
                now: 500, [Self.meal(order, of: restaurant, ready: 500)], [Self.courier(courier, .busy)],
                trips: [courier: [trip]]
            ).all.first?.outcome
        }
        // An arrival at 560 is not to be waited for any longer: less than two minutes, and the answer.
        #expect(decide(Self.levant, isHandedOver: false) == .wait(until: 540))
        guard case .wait(let later?) = decide(Self.nonna, isHandedOver: false) else {
            Issue.record("he is not planned with")
            return
        }
        #expect(later > 540)
        // One way, and two and two minutes at the door.
        #expect(decide(Self.levant, isHandedOver: true) == .wait(until: 500 + 60 + 240 - 20))
        let there = Self.decide(
            now: 500, [Self.meal(order, ready: 500)], [Self.courier(courier, .onOffer)],
            trips: [courier: [MealRound.Held(meal: Self.meal(held, ready: 500), isThere: true)]])
        #expect(there.all.map(\.outcome) == [.offer(to: courier, bundle: [held, order])])
    }

    @Test("O9: a trip is of one restaurant and of as many meals as may be, until one of them has left it")
    func trips() {
        func added(_ restaurants: [UUID], to trip: CourierTrip, limit: Int) -> [Bool] {
            var trip = trip
            return restaurants.map { trip.add(of: $0, limit: limit) }
        }
        let free = CourierTrip(isFree: true, restaurants: [], count: 0, hasLeft: false)
        let asked = [Self.levant, Self.nonna, Self.levant, Self.levant]
        #expect(added(asked, to: free, limit: 2) == [true, false, true, false])
        let left = CourierTrip(isFree: false, restaurants: [Self.levant], count: 1, hasLeft: true)
        #expect(added(asked, to: left, limit: 5) == [false, false, false, false])
        // A ride.
        let busy = CourierTrip(isFree: false, restaurants: [], count: 0, hasLeft: false)
        #expect(added(asked, to: busy, limit: 5) == [false, false, false, false])
    }
}
