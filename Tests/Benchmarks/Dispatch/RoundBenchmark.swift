import BenchResults
import Foundation
import Matching

/// How long a round takes, and how far its assignment is from the best.
enum RoundBenchmark {
    private static let orders = 200
    private static let providers = 1_000
    private static let perRound = 40

    static func measure(rounds: Int, into results: inout Results) throws {
        var p99: [Double] = []
        var gap = 0
        for number in 0..<rounds {
            var times: [Double] = []
            for turn in 0..<perRound {
                let (orders, providers) = sample(seed: UInt64(number * perRound + turn))
                var settings = RoundSettings()
                // All are weighed for all.
                settings.radiiMetres = [30_000]
                settings.candidatesPerOrder = Self.providers
                var decisions: RoundDecisions?
                var questions: [[Int?]] = []
                let clock = ContinuousClock()
                var round: Round?
                let before = clock.measure {
                    round = Round(now: 10_000, orders: orders, providers: providers, settings: settings)
                }
                guard let round else { continue }
                questions = round.questions.map { question in
                    question.origins.map { Int($0.metres(to: question.destination) * 1.3 / 8) }
                }
                let after = clock.measure { decisions = round.decide(questions) }
                times.append((before + after).microseconds / 1_000)
                if let decisions { gap += try Self.gap(decisions) }
            }
            p99.append(times.percentile(99))
        }
        results.add(
            "round_ms_p99", p99, "ms, 200 orders, 1 000 providers, every pair weighed, without the travel times")
        results.add("assignment_gap", [Double(gap)], "cost over the proven optimum, of \(rounds * perRound) rounds")
    }

    /// What the assignment costs more than its own prices prove to be the least.
    private static func gap(_ decisions: RoundDecisions) throws -> Int {
        let (found, costs) = (decisions.assignment, decisions.costs)
        for row in 0..<costs.rows {
            guard found.rowPrices[row] <= costs.without(row) else { throw wrong }
            for column in 0..<costs.columns {
                guard let cost = costs[row, column] else { continue }
                guard found.rowPrices[row] + found.columnPrices[column] <= cost else { throw wrong }
            }
        }
        guard found.columnPrices.allSatisfy({ $0 <= 0 }) else { throw wrong }
        return found.cost - found.rowPrices.reduce(0, +) - found.columnPrices.reduce(0, +)
    }

    private static let wrong = BenchmarkError(description: "the prices of an assignment prove nothing")

    private static func sample(seed: UInt64) -> ([RoundOrder], [RoundProvider]) {
        var random = SeededNumbers(seed: seed)
        func point() -> GeoPoint {
            GeoPoint(
                latitude: .random(in: -32.04 ... -31.86, using: &random),
                longitude: .random(in: 115.76...115.96, using: &random))
        }
        func id() -> UUID {
            let (high, low) = (random.next(), random.next())
            return withUnsafeBytes(of: (high, low)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        }
        let orders = (0..<orders).map { _ in
            RoundOrder(
                id: id(), customer: id(), place: point(), kind: "ride",
                requestedAt: 10_000 - .random(in: 0...200, using: &random))
        }
        let providers = (0..<providers).map { _ in
            RoundProvider(
                id: id(), place: point(), placeAt: 9_990, kinds: ["ride"],
                waitingSince: 10_000 - .random(in: 0...3_600, using: &random),
                rating: .random(in: 300...500, using: &random))
        }
        return (orders, providers)
    }
}
