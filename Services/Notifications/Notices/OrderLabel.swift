import Contracts

/// Selects a market's words for the state of an order in one party's view. Stored with the event, because the reader's
/// language is known only when it is sent.
struct OrderLabel {
    let market: String
    let state: OrderSnapshot.State
    let role: OrderSnapshot.Actor
    /// Nil in labels from an older version of this program.
    let kind: String?

    init(market: String, state: OrderSnapshot.State, role: OrderSnapshot.Actor, kind: String? = nil) {
        self.market = market
        self.state = state
        self.role = role
        self.kind = kind
    }

    /// Nil for a label from a newer version of this program.
    init?(_ text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard (3...4).contains(parts.count), let state = OrderSnapshot.State(rawValue: parts[1]),
            let role = OrderSnapshot.Actor(rawValue: parts[2])
        else { return nil }
        self.init(market: parts[0], state: state, role: role, kind: parts.count > 3 ? parts[3] : nil)
    }

    var text: String { ([market, state.rawValue, role.rawValue] + (kind.map { [$0] } ?? [])).joined(separator: " ") }

    func words(in language: String) -> String {
        Market.named(market)?.label(of: state, for: role, in: language, kind: kind) ?? state.rawValue
    }
}
