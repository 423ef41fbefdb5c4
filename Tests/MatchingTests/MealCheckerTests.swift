import Foundation
import MealDelivery
import TestKit
import Testing

/// The checker finds each fault that it is there to find.
@Suite("The checker of meal deliveries", .timeLimit(.minutes(15)))
struct MealCheckerTests {
    private let instance = SampleMeals.instance(
        orders: [(800, 0, 0, 30), (900, 5, 0, 30)], restaurants: [500, 4_000], couriers: [(0, 0, 200), (0, 0, 29)])

    /// Both orders in one trip: there at 28, picked up at 30, dropped at 37 and 42.
    private var solution: MealSolution {
        var solution = MealSolution()
        solution.move(0, at: 23, from: .start, to: .restaurant(0))
        _ = solution.carry([0, 1], by: 0, assigned: 20, pickup: 30, in: instance)
        return solution
    }

    @Test("a solution that keeps the rules has no faults")
    func good() {
        #expect(MealChecker.violations(of: solution, in: instance) == [])
        #expect(solution.deliveries.mapValues(\.dropoff) == [0: 37, 1: 42])
    }

    /// A change that breaks a rule, and what the checker says of it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let text: String
        let change: @Sendable (inout MealSolution) -> Void

        init(_ text: String, _ change: @escaping @Sendable (inout MealSolution) -> Void) {
            self.text = text
            self.change = change
        }

        var testDescription: String { text }
    }

    static let faults = [
        Fault("before it was placed") { $0.assignments[0].minute = 4 },
        Fault("before it was assigned") { $0.assignments[0].minute = 31 },
        Fault("before it was ready") { $0.assignments[0].pickup = 29 },
        Fault("after the shift") { $0.assignments[0].courier = 1 },
        Fault("assigned twice") { $0.assignments.append($0.assignments[0]) },
        Fault("not delivered") { $0.deliveries[1] = nil },
        Fault("delivered by another") { $0.deliveries[1]?.courier = 1 },
        Fault("which is not the next") { $0.assignments[0].orders.reverse() },
        Fault("o1 at 36, there at 35") { $0.deliveries[0]?.dropoff = 36 },
        Fault("o2 at 40, there at 40") { $0.deliveries[1]?.dropoff = 40 },
        Fault("but is at") { $0.moves[0]?[1].from = .restaurant(1) },
        Fault("leaves restaurant(0) at 31") { $0.moves[0]?[1].departure = 31 },
        Fault("there at 29") { $0.moves[0]?[0].departure = 24 },
        Fault("still carries") { $0.moves[0]?.removeLast() },
        Fault("without a move") { $0.moves[0] = nil },
    ]

    @Test("each fault is found", arguments: faults)
    func faultIsFound(fault: Fault) {
        var changed = solution
        fault.change(&changed)
        let found = MealChecker.violations(of: changed, in: instance)
        #expect(found.contains { $0.contains(fault.text) }, "\(found)")
    }

    @Test("a solution is the same after it was written and read")
    func files() throws {
        var generator = SeededGenerator()
        let instance = SampleMeals.random(orders: 40, couriers: 10, &generator)
        let solution = MealSimulation.run(instance)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }  // Left over, it harms nobody.
        try MealFiles.write(solution, of: instance, into: folder)
        let read = try MealFiles.read(instance, from: folder)
        #expect(MealChecker.violations(of: read, in: instance) == [], "\(generator)")
        #expect(read.deliveries.mapValues(\.dropoff) == solution.deliveries.mapValues(\.dropoff), "\(generator)")
        let assignments = try String(
            contentsOf: folder.appending(path: "solution_info_assignments.txt"), encoding: .utf8)
        #expect(assignments.split(separator: "\n").count == solution.assignments.count + 1)
    }
}
