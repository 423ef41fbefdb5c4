import BenchResults
import Foundation

/// How much sooner customers are picked up with rounds than when each takes the nearest driver, on real orders.
enum PickupBenchmark {
    /// Seconds between two rounds, as a worker runs them.
    private static let roundSeconds = 5

    static func measure(_ file: URL, into results: inout Results) throws {
        let records = try PickupRecords(file, hours: 2)
        // Drivers for so much of the work that the rides and the ways to them are.
        for (name, share) in [("pickup_gain", 0.8), ("pickup_gain_ample", 1.5)] {
            var nearest = 0.0
            var rounds = 0.0
            var drivers: [Int] = []
            for pickups in records.busiest {
                let work = PickupSimulation(pickups, drivers: 1).work
                let count = Int(Double(work) / 3_600 * share)
                let simulation = PickupSimulation(pickups, drivers: count)
                let weight = Double(pickups.count)
                nearest += simulation.meanPickup(every: 1, PickupSimulation.nearestFirst) * weight
                rounds += simulation.meanPickup(every: roundSeconds, PickupSimulation.rounds) * weight
                drivers.append(count)
            }
            let orders = Double(records.busiest.map(\.count).reduce(0, +))
            results.add(
                name, [(1 - rounds / nearest) * 100],
                "% sooner, mean \(Int(rounds / orders)) s against \(Int(nearest / orders)) s to pickup, "
                    + "two busiest hours (\(Int(orders)) orders), \(drivers) drivers")
        }
    }
}
