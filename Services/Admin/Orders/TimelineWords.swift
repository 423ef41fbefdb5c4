import Contracts
import ServiceKit

/// The words of an order's timeline in the reader's language: of what happened, of states and of reasons.
struct TimelineWords: Sendable {
    let catalogue: ProblemCatalogue?
    let market: Market?
    /// The order's kind.
    let kind: String
    let language: Language

    static func service(of name: String) -> String { String(name.prefix { $0 != "." }) }

    /// The event's words; the message's name when a later version of the program sent it.
    func event(_ name: String) -> String { text(name.split(separator: ".").dropLast().joined(separator: ".")) ?? name }

    /// The word for a state of the order, or of its payment if the wallet tells it.
    func state(_ state: String?, of name: String) -> String? {
        guard let state else { return nil }
        if Self.service(of: name) == "wallet" { return text("payment.\(state)") ?? state }
        return OrderSnapshot.State(rawValue: state).flatMap {
            market?.label(of: $0, for: .admin, in: language.rawValue, kind: kind)
        } ?? state
    }

    /// Nil for a person's own words.
    func reason(_ reason: String?) -> String? {
        reason.flatMap { market?.words(for: $0)?.text(in: language.rawValue) ?? text("reason.\($0)") }
    }

    private func text(_ key: String) -> String? { catalogue?.text("timeline.\(key)", in: language) }
}
