/// The pause of a delivery after a failed try.
enum DeliveryPlan {
    static let longestPauseSeconds: Double = 300

    /// - Parameter tries: the number of tries so far, from 1.
    static func pauseSeconds(afterTries tries: Int) -> Double {
        min(Double(1 << min(max(tries, 1) - 1, 20)), longestPauseSeconds)
    }
}
