import BenchResults
import Foundation
import MealDelivery

/// The food policy on every instance below a folder, beside the nearest courier for each order.
enum MealBenchmark {
    struct Line: Encodable {
        let instance: String
        let planned: MealMeasures
        let nearest: MealMeasures
        /// Of those not delivered, or late: some policy could have.
        let missed: Int
        let seconds: Double
    }

    struct Report: Encodable {
        let instances: [Line]
        let meanRatio: Double
        let nearestMeanRatio: Double
        let missed: Int
        let betterOnEvery: Bool
    }

    static func run(instances: URL, out: URL) throws -> Report {
        let folders = MealInstance.folders(below: instances)
        guard !folders.isEmpty else {
            throw BenchmarkError(description: "there is no instance below \(instances.path())")
        }
        let lines = try folders.map { try line(try MealInstance(folder: $0), out: out) }
        let ours = lines.map(\.planned.ratio)
        return Report(
            instances: lines, meanRatio: ours.mean, nearestMeanRatio: lines.map(\.nearest.ratio).mean,
            missed: lines.map(\.missed).reduce(0, +),
            betterOnEvery: lines.allSatisfy {
                $0.planned.ratio < $0.nearest.ratio && $0.planned.delivered >= $0.nearest.delivered
            })
    }

    private static func line(_ instance: MealInstance, out: URL) throws -> Line {
        let nearest = NearestCourier.run(instance)
        var solution = MealSolution()
        let took = ContinuousClock().measure { solution = MealSimulation.run(instance) }
        // What is judged is what was written.
        let folder = out.appending(path: instance.name)
        try MealFiles.write(solution, of: instance, into: folder)
        let written = try MealFiles.read(instance, from: folder)
        for (name, checked) in [("policy", written), ("nearest courier", nearest)] {
            let violations = MealChecker.violations(of: checked, in: instance)
            guard violations.isEmpty else {
                throw BenchmarkError(description: "\(instance.name), \(name): \(violations.joined(separator: "; "))")
            }
        }
        let missed = instance.orders.indices.count {
            written.deliveries[$0] == nil && instance.isDeliverable(instance.orders[$0])
        }
        let line = Line(
            instance: instance.name, planned: MealMeasures(written, of: instance),
            nearest: MealMeasures(nearest, of: instance), missed: missed, seconds: took.microseconds / 1e6)
        Progress.tell("\(instance.name): \(line.planned.ratio)")
        return line
    }
}

/// The report as a table.
enum MealTable {
    static func text(_ report: MealBenchmark.Report) -> String {
        var lines = [
            "instance            policy   delivered  missed  late  click-to-door  p90   to pickup  to door"
                + "   ratio  in bundles"
        ]
        for line in report.instances {
            lines.append(row(line.instance, "rounds", line.planned, missed: "\(line.missed)"))
            lines.append(row("", "nearest", line.nearest, missed: ""))
        }
        let sum = String(
            format:
                "mean ratio to the bound: %.4f, nearest courier: %.4f; orders missed that any policy could deliver: %d",
            report.meanRatio, report.nearestMeanRatio, report.missed)
        lines.append(sum + (report.betterOnEvery ? "; better on every instance" : "; NOT better on every instance"))
        return lines.joined(separator: "\n")
    }

    private static func row(_ name: String, _ policy: String, _ measures: MealMeasures, missed: String) -> String {
        func left(_ text: String, _ width: Int) -> String {
            text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
        }
        func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        return left(name, 20) + left(policy, 8) + right("\(measures.delivered)/\(measures.orders)", 10)
            + right(missed, 8) + right("\(measures.late)", 6)
            + right(String(format: "%.2f", measures.meanClickToDoor), 15)
            + right(String(format: "%.0f", measures.p90ClickToDoor), 5)
            + right(String(format: "%.2f", measures.meanReadyToPickup), 12)
            + right(String(format: "%.2f", measures.meanReadyToDoor), 9)
            + right(String(format: "%.4f", measures.ratio), 8) + right("\(measures.bundled)", 12)
    }
}
