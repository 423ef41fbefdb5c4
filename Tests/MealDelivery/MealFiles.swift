public import Foundation

/// The three files of a solution, as the field's evaluator reads them (grubhub/mdrplib).
public enum MealFiles {
    public static func write(_ solution: MealSolution, of instance: MealInstance, into folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write(assignments(solution, instance), folder, "solution_info_assignments.txt")
        try write(orders(solution, instance), folder, "solution_info_orders.txt")
        try write(couriers(solution, instance), folder, "solution_info_couriers.txt")
    }

    private static func write(_ lines: [String], _ folder: URL, _ name: String) throws {
        let text = lines.joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: folder.appending(path: name), options: .atomic)
    }

    private static func assignments(_ solution: MealSolution, _ instance: MealInstance) -> [String] {
        let sorted = solution.assignments.sorted {
            ($0.minute, $0.courier, $0.pickup) < ($1.minute, $1.courier, $1.pickup)
        }
        return ["assignment_time pickup_time courier orders"]
            + sorted.map { assignment in
                let orders = assignment.orders.map { instance.orders[$0].name }.joined(separator: " ")
                let courier = instance.couriers[assignment.courier].name
                return "\(assignment.minute) \(assignment.pickup) \(courier) \(orders)"
            }
    }

    private static func orders(_ solution: MealSolution, _ instance: MealInstance) -> [String] {
        ["order placement_time ready_time pickup_time dropoff_time courier"]
            + solution.deliveries.sorted { $0.key < $1.key }.map { number, delivery in
                let order = instance.orders[number]
                let courier = instance.couriers[delivery.courier].name
                return "\(order.name) \(order.placed) \(order.ready) \(delivery.pickup) \(delivery.dropoff) \(courier)"
            }
    }

    private static func couriers(_ solution: MealSolution, _ instance: MealInstance) -> [String] {
        func name(_ stop: MealSolution.Stop) -> String {
            switch stop {
            case .start: "0"
            case .restaurant(let number): instance.restaurants[number].name
            case .order(let number): instance.orders[number].name
            }
        }
        return ["courier departure_time origin destination"]
            + solution.moves.sorted { $0.key < $1.key }.flatMap { courier, moves in
                moves.map { "\(instance.couriers[courier].name) \($0.departure) \(name($0.from)) \(name($0.to))" }
            }
    }

    // MARK: Reading

    /// Reads what ``write(_:of:into:)`` or another program has written.
    public static func read(_ instance: MealInstance, from folder: URL) throws -> MealSolution {
        let names = Names(instance)
        var solution = MealSolution()
        for row in try rows(folder, "solution_info_assignments.txt", columns: 4) {
            solution.assignments.append(
                .init(
                    minute: try number(row[0]), pickup: try number(row[1]), courier: try names.courier(row[2]),
                    orders: try row.dropFirst(3).map(names.order)))
        }
        for row in try rows(folder, "solution_info_orders.txt", columns: 6) {
            let order = try names.order(row[0])
            guard solution.deliveries[order] == nil else {
                throw MealInstance.Malformed(description: "\(row[0]) is delivered twice")
            }
            solution.deliveries[order] = .init(
                pickup: try number(row[3]), dropoff: try number(row[4]), courier: try names.courier(row[5]))
        }
        for row in try rows(folder, "solution_info_couriers.txt", columns: 4) {
            solution.moves[try names.courier(row[0]), default: []].append(
                .init(departure: try number(row[1]), from: try names.stop(row[2]), to: try names.stop(row[3])))
        }
        return solution
    }

    private static func rows(_ folder: URL, _ file: String, columns: Int) throws -> [[Substring]] {
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        return try text.split(whereSeparator: \.isNewline).dropFirst().map { line in
            let fields = line.split(separator: " ")
            guard fields.count >= columns else {
                throw MealInstance.Malformed(description: "\(file): too short: \(line)")
            }
            return fields
        }
    }

    private static func number(_ field: Substring) throws -> Int {
        guard let number = Int(field) else { throw MealInstance.Malformed(description: "\(field) is no minute") }
        return number
    }

    private struct Names {
        private var couriers: [String: Int] = [:]
        private var orders: [String: Int] = [:]
        private var restaurants: [String: Int] = [:]

        init(_ instance: MealInstance) {
            for (number, courier) in instance.couriers.enumerated() { couriers[courier.name] = number }
            for (number, order) in instance.orders.enumerated() { orders[order.name] = number }
            for (number, restaurant) in instance.restaurants.enumerated() { restaurants[restaurant.name] = number }
        }

        func courier(_ name: Substring) throws -> Int { try found(couriers[String(name)], name) }
        func order(_ name: Substring) throws -> Int { try found(orders[String(name)], name) }

        func stop(_ name: Substring) throws -> MealSolution.Stop {
            if name == "0" { return .start }
            if let number = restaurants[String(name)] { return .restaurant(number) }
            return .order(try order(name))
        }

        private func found(_ number: Int?, _ name: Substring) throws -> Int {
            guard let number else { throw MealInstance.Malformed(description: "nobody knows \(name)") }
            return number
        }
    }
}
