/// Whether a solution keeps the rules: all that the field's evaluator checks, and that what the couriers did is what
/// their moves say, minute by minute.
public enum MealChecker {
    /// What is wrong; empty if nothing is.
    public static func violations(of solution: MealSolution, in instance: MealInstance) -> [String] {
        var found = assignmentViolations(solution, instance)
        let byCourier = Dictionary(grouping: solution.assignments, by: \.courier)
        for courier in instance.couriers.indices {
            var walk = Walk(instance, solution, courier, (byCourier[courier] ?? []).sorted { $0.pickup < $1.pickup })
            walk.run()
            found += walk.violations.map { "\(instance.couriers[courier].name): \($0)" }
        }
        return found
    }

    private static func assignmentViolations(_ solution: MealSolution, _ instance: MealInstance) -> [String] {
        var found: [String] = []
        var assigned: Set<Int> = []
        for assignment in solution.assignments {
            let bundle = assignment.orders.map { instance.orders[$0] }
            let name = bundle.map(\.name).joined(separator: " ")
            if bundle.isEmpty { found.append("an assignment of no order") }
            if Set(bundle.map(\.restaurant)).count > 1 { found.append("\(name): of several restaurants") }
            if assignment.pickup > instance.couriers[assignment.courier].off {
                found.append("\(name): picked up at \(assignment.pickup), after the shift")
            }
            if assignment.pickup < assignment.minute { found.append("\(name): picked up before it was assigned") }
            for (number, order) in zip(assignment.orders, bundle) {
                if !assigned.insert(number).inserted { found.append("\(order.name): assigned twice") }
                if assignment.minute < order.placed { found.append("\(order.name): assigned before it was placed") }
                if assignment.pickup < order.ready { found.append("\(order.name): picked up before it was ready") }
                guard let delivery = solution.deliveries[number] else {
                    found.append("\(order.name): assigned and not delivered")
                    continue
                }
                if delivery.courier != assignment.courier { found.append("\(order.name): delivered by another") }
                if delivery.pickup != assignment.pickup { found.append("\(order.name): two pickup times") }
            }
        }
        for number in solution.deliveries.keys.sorted() where !assigned.contains(number) {
            found.append("\(instance.orders[number].name): delivered and not assigned")
        }
        return found
    }

    /// Follows a courier's moves.
    private struct Walk {
        let instance: MealInstance
        let solution: MealSolution
        let courier: Int
        var assignments: ArraySlice<MealSolution.Assignment>
        var violations: [String] = []
        /// From when on the courier may leave.
        private var free: Int
        private var stop = MealSolution.Stop.start
        /// What is carried, in the sequence of the drop-offs.
        private var carried: ArraySlice<Int> = []

        init(
            _ instance: MealInstance, _ solution: MealSolution, _ courier: Int,
            _ assignments: [MealSolution.Assignment]
        ) {
            self.instance = instance
            self.solution = solution
            self.courier = courier
            self.assignments = assignments[...]
            free = instance.couriers[courier].on
        }

        mutating func run() {
            for move in solution.moves[courier] ?? [] {
                if move.from != stop { violations.append("leaves \(move.from), but is at \(stop)") }
                if move.departure < free { violations.append("leaves \(stop) at \(move.departure), free at \(free)") }
                let way = instance.minutes(
                    solution.place(move.from, courier, instance), solution.place(move.to, courier, instance))
                arrive(at: move.to, move.departure + way)
            }
            if !carried.isEmpty { violations.append("still carries \(carried.map { instance.orders[$0].name })") }
            if !assignments.isEmpty { violations.append("\(assignments.count) assignments without a move") }
        }

        private mutating func arrive(at place: MealSolution.Stop, _ minute: Int) {
            stop = place
            free = minute
            switch place {
            case .start: violations.append("goes back to where the shift began")
            case .restaurant(let restaurant): load(restaurant, minute)
            case .order(let order): deliver(order, minute)
            }
        }

        private mutating func load(_ restaurant: Int, _ minute: Int) {
            if !carried.isEmpty { violations.append("goes to a restaurant with food in hand") }
            guard let next = assignments.first, let first = next.orders.first,
                instance.orders[first].restaurant == restaurant
            else { return }
            assignments.removeFirst()
            carried = next.orders[...]
            if next.pickup < minute + instance.reachCounter {
                violations.append("picks up at \(next.pickup), there at \(minute)")
            }
            free = next.pickup + instance.pickupMinutes - instance.reachCounter
        }

        private mutating func deliver(_ order: Int, _ minute: Int) {
            let name = instance.orders[order].name
            guard carried.first == order else {
                violations.append("goes to \(name), which is not the next")
                return
            }
            carried.removeFirst()
            guard let delivery = solution.deliveries[order] else { return }
            if delivery.dropoff < minute + instance.reachDoor {
                violations.append("drops \(name) at \(delivery.dropoff), there at \(minute)")
            }
            free = delivery.dropoff + instance.dropoffMinutes - instance.reachDoor
        }
    }
}
