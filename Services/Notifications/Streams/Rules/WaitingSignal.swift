/// Tells all processes that something that waits for the admins of markets has changed, by the channel that wakes streams.
/// An older program does not understand it, and leaves it.
struct WaitingSignal: Equatable {
    private static let word = "waiting"

    let markets: Set<String>

    init(markets: Set<String>) { self.markets = markets }

    init?(_ payload: String) {
        let parts = payload.split(separator: " ")
        guard parts.count > 1, parts[0] == Self.word else { return nil }
        markets = Set(parts.dropFirst().map(String.init))
    }

    /// A deployment has a handful of markets, so it is far below the limit of a payload.
    var payload: String { ([Self.word] + markets.sorted()).joined(separator: " ") }
}
