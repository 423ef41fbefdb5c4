import Contracts

/// Selects a market's words for the state of an order in one party's view. Stored with the event, because the reader's
/// language is known only when it is sent.
struct OrderLabel {
    let market: String
    /// The state whose word is read (``OrderSnapshot/labelState``).
    let state: OrderSnapshot.State
    let role: OrderSnapshot.Actor
    /// Nil in labels from an older version of this program.
    let kind: String?
    /// The provider's title, for labels that name it.
    let provider: Market.ProviderTitle?

    init(
        market: String, state: OrderSnapshot.State, role: OrderSnapshot.Actor, kind: String? = nil,
        provider: Market.ProviderTitle? = nil
    ) {
        self.market = market
        self.state = state
        self.role = role
        self.kind = kind
        self.provider = provider
    }

    /// Nil for a label from a newer version of this program.
    init?(_ text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard (3...6).contains(parts.count), let state = OrderSnapshot.State(rawValue: parts[1]),
            let role = OrderSnapshot.Actor(rawValue: parts[2])
        else { return nil }
        let provider = parts.count > 4 ? Market.ProviderTitle(title: parts[4], gender: parts.dropFirst(5).first) : nil
        self.init(
            market: parts[0], state: state, role: role, kind: parts.count > 3 ? parts[3] : nil, provider: provider)
    }

    var text: String {
        var parts = [market, state.rawValue, role.rawValue]
        if let kind {
            parts.append(kind)
            if let title = provider?.title { parts += [title] + (provider?.gender.map { [$0] } ?? []) }
        }
        return parts.joined(separator: " ")
    }

    /// - Parameter known: the market as its admins have changed it last; nil for that of its file.
    func words(in language: String, of known: Market? = nil) -> String {
        (known ?? Market.named(market))?.label(of: state, for: role, in: language, kind: kind, provider: provider)
            ?? state.rawValue
    }
}
