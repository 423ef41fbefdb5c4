/// What it costs to give each row (an order) each column (a provider), and what it costs to leave a row without.
public struct CostTable: Sendable {
    public let rows: Int
    public let columns: Int
    /// Row after row.
    private var costs: [Int]
    private var withoutCosts: [Int]

    /// More than any cost may be; a pair that may not be.
    private static let forbidden = Int.max

    /// Every pair is forbidden until it has a cost.
    /// - Parameter without: of each row, what it costs to give it nothing.
    public init(columns: Int, without: [Int]) {
        rows = without.count
        self.columns = columns
        costs = [Int](repeating: Self.forbidden, count: rows * columns)
        withoutCosts = without
    }

    /// Nil: the pair may not be. Costs may be negative; their amounts should stay below 2^40, so that sums cannot
    /// overflow.
    public subscript(row: Int, column: Int) -> Int? {
        get {
            let cost = costs[row * columns + column]
            return cost == Self.forbidden ? nil : cost
        }
        set { costs[row * columns + column] = newValue ?? Self.forbidden }
    }

    public func without(_ row: Int) -> Int { withoutCosts[row] }

    /// Calls with each allowed pair of a row.
    func withRow<Result>(_ row: Int, _ body: (UnsafeBufferPointer<Int>) -> Result) -> Result {
        costs.withUnsafeBufferPointer { all in
            body(UnsafeBufferPointer(rebasing: all[row * columns..<(row + 1) * columns]))
        }
    }
}
