import Foundation
import Matching
import MealDelivery
import TestKit
import Testing

@Suite("Food", .timeLimit(.minutes(15)))
struct FoodTests {
    private static func cost(_ considered: FoodExplanation.Considered) -> FoodCost? {
        guard case .weighed(let cost) = considered.verdict else { return nil }
        return cost
    }

    @Test("O9: a courier sets out so as to be at the counter when the food is ready, and not before")
    func timing() {
        let instance = SampleMeals.instance(
            orders: [(place: 800, placed: 0, restaurant: 0, ready: 30)], restaurants: [500],
            couriers: [(place: 0, on: 0, off: 200)])
        let solution = MealSimulation.run(instance)
        #expect(MealChecker.violations(of: solution, in: instance) == [])
        // Five minutes on the way and two to the counter; then two, three on the way, and two to the door.
        #expect(solution.moves[0]?.first?.departure == 23)
        #expect(solution.assignments.map(\.pickup) == [30])
        #expect(solution.deliveries[0]?.dropoff == 37)
    }

    @Test("O9: orders of one restaurant for one way are carried together when couriers are scarce")
    func bundle() {
        let instance = SampleMeals.instance(
            orders: [(5_000, 0, 0, 20), (5_100, 1, 0, 21), (5_200, 2, 0, 20)], restaurants: [500],
            couriers: [(place: 0, on: 0, off: 400)])
        let solution = MealSimulation.run(instance)
        #expect(MealChecker.violations(of: solution, in: instance) == [])
        #expect(solution.assignments.map(\.orders) == [[0, 1, 2]])
    }

    @Test("O9: no bundle is made that makes a customer wait, while another courier is free")
    func noBundle() {
        let instance = SampleMeals.instance(
            orders: [(3_000, 0, 0, 20), (-3_000, 0, 0, 20)], restaurants: [0], couriers: [(0, 0, 400), (100, 0, 400)])
        let solution = MealSimulation.run(instance)
        #expect(solution.assignments.map(\.orders.count) == [1, 1])
    }

    @Test("O9: nothing is picked up after a courier's shift; who works longer takes it")
    func shift() {
        let instance = SampleMeals.instance(
            orders: [(800, 0, 0, 30)], restaurants: [500], couriers: [(500, 0, 29), (4_000, 0, 300)])
        let solution = MealSimulation.run(instance)
        #expect(MealChecker.violations(of: solution, in: instance) == [])
        #expect(solution.assignments.map(\.courier) == [1])
        let nobody = SampleMeals.instance(
            orders: [(800, 0, 0, 30)], restaurants: [500], couriers: [(500, 0, 29)])
        #expect(MealSimulation.run(nobody).deliveries.isEmpty)
        #expect(!nobody.isDeliverable(nobody.orders[0]))
    }

    @Test("O9: what comes in after a courier has set out is taken along, and he does not turn back")
    func onTheWay() {
        let instance = SampleMeals.instance(
            orders: [(9_000, 0, 0, 20), (9_000, 12, 0, 20)], restaurants: [1_500], couriers: [(0, 0, 400)])
        let solution = MealSimulation.run(instance)
        #expect(MealChecker.violations(of: solution, in: instance) == [])
        #expect(solution.moves[0]?.first?.departure == 3)
        #expect(solution.assignments.map { Set($0.orders) } == [[0, 1]])
    }

    @Test("O9: in random evenings every rule holds, and customers wait less than with the nearest courier for each")
    func randomEvenings() {
        var generator = SeededGenerator()
        var ours = 0.0
        var theirs = 0.0
        for _ in 0..<6 {
            let instance = SampleMeals.random(orders: 60, couriers: 12, &generator)
            let planned = MealSimulation.run(instance)
            let nearest = NearestCourier.run(instance)
            #expect(MealChecker.violations(of: planned, in: instance) == [], "\(generator)")
            #expect(MealChecker.violations(of: nearest, in: instance) == [], "\(generator)")
            #expect(planned.deliveries.count == 60 && nearest.deliveries.count == 60, "\(generator)")
            ours += MealMeasures(planned, of: instance).meanClickToDoor
            theirs += MealMeasures(nearest, of: instance).meanClickToDoor
        }
        #expect(ours < theirs, "\(generator)")
    }

    @Test("O9: equal rounds have equal plans, in whatever order they are told")
    func determinism() {
        var generator = SeededGenerator()
        let places = 40
        let travel = TravelMatrix(count: places) { abs($0 - $1) * 45 }
        let restaurants = (0..<3).map { _ in UUID.random(using: &generator) }
        for _ in 0..<20 {
            var orders = (0..<10).map { number in
                let restaurant = Int.random(in: 0..<3, using: &generator)
                return FoodOrder(
                    id: .random(using: &generator), restaurant: restaurants[restaurant], placedAt: number * 60,
                    readyAt: 900 + .random(in: 0...900, using: &generator), pickup: restaurant,
                    dropoff: .random(in: 3..<20, using: &generator))
            }
            var couriers = (0..<6).map { _ in
                FoodCourier(
                    id: .random(using: &generator), place: .random(in: 20..<40, using: &generator),
                    freeAt: .random(in: 600...1_800, using: &generator), offAt: 9_000)
            }
            func decide() -> FoodDecisions {
                FoodPolicy.decide(
                    FoodRound(now: 1_000, orders: orders, couriers: couriers, travel: travel, settings: FoodSettings()))
            }
            let first = decide()
            orders.shuffle(using: &generator)
            couriers.shuffle(using: &generator)
            let second = decide()
            #expect(first.decisions == second.decisions && first.expected == second.expected, "\(generator)")
            #expect(first.nextAt == second.nextAt, "\(generator)")
            #expect(Set(first.expected.map(\.order)) == Set(orders.map(\.id)), "\(generator)")
        }
    }

