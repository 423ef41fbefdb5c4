import Foundation
import Glibc

/// All figures of a run, as a table and as JSON.
struct Results: Encodable {
    struct Figure: Encodable {
        let name: String
        /// The median of the rounds.
        let value: Double
        let rounds: [Double]
        let conditions: String
    }

    let rounds: Int
    let secondsPerMeasurement: Int
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let loadAverageAtStart = Self.loadAverage
    var loadAverageAtEnd: [Double] = []
    private(set) var figures: [Figure] = []

    init(rounds: Int, secondsPerMeasurement: Int) {
        self.rounds = rounds
        self.secondsPerMeasurement = secondsPerMeasurement
    }

    mutating func add(_ name: String, _ rounds: [Double], _ conditions: String) {
        figures.append(Figure(name: name, value: rounds.median, rounds: rounds, conditions: conditions))
    }

    static var loadAverage: [Double] {
        var averages = [0.0, 0.0, 0.0]
        let count = getloadavg(&averages, 3)
        return Array(averages.prefix(max(0, Int(count))))
    }

    var table: String {
        var lines = ["Medians of \(rounds) rounds of \(secondsPerMeasurement) s on \(cores) cores."]
        if loadAverageAtStart.first ?? 0 > 0.5 {
            lines.append("WARNING: the machine is busy with something else. These figures are not to be relied on.")
        }
        for figure in figures {
            let name = figure.name.padding(toLength: 32, withPad: " ", startingAt: 0)
            lines.append("\(name)\(String(format: "%12.2f", figure.value))   \(figure.conditions)")
        }
        return lines.joined(separator: "\n")
    }

    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try (try encoder.encode(self) + Data("\n".utf8)).write(to: file, options: .atomic)
    }
}

extension [Double] {
    /// The middle, or the mean of the two in the middle; 0 of nothing.
    var median: Double {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }

    /// The smallest value that so many per cent of all do not exceed (nearest rank); 0 of nothing.
    func percentile(_ percent: Double) -> Double {
        guard !isEmpty else { return 0 }
        let rank = Int((percent / 100 * Double(count)).rounded(.up))
        return sorted()[Swift.min(Swift.max(rank, 1), count) - 1]
    }
}
