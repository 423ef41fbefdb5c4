/// The cost of giving each row (an order) each column (a provider), and of leaving a row without one.
public struct CostTable: Sendable {
    public let rows: Int
    public let columns: Int
    /// Row by row.
    private var costs: [Int]
    private var withoutCosts: [Int]

    /// Marks a forbidden pair; more than any cost.
    private static let forbidden = Int.max

    /// Every pair is forbidden until it gets a cost.
    /// - Parameter without: the cost of each row without a column.
    public init(columns: Int, without: [Int]) {
        rows = without.count
        self.columns = columns
        costs = [Int](repeating: Self.forbidden, count: rows * columns)
        withoutCosts = without
    }

    /// Nil for a forbidden pair. Costs may be negative; their absolute values should stay below 2^40, so that sums
    /// cannot overflow.
    public subscript(row: Int, column: Int) -> Int? {
        get {
            let cost = costs[row * columns + column]
            return cost == Self.forbidden ? nil : cost
        }
        set { costs[row * columns + column] = newValue ?? Self.forbidden }
    }

    public func without(_ row: Int) -> Int { withoutCosts[row] }

    /// Calls `body` with the costs of a row; a forbidden pair has the largest integer.
    func withRow<Result>(_ row: Int, _ body: (UnsafeBufferPointer<Int>) -> Result) -> Result {
        costs.withUnsafeBufferPointer { all in
            body(UnsafeBufferPointer(rebasing: all[row * columns..<(row + 1) * columns]))
        }
    }
}