    @Test("X12: for each order every courier is told once: by how much all would wait longer, or the rule")
    func explanation() throws {
        let ids = (1...4).map { number in UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number))) }
        let order = FoodOrder(id: UUID(), restaurant: UUID(), placedAt: 0, readyAt: 700, pickup: 0, dropoff: 5)
        // Ten minutes between neighbouring places: the nearest is late by less than the others.
        let travel = TravelMatrix(count: 6) { abs($0 - $1) * 600 }
        let couriers = [
            FoodCourier(id: ids[0], place: 1, freeAt: 0, offAt: 9_000),
            FoodCourier(id: ids[1], place: 2, freeAt: 0, offAt: 9_000),
            FoodCourier(id: ids[2], place: 3, freeAt: 0, offAt: 9_000),
            FoodCourier(id: ids[3], place: 1, freeAt: 0, offAt: 600),
        ]
        var settings = FoodSettings()
        settings.couriersPerOrder = 2
        let decided = FoodPolicy.decide(
            FoodRound(now: 0, orders: [order], couriers: couriers, travel: travel, settings: settings))
        #expect(decided.decisions == [.send(courier: ids[0], to: order.restaurant, for: [order.id])])
        let explanation = try #require(decided.explanations.first)
        #expect(explanation.order == order.id && explanation.chosen == ids[0])
        #expect(explanation.couriers.map(\.courier) == ids)
        // From ready to door: five places and four minutes; the second is there ten minutes later.
        let door = 720 - 700 + 120 + 3_000 + 120
        #expect(explanation.couriers.map { Self.cost($0)?.addedSeconds } == [door, door + 600, nil, nil])
        #expect(explanation.couriers.suffix(2).map(\.verdict) == [.leftOut(.notAmongFirst), .leftOut(.shiftOver)])
        // Nothing is known of these but where they are.
        #expect(explanation.couriers.prefix(2).allSatisfy { Self.cost($0)?.total == Self.cost($0)?.addedSeconds })
    }

    @Test("O9: who said no to one order may have others, and never that one, alone or in a bundle")
    func barred() {
        var generator = SeededGenerator()
        let travel = TravelMatrix(count: 30) { abs($0 - $1) * 30 }
        for _ in 0..<30 {
            let couriers = (0..<3).map { _ in UUID.random(using: &generator) }
            let restaurant = UUID.random(using: &generator)
            let orders = (0..<8).map { _ in
                FoodOrder(
                    id: .random(using: &generator), restaurant: restaurant, placedAt: 0, readyAt: 0, pickup: 0,
                    dropoff: .random(in: 1..<20, using: &generator),
                    barred: Set(couriers.filter { _ in Bool.random(using: &generator) }))
            }
            let decided = FoodPolicy.decide(
                FoodRound(
                    now: 0, orders: orders,
                    couriers: couriers.map { FoodCourier(id: $0, place: 25, freeAt: 0, offAt: 90_000) },
                    travel: travel, settings: FoodSettings()))
            for expected in decided.expected {
                let order = orders.first { $0.id == expected.order }
                #expect(order?.barred.contains(expected.courier) == false, "\(generator)")
            }
            #expect(
                Set(decided.impossible) == Set(orders.filter { $0.barred.count == 3 }.map(\.id)), "\(generator)")
            for order in orders {
                let told = decided.explanation(of: order.id)
                let left = Set(told?.couriers.filter { $0.verdict == .leftOut(.barred) }.map(\.courier) ?? [])
                #expect(left == order.barred && told?.couriers.count == 3, "\(generator)")
            }
        }
    }

    @Test("O9: what is added to a courier on the way is so when he would go without it, and not before")
    func additions() {
        let ids = (1...4).map { number in UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number))) }
        let travel = TravelMatrix(count: 3) { abs($0 - $1) * 300 }
        func decide(now: Int) -> FoodDecisions {
            let orders = [ids[0], ids[1]].map {
                FoodOrder(id: $0, restaurant: ids[2], placedAt: 0, readyAt: 500, pickup: 0, dropoff: 2)
            }
            let courier = FoodCourier(
                id: ids[3], place: 0, freeAt: 400, offAt: 9_000,
                heading: .init(restaurant: ids[2], orders: [ids[0]]))
            return FoodPolicy.decide(
                FoodRound(now: now, orders: orders, couriers: [courier], travel: travel, settings: FoodSettings()))
        }
        // There at 400, with the food at 520: two minutes before that he is told.
        #expect(decide(now: 399).decisions.isEmpty && decide(now: 399).nextAt == 400)
        #expect(decide(now: 400).decisions == [.add(courier: ids[3], orders: [ids[1]])])
        #expect(decide(now: 400).explanations.map(\.order) == [ids[1]])
        #expect(decide(now: 520).decisions.count == 2)
    }
}
