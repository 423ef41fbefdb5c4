import Foundation
public import Matching

/// Runs the food policy through an instance on a simulated clock. The policy is told of an order at its placement.
public struct MealSimulation {
    private enum Activity {
        /// Free at `stop` from a minute on.
        case free(Int)
        /// On the way since a minute, at the restaurant from another on, for orders that stay with the courier.
        case heading(restaurant: Int, arrival: Int, orders: [Int], since: Int)
    }

    private struct Courier {
        var stop = MealSolution.Stop.start
        var activity: Activity
    }

    private let instance: MealInstance
    private let settings: FoodSettings
    private var couriers: [Courier]
    private var open: [Int] = []
    private var solution = MealSolution()

    private init(_ instance: MealInstance, _ settings: FoodSettings) {
        self.instance = instance
        var settings = settings
        settings.reachCounterSeconds = instance.reachCounter * 60
        settings.leaveCounterSeconds = (instance.pickupMinutes - instance.reachCounter) * 60
        settings.reachDoorSeconds = instance.reachDoor * 60
        settings.leaveDoorSeconds = (instance.dropoffMinutes - instance.reachDoor) * 60
        settings.longestClickToDoorSeconds = instance.longestMinutes * 60
        self.settings = settings
        couriers = instance.couriers.map { Courier(activity: .free($0.on)) }
    }

    public static func run(_ instance: MealInstance, settings: FoodSettings = FoodSettings()) -> MealSolution {
        var simulation = Self(instance, settings)
        simulation.run()
        return simulation.solution
    }

    private mutating func run() {
        let coming = instance.orders.indices.sorted {
            (instance.orders[$0].placed, $0) < (instance.orders[$1].placed, $1)
        }
        var next = 0
        var minute = coming.first.map { instance.orders[$0].placed } ?? 0
        while true {
            while next < coming.count, instance.orders[coming[next]].placed <= minute {
                open.append(coming[next])
                next += 1
            }
            var wake = next < coming.count ? instance.orders[coming[next]].placed : Int.max
            if !open.isEmpty {
                let decided = FoodPolicy.decide(round(minute))
                for decision in decided.decisions { perform(decision, minute) }
                if let at = decided.nextAt { wake = min(wake, (at + 59) / 60) }
                // What was sent and is to be loaded later is told by the next round.
                if !decided.decisions.isEmpty { wake = min(wake, minute + 1) }
            }
            guard wake < Int.max else { return }
            minute = max(minute + 1, wake)
        }
    }

    // MARK: The round

    private func round(_ minute: Int) -> FoodRound {
        let working = couriers.indices.filter { instance.couriers[$0].off >= minute }
        var points: [MealInstance.Point] = []
        for order in open {
            points.append(instance.restaurants[instance.orders[order].restaurant].place)
            points.append(instance.orders[order].place)
        }
        let orders = open.enumerated().map { index, order in
            FoodOrder(
                id: id(1, order), restaurant: id(2, instance.orders[order].restaurant),
                placedAt: instance.orders[order].placed * 60, readyAt: instance.orders[order].ready * 60,
                pickup: index * 2, dropoff: index * 2 + 1)
        }
        var known: [FoodCourier] = []
        for courier in working {
            known.append(foodCourier(courier, minute, place: points.count))
            points.append(place(courier))
        }
        let travel = TravelMatrix(count: points.count) { instance.minutes(points[$0], points[$1]) * 60 }
        return FoodRound(now: minute * 60, orders: orders, couriers: known, travel: travel, settings: settings)
    }

    private func place(_ courier: Int) -> MealInstance.Point {
        if case .heading(let restaurant, _, _, _) = couriers[courier].activity {
            return instance.restaurants[restaurant].place
        }
        return solution.place(couriers[courier].stop, courier, instance)
    }

    private func foodCourier(_ courier: Int, _ minute: Int, place: Int) -> FoodCourier {
        let off = instance.couriers[courier].off * 60
        switch couriers[courier].activity {
        case .free(let from):
            return FoodCourier(id: id(3, courier), place: place, freeAt: max(from, minute) * 60, offAt: off)
        case .heading(let restaurant, let arrival, let orders, _):
            return FoodCourier(
                id: id(3, courier), place: place, freeAt: arrival * 60, offAt: off,
                heading: .init(restaurant: id(2, restaurant), orders: orders.map { id(1, $0) }))
        }
    }

    // MARK: What is decided

    private mutating func perform(_ decision: FoodDecision, _ minute: Int) {
        switch decision {
        case .send(let courier, let restaurant, let orders):
            let (courier, restaurant) = (number(courier), number(restaurant))
            let from = couriers[courier].stop
            let way = instance.minutes(
                solution.place(from, courier, instance), instance.restaurants[restaurant].place)
            solution.move(courier, at: minute, from: from, to: .restaurant(restaurant))
            couriers[courier].stop = .restaurant(restaurant)
            couriers[courier].activity = .heading(
                restaurant: restaurant, arrival: minute + way, orders: orders.map(number), since: minute)
        case .add(let courier, let orders):
            let courier = number(courier)
            guard case .heading(let restaurant, let arrival, let first, _) = couriers[courier].activity else { return }
            couriers[courier].activity = .heading(
                restaurant: restaurant, arrival: arrival, orders: first + orders.map(number), since: minute)
        case .load(let courier, let orders):
            let (courier, orders) = (number(courier), orders.map(number))
            // What was added on the way was assigned at the counter; else it was so when the courier set out.
            var assigned = minute
            if case .heading(_, _, let first, let since) = couriers[courier].activity, Set(first) == Set(orders) {
                assigned = since
            }
            let (free, stop) = solution.carry(orders, by: courier, assigned: assigned, pickup: minute, in: instance)
            couriers[courier] = Courier(stop: stop, activity: .free(free))
            open.removeAll(where: orders.contains)
        }
    }

    // MARK: Ids

    private func id(_ kind: UInt8, _ number: Int) -> UUID {
        let (high, low) = (UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number))
        return UUID(
            uuid: (kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: number >> 16), high, low))
    }

    private func number(_ id: UUID) -> Int { Int(id.uuid.13) << 16 | Int(id.uuid.14) << 8 | Int(id.uuid.15) }
}
