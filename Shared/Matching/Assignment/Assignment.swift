/// The cheapest assignment of rows to columns, with at most one column for each row and one row for each column, and
/// the proof that no assignment is cheaper.
///
/// Rows are added one after another, each along a shortest augmenting path over reduced costs (Jonker and Volgenant
/// 1987, after Kuhn's Hungarian method). At most rows² × columns steps. Integers, so the result is exact. Among equally
/// cheap assignments the result depends only on the numbering.
public struct Assignment: Sendable {
    /// The column of each row; nil for a row without one.
    public private(set) var columns: [Int?]
    /// The dual solution: `rowPrices[r] + columnPrices[c] <= cost(r, c)` for every pair, `rowPrices[r] <= without(r)`,
    /// and no column price is positive. So no assignment costs less than the sum of all prices, which is the cost of
    /// this one.
    public private(set) var rowPrices: [Int]
    public private(set) var columnPrices: [Int]
    public private(set) var cost = 0

    private var rowOfColumn: [Int]

    private static let none = -1

    public init(cheapest table: CostTable) {
        columns = [Int?](repeating: nil, count: table.rows)
        rowPrices = [Int](repeating: 0, count: table.rows)
        columnPrices = [Int](repeating: 0, count: table.columns)
        rowOfColumn = [Int](repeating: Self.none, count: table.columns)
        var search = Search(columns: table.columns)
        for row in 0..<table.rows { add(row, table, &search) }
        for row in 0..<table.rows {
            let taken = columns[row].flatMap { table[row, $0] }
            cost += taken ?? table.without(row)
        }
    }

    /// The arrays of one search, reused for each row.
    private struct Search {
        /// The length of the shortest path to each column.
        var distance: [Int]
        /// The row before each column on that path.
        var before: [Int]
        var isDone: [Bool]
        /// Columns whose shortest path is known, in the order in which it was found.
        var done: [Int] = []

        init(columns: Int) {
            distance = [Int](repeating: .max, count: columns)
            before = [Int](repeating: none, count: columns)
            isDone = [Bool](repeating: false, count: columns)
        }

        mutating func begin() {
            for column in distance.indices {
                distance[column] = .max
                isDone[column] = false
            }
            done.removeAll(keepingCapacity: true)
        }
    }

    /// The end of a path: a free column, or a row that has no column from now on.
    private enum End {
        case column(Int)
        case row(Int)
    }

    private mutating func add(_ row: Int, _ table: CostTable, _ search: inout Search) {
        search.begin()
        var current = row
        // The length of the shortest path to the current row.
        var reached = 0
        var shortestWithout = (length: Int.max, row: row)
        var end: End?
        var length = 0
        while end == nil {
            let without = reached + table.without(current) - rowPrices[current]
            if without < shortestWithout.length { shortestWithout = (without, current) }
            let next = relax(from: current, reached, table, &search)
            if let next, search.distance[next] < shortestWithout.length {
                length = search.distance[next]
                search.isDone[next] = true
                if rowOfColumn[next] == Self.none {
                    end = .column(next)
                } else {
                    search.done.append(next)
                    current = rowOfColumn[next]
                    reached = length
                }
            } else {
                length = shortestWithout.length
                end = .row(shortestWithout.row)
            }
        }
        updatePrices(row, length, search)
        if let end { follow(end, from: row, search) }
    }

    /// Relaxes all columns from a row.
    /// - Returns: the nearest column that is not done.
    private func relax(from row: Int, _ reached: Int, _ table: CostTable, _ search: inout Search) -> Int? {
        let base = reached - rowPrices[row]
        let nearest = table.withRow(row) { costs in
            Self.relax(row, base, costs, columnPrices, search.isDone, &search.distance, &search.before)
        }
        return nearest == Self.none ? nil : nearest
    }

    private static func relax(
        _ row: Int, _ base: Int, _ costs: UnsafeBufferPointer<Int>, _ prices: [Int], _ isDone: [Bool],
        _ distance: inout [Int], _ before: inout [Int]
    ) -> Int {
        var nearest = none
        var least = Int.max
        // Without bounds checks: all arrays have one element for each column, and this loop takes almost all the time.
        prices.withUnsafeBufferPointer { prices in
            isDone.withUnsafeBufferPointer { isDone in
                distance.withUnsafeMutableBufferPointer { distance in
                    for column in 0..<costs.count where !isDone[column] {
                        let cost = costs[column]
                        if cost != .max {
                            let found = base + cost - prices[column]
                            if found < distance[column] {
                                distance[column] = found
                                before[column] = row
                            }
                        }
                        if distance[column] < least {
                            least = distance[column]
                            nearest = column
                        }
                    }
                }
            }
        }
        return nearest
    }

    /// Keeps every reduced cost at least 0, and those on the path at 0.
    private mutating func updatePrices(_ row: Int, _ length: Int, _ search: Search) {
        rowPrices[row] += length
        for column in search.done {
            let slack = length - search.distance[column]
            rowPrices[rowOfColumn[column]] += slack
            columnPrices[column] -= slack
        }
    }

    private mutating func follow(_ end: End, from start: Int, _ search: Search) {
        var column: Int
        switch end {
        case .column(let free): column = free
        case .row(let row):
            guard row != start, let given = columns[row] else { return }
            columns[row] = nil
            column = given
        }
        while true {
            let row = search.before[column]
            let next = columns[row]
            columns[row] = column
            rowOfColumn[column] = row
            guard row != start, let next else { return }
            column = next
        }
    }
}
