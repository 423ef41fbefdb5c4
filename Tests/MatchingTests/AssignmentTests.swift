import Matching
import TestKit
import Testing

@Suite("Assignments", .timeLimit(.minutes(15)))
struct AssignmentTests {
    static func table(
        rows: Int, columns: Int, costs: ClosedRange<Int>, forbiddenIn: Int, _ generator: inout SeededGenerator
    ) -> CostTable {
        let without = (0..<rows).map { _ in Int.random(in: costs, using: &generator) * 2 }
        var table = CostTable(columns: columns, without: without)
        for row in 0..<rows {
            for column in 0..<columns where forbiddenIn == 0 || Int.random(in: 0..<forbiddenIn, using: &generator) > 0 {
                table[row, column] = Int.random(in: costs, using: &generator)
            }
        }
        return table
    }

    /// The least cost by trying all.
    static func leastCost(_ table: CostTable, row: Int = 0, taken: Set<Int> = []) -> Int {
        guard row < table.rows else { return 0 }
        var least = table.without(row) + leastCost(table, row: row + 1, taken: taken)
        for column in 0..<table.columns where !taken.contains(column) {
            guard let cost = table[row, column] else { continue }
            least = min(least, cost + leastCost(table, row: row + 1, taken: taken.union([column])))
        }
        return least
    }

    /// What is wrong with an assignment or with the proof that none is cheaper.
    static func faults(of found: Assignment, in table: CostTable) -> [String] {
        var faults: [String] = []
        let given = found.columns.compactMap(\.self)
        if Set(given).count != given.count { faults.append("a column is given twice") }
        var cost = 0
        for row in 0..<table.rows {
            if let column = found.columns[row] {
                if table[row, column] == nil { faults.append("row \(row) has a forbidden column") }
                cost += table[row, column] ?? 0
            } else {
                cost += table.without(row)
            }
            if found.rowPrices[row] > table.without(row) { faults.append("row \(row) has too high a price") }
            for column in 0..<table.columns {
                guard let pair = table[row, column] else { continue }
                if found.rowPrices[row] + found.columnPrices[column] > pair {
                    faults.append("row \(row) and column \(column) have too high prices")
                }
            }
        }
        if found.columnPrices.contains(where: { $0 > 0 }) { faults.append("a column has a positive price") }
        if cost != found.cost { faults.append("costs \(cost), not \(found.cost)") }
        let bound = found.rowPrices.reduce(0, +) + found.columnPrices.reduce(0, +)
        if bound != found.cost { faults.append("costs \(found.cost), and the prices prove only \(bound)") }
        return faults
    }

    @Test("O8: the assignment of a round costs as little as the best of all that are tried, in thousands of small ones")
    func bruteForce() {
        var generator = SeededGenerator()
        for round in 0..<4_000 {
            let table = Self.table(
                rows: .random(in: 0...5, using: &generator), columns: .random(in: 0...5, using: &generator),
                costs: round.isMultiple(of: 2) ? -3...6 : -50...1_000, forbiddenIn: [0, 2, 4][round % 3], &generator)
            let found = Assignment(cheapest: table)
            #expect(found.cost == Self.leastCost(table), "\(generator) round \(round)")
            #expect(Self.faults(of: found, in: table) == [], "\(generator) round \(round)")
        }
    }

    @Test("O8: the assignment of a large round has a proof that none is cheaper", arguments: [(120, 300), (300, 120)])
    func certificate(rows: Int, columns: Int) {
        var generator = SeededGenerator()
        for forbiddenIn in [0, 2] {
            let table = Self.table(
                rows: rows, columns: columns, costs: 0...3_600, forbiddenIn: forbiddenIn, &generator)
            let found = Assignment(cheapest: table)
            #expect(Self.faults(of: found, in: table) == [], "\(generator)")
        }
    }

    @Test("a proof for another assignment is found out")
    func falseProof() {
        var table = CostTable(columns: 2, without: [100, 100])
        table[0, 0] = 1
        table[1, 1] = 1
        let found = Assignment(cheapest: table)
        table[0, 1] = -5
        #expect(Self.faults(of: found, in: table).contains("row 0 and column 1 have too high prices"))
    }

    @Test("a row whose every column is dearer than none goes without")
    func without() {
        var table = CostTable(columns: 1, without: [10, 10])
        table[0, 0] = 11
        table[1, 0] = 9
        #expect(Assignment(cheapest: table).columns == [nil, 0])
        table[0, 0] = 8
        #expect(Assignment(cheapest: table).columns == [0, nil])
    }
}
