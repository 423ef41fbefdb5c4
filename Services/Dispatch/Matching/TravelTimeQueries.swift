import Foundation
import Matching

/// Requests a round's travel times in parallel, at most ``limit`` at a time.
struct TravelTimeQueries: Sendable {
    /// Maximum number of concurrent requests.
    static let limit = 32

    let travelTimes: any TravelTimes
    let metresPerMinute: Int

    /// - Returns: for each question, the seconds from each origin.
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
