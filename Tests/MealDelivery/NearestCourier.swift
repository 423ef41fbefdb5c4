/// What the policy is compared with: at its placement each order goes, alone, to the courier who can pick it up first,
/// after all that the courier has to do already, and among those to the one with the shortest way. Nothing is ever
/// changed.
public enum NearestCourier {
    public static func run(_ instance: MealInstance) -> MealSolution {
        var solution = MealSolution()
        var free = instance.couriers.map { (minute: $0.on, stop: MealSolution.Stop.start) }
        let coming = instance.orders.indices.sorted {
            (instance.orders[$0].placed, $0) < (instance.orders[$1].placed, $1)
        }
        for order in coming {
            let placed = instance.orders[order].placed
            let restaurant = instance.orders[order].restaurant
            var best: (arrival: Int, pickup: Int, way: Int, courier: Int)?
            for courier in free.indices {
                let from = solution.place(free[courier].stop, courier, instance)
                let way = instance.minutes(from, instance.restaurants[restaurant].place)
                let arrival = max(free[courier].minute, placed) + way
                let pickup = max(instance.orders[order].ready, arrival + instance.reachCounter)
                guard pickup <= instance.couriers[courier].off else { continue }
                if best.map({ (pickup, way) < ($0.pickup, $0.way) }) ?? true {
                    best = (arrival, pickup, way, courier)
                }
            }
            guard let best else { continue }
            let courier = best.courier
            solution.move(
                courier, at: best.arrival - best.way, from: free[courier].stop, to: .restaurant(restaurant))
            free[courier] = solution.carry([order], by: courier, assigned: placed, pickup: best.pickup, in: instance)
        }
        return solution
    }
}
