import Contracts

/// Which of a market's words say an order's state to one of its parties; kept with the event until it is known in
/// which language they are wanted.
struct OrderLabel {
    let market: String
    let state: OrderSnapshot.State
    let role: OrderSnapshot.Actor
    /// Nil of labels that an older version of the program has written.
    let kind: String?

    init(market: String, state: OrderSnapshot.State, role: OrderSnapshot.Actor, kind: String? = nil) {
        self.market = market
        self.state = state
        self.role = role
        self.kind = kind
    }

    /// Nil for what a newer version of the program may have written.
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
