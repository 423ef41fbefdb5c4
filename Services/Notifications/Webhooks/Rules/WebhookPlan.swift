import Foundation

/// When a webhook is tried again, and when an endpoint is given up.
enum WebhookPlan {
    /// Pauses after each failed try, in seconds: at once, then growing, for three days in all.
    static let pauses: [Double] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    /// An endpoint that has taken nothing for so long is switched off.
    static let givenUpSeconds: Double = 3 * 86_400
    /// The longest pause that an endpoint may ask for with `Retry-After`.
    static let longestAskedSeconds: Double = 86_400

    enum Outcome: Sendable, Equatable {
        case taken
        /// 410: the endpoint wants nothing any more.
        case gone
        case failed(retryAfterSeconds: Double?)
    }

    /// - Parameter retryAfter: the header's value, in seconds; dates are ignored.
    static func outcome(ofStatus status: UInt, retryAfter: String?) -> Outcome {
        switch status {
        case 200..<300: .taken
        case 410: .gone
        default: .failed(retryAfterSeconds: retryAfter.flatMap { Double($0) }.flatMap { $0 >= 0 ? $0 : nil })
        }
    }

    /// The pause before the next try; nil after the last one. A tenth is left to chance, so that what failed together does
    /// not come again together.
    ///
    /// - Parameters:
    ///   - tries: with the one that has just failed.
    ///   - chance: 0..<1.
    static func pause(afterTries tries: Int, askedFor asked: Double?, chance: Double) -> Double? {
        guard tries >= 1, tries <= pauses.count else { return nil }
        let pause = pauses[tries - 1] * (1 + chance / 10)
        return max(pause, min(asked ?? 0, longestAskedSeconds))
    }
}
