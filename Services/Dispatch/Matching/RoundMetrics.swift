import Metrics

enum RoundMetrics {
    private static let rounds = Counter(label: "rounds_total")
    private static let offered = Counter(label: "rounds_offered_total")
    private static let duration = Timer(label: "rounds_seconds")

    static func ran(_ outcome: RunRound.Outcome, took duration: Duration) {
        rounds.increment()
        offered.increment(by: Int64(outcome.offered))
        Self.duration.recordNanoseconds(Int64(duration / .nanoseconds(1)))
    }
}
