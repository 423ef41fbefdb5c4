/// How fast a general notice goes out: in small steps, so that nobody's order waits for one.
struct NoticePace: Sendable {
    /// So many of a market's people are looked at in one transaction.
    static let step = 250

    let perSecond: Int

    /// The pause before the next step.
    /// - Parameter recipients: of the last one. Whoever is only passed over costs nothing.
    func pauseSeconds(after recipients: Int) -> Double { Double(recipients) / Double(perSecond) }
}
