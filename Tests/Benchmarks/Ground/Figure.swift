/// A measured number and what it has to be.
struct Figure: Encodable, Sendable {
    enum Goal: Sendable {
        case atLeast(Double)
        case atMost(Double)
    }

    let name: String
    let goal: Goal
    /// One value a round; the figure is their median.
    let rounds: [Double]
    /// What is compared: sizes, windows, number of clients.
    let conditions: String
    /// What the figure is made of.
    let series: [Series]
    let notes: [String]

    init(
        _ name: String, _ goal: Goal, rounds: [Double], conditions: String, series: [Series], notes: [String] = []
    ) {
        self.name = name
        self.goal = goal
        self.rounds = rounds
        self.conditions = conditions
        self.series = series
        self.notes = notes
    }

    var value: Double { rounds.median }

    var isMet: Bool {
        switch goal {
        case .atLeast(let bound): value >= bound
        case .atMost(let bound): value <= bound
        }
    }

    private enum CodingKeys: String, CodingKey {
        case name, value, goal, isMet, rounds, conditions, series, notes
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encode(goal.text, forKey: .goal)
        try container.encode(isMet, forKey: .isMet)
        try container.encode(rounds, forKey: .rounds)
        try container.encode(conditions, forKey: .conditions)
        try container.encode(series, forKey: .series)
        try container.encode(notes, forKey: .notes)
    }
}

extension Figure.Goal {
    var text: String {
        switch self {
        case .atLeast(let bound): ">= \(bound)"
        case .atMost(let bound): "<= \(bound)"
        }
    }
}

extension Array where Element: BinaryFloatingPoint {
    /// The middle, or the mean of the two in the middle; 0 of nothing.
    var median: Element {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }

    /// The smallest value that so many per cent of all do not exceed (nearest rank); 0 of nothing.
    func percentile(_ percent: Double) -> Element {
        guard !isEmpty else { return 0 }
        let rank = Int((percent / 100 * Double(count)).rounded(.up))
        return sorted()[Swift.min(Swift.max(rank, 1), count) - 1]
    }
}
