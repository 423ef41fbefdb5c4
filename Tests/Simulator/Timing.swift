/// How long things take in the simulation.
enum Timing {
    /// From the provider's place to the customer's.
    static let travelSteps = 4
    static let travelStep: Duration = .milliseconds(300)
    /// At the customer's; both parties take it for the same time, so that they confirm together.
    static let work: Duration = .milliseconds(400)
    /// Between two positions of a provider who waits.
    static let idlePosition: Duration = .seconds(10)
}
