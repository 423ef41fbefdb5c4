public import Foundation

/// A figure that is worse than in the last recorded run. Pure, but for ``figures(of:)``.
public struct Comparison: Sendable, Equatable {
    public struct Change: Sendable, Equatable {
        public let name: String
        public let before: Double
        public let now: Double
        /// By how much it has changed, as a part of what it was.
        public var part: Double { before == 0 ? 0 : (now - before) / abs(before) }
    }

    /// In both runs, by their names.
    public let changes: [Change]
    /// What may be noise.
    let tolerance: Double

    /// - Parameter tolerance: the part by which a figure may be worse; the host's speed changes from minute to minute.
    public init(before: [String: Double], now: [String: Double], tolerance: Double = 0.15) {
        self.tolerance = tolerance
        changes = now.compactMap { name, value in
            before[name].map { Change(name: name, before: $0, now: value) }
        }.sorted { $0.name < $1.name }
    }

    /// Whether more of it is better. What is counted a second, and ratios to another program, are; what takes time, memory or
    /// bytes is not. Nil for what is neither, such as how often something was measured.
    public static func isMoreBetter(_ name: String) -> Bool? {
        let name = name.lowercased()
        if name.hasSuffix("_per_second") || name.hasSuffix("_per_s") || name.hasSuffix("_ratio") { return true }
        let costs = ["_ms", "_us", "_ns", "_mb", "_kb", "_s", "_bytes", "_p50", "_p95", "_p99", ".p50", ".p95", ".p99"]
        return costs.contains { name.hasSuffix($0) || name.contains("\($0)_") || name.contains("\($0).") } ? false : nil
    }

    /// Those that are worse by more than the tolerance, the worst first.
    public var regressions: [Change] {
        changes.filter { change in
            guard let isMoreBetter = Self.isMoreBetter(change.name) else { return false }
            return (isMoreBetter ? -change.part : change.part) > tolerance
        }.sorted { abs($0.part) > abs($1.part) }
    }

    /// The numbers of a file of figures: of `Results` each figure by its name, of another one each number by its path.
    public static func figures(of file: URL) throws -> [String: Double] {
        numbers(try JSONSerialization.jsonObject(with: try Data(contentsOf: file)))
    }

    static func numbers(_ value: Any) -> [String: Double] {
        guard let object = value as? [String: Any] else { return [:] }
        if let figures = object["figures"] as? [[String: Any]] {
            let pairs = figures.compactMap { figure -> (String, Double)? in
                guard let name = figure["name"] as? String, let number = figure["value"] as? NSNumber else {
                    return nil
                }
                return (name, number.doubleValue)
            }
            return Dictionary(pairs) { $1 }
        }
        var found: [String: Double] = [:]
        for (name, value) in object {
            if let number = value as? NSNumber {
                found[name] = number.doubleValue
            } else {
                for (inner, number) in numbers(value) { found["\(name).\(inner)"] = number }
            }
        }
        return found
    }
}
