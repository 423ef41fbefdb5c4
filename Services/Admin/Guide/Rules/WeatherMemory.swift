import Foundation

/// What is known of the weather, and whether the weather service may be asked now: a cache with a circuit breaker. A
/// value type without a clock. It holds at most one report for each city of the list.
struct WeatherMemory: Sendable {
    struct Kept: Sendable, Hashable {
        let report: WeatherReport
        let readAt: Date
    }

    /// A report of this age is answered without asking.
    static let freshSeconds = 600.0
    /// An older one is answered only while the weather service does not answer, and none beyond this age.
    static let keptSeconds = 10_800.0
    /// Failures in a row before it is left in peace.
    static let toleratedFailures = 3
    static let firstPauseSeconds = 15.0
    static let longestPauseSeconds = 240.0

    private var reports: [String: Kept] = [:]
    private var failures = 0
    private var pausedUntil: Date?

    /// The report that needs no question, by city.
    func fresh(_ city: String, at now: Date) -> Kept? { kept(city, at: now, within: Self.freshSeconds) }

    /// The report that is better than none.
    func known(_ city: String, at now: Date) -> Kept? { kept(city, at: now, within: Self.keptSeconds) }

    /// False during the pause after several failures. After it each question is a try: one more failure pauses again.
    func mayAsk(at now: Date) -> Bool { pausedUntil.map { now >= $0 } ?? true }

    mutating func answered(_ city: String, _ report: WeatherReport, at now: Date) {
        reports[city] = Kept(report: report, readAt: now)
        failures = 0
        pausedUntil = nil
    }

    mutating func failed(at now: Date) {
        failures += 1
        let beyond = failures - Self.toleratedFailures
        guard beyond >= 0 else { return }
        // Doubled with each failure; the exponent is bounded, so that the number stays one.
        let pause = Self.firstPauseSeconds * pow(2, Double(min(beyond, 10)))
        pausedUntil = now + min(pause, Self.longestPauseSeconds)
    }

    private func kept(_ city: String, at now: Date, within seconds: Double) -> Kept? {
        reports[city].flatMap { now.timeIntervalSince($0.readAt) < seconds ? $0 : nil }
    }
}
