/// What somebody may want in the mixed simulation. Pure.
enum Wish: String, CaseIterable, Codable, Sendable {
    /// A nurse at home, in Riyadh.
    case visit
    /// In Perth.
    case ride, meal, hire
    /// Across Gothenburg, with a deposit.
    case parcel
    /// A care partner whom the desk sends, in Regina; and visits that come again.
    case care, series
    /// Friends in Makkah who show each other where they are. No order and no money.
    case friends

    /// Of a hundred wishes so many are of this kind.
    var share: Int {
        switch self {
        case .visit: 30
        case .ride: 26
        case .meal: 10
        case .hire: 8
        case .parcel: 10
        case .care: 9
        case .series: 2
        case .friends: 5
        }
    }

    /// The wish of a number: the same for the same seed.
    static func of(_ number: Int, seed: UInt64) -> Wish {
        var generator = SplitMix(seed: seed, "wish", number)
        var left = Int.random(in: 0..<allCases.map(\.share).reduce(0, +), using: &generator)
        for wish in allCases {
            if left < wish.share { return wish }
            left -= wish.share
        }
        return .visit
    }

    /// How many people are needed for this kind when so many are for all of them.
    func people(of all: Int, atLeast least: Int) -> Int { max(least, (all * share + 99) / 100) }
}
