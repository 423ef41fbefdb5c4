import Foundation

/// What is done with a push message whose turn has come.
struct PushPlan: Sendable {
    enum Step: Sendable, Equatable {
        case send
        /// It is read already.
        case drop
        /// It is of no use any more.
        case giveUp
        case hold(until: Date)
        /// One message for it and those of its kind that wait behind it.
        case digest
    }

    /// So many of one kind are sent within ``stormSeconds``, one by one; what comes then waits and becomes one.
    static let stormCount = 3
    static let stormSeconds: Double = 600
    /// The longest pause after a failed try: an offer may be waiting behind.
    static let longestPauseSeconds: Double = 60
    /// How long a host that does not answer is left alone.
    static let silentHostSeconds: Double = 3
    /// The longest pause that a host may ask for.
    static let longestAskedSeconds: Double = 3_600

    let isUrgent: Bool
    let isRead: Bool
    let expiresAt: Date
    /// Messages to the device of the same kind that are not urgent and may go now, with this one.
    let waitingAlike: Int
    /// Those that were sent within the last ``stormSeconds``.
    let sentAlike: Int
    let lastSentAlike: Date?

    func step(at now: Date, quiet: QuietHours?) -> Step {
        if isRead { return .drop }
        if expiresAt <= now { return .giveUp }
        if isUrgent { return .send }
        if let end = quiet?.end(at: now) { return .hold(until: end) }
        if waitingAlike > Self.stormCount { return .digest }
        if sentAlike >= Self.stormCount, let last = lastSentAlike {
            // Whoever waits for the end of the storm is then either alone or many.
            return .hold(until: last.addingTimeInterval(Self.stormSeconds + 1))
        }
        return .send
    }
}
