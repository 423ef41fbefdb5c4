import Foundation
import Matching

/// Asks for a round's travel times: all at once, as far as that is polite; none depends on another.
struct AskWays: Sendable {
    /// Asked for at once.
    static let limit = 32

    let travelTimes: any TravelTimes
    let metresPerMinute: Int

    /// - Returns: the seconds from each origin, of each question.
    func callAsFunction(_ questions: [(origins: [GeoPoint], destination: GeoPoint)]) async throws -> [[Int?]] {
        try await withThrowingTaskGroup(of: (Int, [Int?]).self) { group in
            var answers = [[Int?]](repeating: [], count: questions.count)
            var next = 0
            func askNext() {
                while next < questions.count, questions[next].origins.isEmpty { next += 1 }
                guard next < questions.count else { return }
                let (number, question) = (next, questions[next])
                next += 1
                group.addTask {
                    let ways = try await travelTimes.estimates(
                        from: question.origins, to: question.destination, metresPerMinute: metresPerMinute)
                    return (number, ways.map(\.seconds))
                }
            }
            for _ in 0..<Self.limit { askNext() }
            while let (number, seconds) = try await group.next() {
                answers[number] = seconds
                askNext()
            }
            return answers
        }
    }
}
