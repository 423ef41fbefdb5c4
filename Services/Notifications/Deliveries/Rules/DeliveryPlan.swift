/// The pause of a delivery after a failed try.
enum DeliveryPlan {
    static let longestPauseSeconds: Double = 300

    /// 1, 2, 4, … seconds. A quarter of it is left to chance, so that what failed together does not come again together.
    ///
    /// - Parameters:
    ///   - tries: the number of tries so far, from 1.
    ///   - chance: 0..<1.
    ///   - longest: in seconds.
    static func pauseSeconds(
        afterTries tries: Int, chance: Double, longest: Double = longestPauseSeconds
    ) -> Double {
        min(Double(1 << min(max(tries, 1) - 1, 20)), longest) * (1 - chance / 4)
    }
}
