import Foundation

/// All figures of a run, as a table and as JSON.
struct Report: Encodable {
    let roundCount: Int
    let secondsPerMeasurement: Int
    var machine: Machine
    var figures: [Figure] = []

    init(settings: Settings, machine: Machine) {
        roundCount = settings.rounds
        secondsPerMeasurement = settings.seconds
        self.machine = machine
    }

    var head: String {
        var lines = [
            "The ground's figures: medians of \(roundCount) rounds of \(secondsPerMeasurement) s, measured in turn.",
            "\(machine.cores) cores, \(machine.processor); \(machine.system).",
            machine.versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ") + ".",
            "Nothing else may run meanwhile. Load average at the start: \(Self.load(machine.loadAverageAtStart)).",
        ]
        if machine.loadAverageAtStart.first ?? 0 > 0.5 {
            lines.append("WARNING: the machine is busy with something else. These figures are not to be relied on.")
        }
        if roundCount < 3 { lines.append("WARNING: fewer than 3 rounds make no median.") }
        return lines.joined(separator: "\n")
    }

    var table: String {
        var lines = [""]
        for figure in figures {
            let value = String(format: "%.2f", figure.value)
            let verdict = figure.isMet ? "met" : "MISSED"
            lines.append("\(Self.left(figure.name, 26))\(Self.right(value, 8))   goal \(figure.goal.text), \(verdict)")
            lines.append("    \(figure.conditions)")
            for series in figure.series {
                let rate = Self.right(Self.grouped(series.perSecond.median), 9)
                let cpu = Self.right(String(format: "%.1f", series.clientCPUMicroseconds.median), 6)
                lines.append("    \(rate) \(series.unit)/s, \(cpu) µs of client CPU each: \(series.name)")
            }
            for note in figure.notes { lines.append("    \(note)") }
        }
        lines.append("Load average at the end, from the benchmarks themselves: \(Self.load(machine.loadAverageAtEnd)).")
        return lines.joined(separator: "\n")
    }

    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try (try encoder.encode(self) + Data("\n".utf8)).write(to: file, options: .atomic)
    }

    // MARK: Text

    /// 12 345.
    static func grouped(_ value: Double) -> String {
        var digits = String(Int(value.rounded()))
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return ([digits] + groups).joined(separator: " ")
    }

    static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func load(_ averages: [Double]) -> String {
        averages.map { String(format: "%.2f", $0) }.joined(separator: " ")
    }
}
