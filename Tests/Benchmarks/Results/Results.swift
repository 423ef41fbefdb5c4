public import Foundation
import Glibc

/// All figures of a run, as a table and as JSON.
public struct Results: Encodable {
    public struct Figure: Encodable {
        let name: String
        /// The median of the rounds.
        let value: Double
        let rounds: [Double]
        let conditions: String
    }

    public let rounds: Int
    /// Nil where a measurement lasts as long as its work.
    public let secondsPerMeasurement: Int?
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let loadAverageAtStart = Self.loadAverage
    var loadAverageAtEnd: [Double] = []
    public private(set) var figures: [Figure] = []

    public init(rounds: Int, secondsPerMeasurement: Int? = nil) {
        self.rounds = rounds
        self.secondsPerMeasurement = secondsPerMeasurement
    }

    public mutating func add(_ name: String, _ rounds: [Double], _ conditions: String) {
        figures.append(Figure(name: name, value: rounds.median, rounds: rounds, conditions: conditions))
        Progress.tell("\(name): \(rounds.median)")
    }

    /// Everything was measured.
    public mutating func end() { loadAverageAtEnd = Self.loadAverage }

    private static var loadAverage: [Double] {
        var averages = [0.0, 0.0, 0.0]
        let count = getloadavg(&averages, 3)
        return Array(averages.prefix(max(0, Int(count))))
    }

    public var table: String {
        let seconds = secondsPerMeasurement.map { " of \($0) s" } ?? ""
        let load = loadAverageAtStart.first ?? 0
        var lines = ["Medians of \(rounds) rounds\(seconds) on \(cores) cores; load \(load) at the start."]
        if load > 0.5 {
            lines.append("WARNING: the machine is busy with something else. These figures are not to be relied on.")
        }
        for figure in figures {
            let name = figure.name.padding(toLength: 32, withPad: " ", startingAt: 0)
            lines.append("\(name)\(String(format: "%12.3f", figure.value))   \(figure.conditions)")
        }
        return lines.joined(separator: "\n")
    }

    public func write(to file: URL) throws { try Self.write(self, to: file) }

    /// Writes figures with what else a run has found.
    public static func write(_ value: some Encodable, to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try (try encoder.encode(value) + Data("\n".utf8)).write(to: file, options: .atomic)
    }
}

/// What is going on, on standard error: standard output is the report.
public enum Progress {
    public static func tell(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}

extension [Double] {
    /// The middle, or the mean of the two in the middle; 0 of nothing.
    public var median: Double {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }

    /// The smallest value that so many per cent of all do not exceed (nearest rank); 0 of nothing.
    public func percentile(_ percent: Double) -> Double {
        guard !isEmpty else { return 0 }
        let rank = Int((percent / 100 * Double(count)).rounded(.up))
        return sorted()[Swift.min(Swift.max(rank, 1), count) - 1]
    }

    public var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }
}

extension Duration {
    public var microseconds: Double {
        Double(components.seconds) * 1e6 + Double(components.attoseconds) / 1e12
    }
}
